import { globSync } from 'node:fs';
import { findChromium } from './find-chromium.ts';
import { succeed, Trouble } from './process.ts';

/** Programs of Debian that tests and tortures run: the package, and where it puts the program. */
const programs = {
  nginx: ['nginx', '/usr/sbin/nginx'],
  pgbouncer: ['pgbouncer', '/usr/sbin/pgbouncer'],
  haproxy: ['haproxy', '/usr/sbin/haproxy'],
  etcd: ['etcd-server', '/usr/bin/etcd'],
  patroni: ['patroni', '/usr/bin/patroni'],
  postgres: ['postgresql', '/usr/lib/postgresql/*/bin/postgres'],
  mariadbd: ['mariadb-server', '/usr/sbin/mariadbd'],
  'mariadb-install-db': ['mariadb-server', '/usr/bin/mariadb-install-db'],
  setpriv: ['util-linux', '/usr/bin/setpriv'],
  unshare: ['util-linux', '/usr/bin/unshare'],
  node: ['nodejs', '/usr/bin/node'],
  firefox: ['firefox-esr', '/usr/bin/firefox-esr'],
  WebKitWebDriver: ['webkit2gtk-driver', '/usr/bin/WebKitWebDriver'],
  MiniBrowser: ['webkit2gtk-driver', '/usr/lib/*/webkit2gtk-4.1/MiniBrowser'],
  Xvfb: ['xvfb', '/usr/bin/Xvfb'],
} as const;

export type DebianProgram = keyof typeof programs;

const packageOf = (program: DebianProgram): string => programs[program][0];

/** Where a program is, where it is installed: its newest version. */
export const findProgram = (program: DebianProgram): string | undefined =>
  globSync(programs[program][1])
    .toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }))
    .at(-1);

/** Where a program is. @throws where it is missing, with the command that installs it. */
export function debianProgram(program: DebianProgram): string {
  const path = findProgram(program);
  if (path !== undefined) return path;
  throw new Error(
    `There is no ${program} at ${programs[program][1]}. npm run tool -- debian installs what its tests need; by hand: apt-get install -y ${packageOf(program)}`,
  );
}

/** What the tests of `npm run tool -- debian` run. */
const needed: readonly DebianProgram[] = [
  ...(['nginx', 'pgbouncer', 'mariadbd', 'setpriv', 'unshare', 'node'] as const),
  ...(['firefox', 'WebKitWebDriver', 'MiniBrowser', 'Xvfb'] as const),
];

export function bringPrograms(): Promise<void> {
  const missing = () => needed.filter((program) => findProgram(program) === undefined);
  return bring(missing, [...new Set(missing().map(packageOf))]);
}

/**
 * Finds a Chromium, or installs Debian's. With it comes a font with Arabic: else the Arabic pages are
 * drawn as boxes.
 *
 * @throws where there is still none, with why and with how to bring one.
 */
export function installChromium(find = () => findChromium(process.env, true), start?: Start) {
  const missing = () => (find() === undefined ? ['Chromium, which the browser tests need'] : []);
  const packages = ['chromium', 'chromium-headless-shell', 'fonts-noto-core'];
  const otherWays = `
Anywhere:        npx playwright install chromium
or set CHROME_PATH to the program of a Chromium or Chrome that you have.`;
  return bring(missing, packages, otherWays, start);
}

/** Runs a program to a good end, so that a test can describe another machine. */
type Start = (file: string, parameters: readonly string[]) => Promise<unknown>;

/**
 * Installs packages of Debian where something is missing and apt-get may run without asking anybody: as
 * root or by a sudo without a password.
 */
async function bring(
  missing: () => readonly string[],
  packages: readonly string[],
  otherWays = '',
  start: Start = (file, parameters) => succeed(file, parameters, { output: 'both' }),
): Promise<void> {
  if (missing().length === 0) return;
  console.log(`Installing ${packages.join(', ')} with apt-get: 1 to 3 minutes, once.`);
  const install = ['install', '-y', '--no-install-recommends', ...packages];
  const [program = '', ...first] = process.getuid?.() === 0 ? ['env'] : ['sudo', '-n', 'env'];
  let trouble = 'it is at an unknown path';
  try {
    for (const step of [['update'], install]) {
      await start(program, [...first, 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-qq', ...step]);
    }
  } catch (error) {
    trouble = (error as Error).message;
  }
  if (missing().length === 0) return;
  throw new Trouble(`There is no ${missing().join(', ')}, and apt-get could not install it: ${trouble}.
Debian, Ubuntu:  sudo apt-get ${install.join(' ')}${otherWays}`);
}
