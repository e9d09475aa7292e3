import { existsSync, globSync } from 'node:fs';
import { findChromium } from './find-chromium.ts';
import { run } from './process.ts';

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

/** The package that brings a program. */
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

/** The machine as the installer sees it, so that a test can describe another one. */
export interface Machine {
  readonly hasAptGet: boolean;
  readonly isRoot: boolean;
  /** Runs a program and returns its exit code; a program that does not exist ends with 1. */
  readonly run: (file: string, parameters: readonly string[]) => Promise<number>;
}

const thisMachine: Machine = {
  hasAptGet: existsSync('/usr/bin/apt-get'),
  isRoot: process.getuid?.() === 0,
  run: async (file, parameters) => (await run(file, parameters, { output: 'inherit' })).code,
};

/** What the tests of `npm run tool -- debian` run. */
const needed: readonly DebianProgram[] = [
  ...(['nginx', 'pgbouncer', 'mariadbd', 'setpriv', 'unshare', 'node'] as const),
  ...(['firefox', 'WebKitWebDriver', 'MiniBrowser', 'Xvfb'] as const),
];

/** Installs what is missing. @returns `undefined` where every program is there, else why not. */
export function bringPrograms(): Promise<string | undefined> {
  const missing = () => needed.filter((program) => findProgram(program) === undefined);
  return bring(missing, [...new Set(missing().map(packageOf))], thisMachine);
}

/**
 * Finds a Chromium, or installs Debian's. With it comes a font with Arabic: else the Arabic pages are
 * drawn as boxes.
 *
 * @returns `undefined` when there is a Chromium, else why not and how to bring one.
 */
export function installChromium(
  machine = thisMachine,
  find = () => findChromium(process.env, true),
): Promise<string | undefined> {
  const packages = ['chromium', 'chromium-headless-shell', 'fonts-noto-core'];
  return bring(
    () => (find() === undefined ? ['Chromium, which the browser tests need'] : []),
    packages,
    machine,
    'Anywhere:        npx playwright install chromium',
    'or set CHROME_PATH to the program of a Chromium or Chrome that you have.',
  );
}

/** Installs packages where something is missing. @returns why it still is, and how to bring it. */
async function bring(
  missing: () => readonly string[],
  packages: readonly string[],
  machine: Machine,
  ...otherWays: readonly string[]
): Promise<string | undefined> {
  if (missing().length === 0) return undefined;
  const reason = await install(packages, machine);
  if (reason === undefined && missing().length === 0) return undefined;
  return [
    `There is no ${missing().join(', ')}: ${reason ?? 'apt-get installed it at an unknown path'}.`,
    `Debian, Ubuntu:  sudo apt-get install -y --no-install-recommends ${packages.join(' ')}`,
    ...otherWays,
  ].join('\n');
}

/**
 * Installs packages of Debian where that is possible without asking anybody: as root or with a
 * passwordless sudo.
 *
 * @returns `undefined` where they are installed, else why not.
 */
async function install(
  packages: readonly string[],
  { hasAptGet, isRoot, run: start }: Machine,
): Promise<string | undefined> {
  if (!hasAptGet) return 'this system has no apt-get';
  if (!isRoot && (await start('sudo', ['-n', 'true'])) !== 0) {
    return 'apt-get needs root or a passwordless sudo';
  }
  console.log(`Installing ${packages.join(', ')} with apt-get: 1 to 3 minutes, once.`);
  const [file, ...sudo] = isRoot ? ['env'] : ['sudo', '-n', 'env'];
  for (const step of [['update'], ['install', '-y', '--no-install-recommends', ...packages]]) {
    const command = [...sudo, 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-qq', ...step];
    const code = await start(file ?? 'env', command);
    if (code !== 0) return `apt-get ${step[0]} ended with code ${code}`;
  }
  return undefined;
}
