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

/** What the tests of `npm run tool -- debian` run. */
const needed: readonly DebianProgram[] = [
  ...(['nginx', 'pgbouncer', 'setpriv', 'unshare', 'node'] as const),
  ...(['firefox', 'WebKitWebDriver', 'MiniBrowser', 'Xvfb'] as const),
];

/** Installs what is missing. @returns `undefined` where every program is there, else why not. */
export async function bringPrograms(): Promise<string | undefined> {
  const missing = (): readonly DebianProgram[] =>
    needed.filter((program) => findProgram(program) === undefined);
  if (missing().length === 0) return undefined;
  const packages = [...new Set(missing().map(packageOf))];
  const reason = await installPackages(packages);
  if (reason === undefined && missing().length === 0) return undefined;
  const names = missing().join(', ');
  return `${names} missing: ${reason ?? 'apt-get installed them at unknown paths'}.\nDebian:  sudo apt-get install -y --no-install-recommends ${packages.join(' ')}`;
}

/** The machine as the installer sees it, so that a test can describe another one. */
export interface Machine {
  readonly hasAptGet: boolean;
  readonly isRoot: boolean;
  /** Runs a program and returns its exit code; a program that does not exist ends with 1. */
  readonly run: (file: string, parameters: readonly string[]) => Promise<number>;
  readonly say: (line: string) => void;
}

const thisMachine: Machine = {
  hasAptGet: existsSync('/usr/bin/apt-get'),
  isRoot: process.getuid?.() === 0,
  run: async (file, parameters) => (await run(file, parameters, { output: 'inherit' })).code,
  say: console.log,
};

/**
 * Installs packages of Debian where that is possible without asking anybody: as root or with a
 * passwordless sudo.
 *
 * @returns `undefined` where they are installed, else why not.
 */
export async function installPackages(
  packages: readonly string[],
  machine = thisMachine,
): Promise<string | undefined> {
  if (!machine.hasAptGet) return 'this system has no apt-get';
  if (!machine.isRoot && (await machine.run('sudo', ['-n', 'true'])) !== 0) {
    return 'apt-get needs root or a passwordless sudo';
  }
  machine.say(`Installing ${packages.join(', ')} with apt-get: 1 to 3 minutes, once.`);
  const sudo = machine.isRoot ? [] : ['sudo', '-n'];
  for (const step of [['update'], ['install', '-y', '--no-install-recommends', ...packages]]) {
    const command = [...sudo, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-qq', ...step];
    const [file = 'env', ...parameters] = command;
    const code = await machine.run(file, parameters);
    if (code !== 0) return `apt-get ${step[0]} ended with code ${code}`;
  }
  return undefined;
}

/** Chromium, also without windows, and a font with Arabic: else the Arabic pages are drawn as boxes. */
const chromiumPackages = ['chromium', 'chromium-headless-shell', 'fonts-noto-core'];

/**
 * Finds a Chromium, or installs Debian's where that is possible without asking anybody.
 *
 * @returns `undefined` when there is a Chromium, else why not and how to bring one.
 */
export async function installChromium(
  machine: Machine & { readonly find: () => string | undefined } = {
    ...thisMachine,
    find: () => findChromium(process.env, true),
  },
): Promise<string | undefined> {
  if (machine.find() !== undefined) return undefined;
  const problem = await installPackages(chromiumPackages, machine);
  if (problem !== undefined) return advice(problem);
  if (machine.find() === undefined) return advice('apt-get installed it at an unknown path');
  return undefined;
}

function advice(reason: string): string {
  return [
    `The browser tests need a Chromium, and none was found: ${reason}.`,
    `Debian, Ubuntu:  sudo apt-get install -y --no-install-recommends ${chromiumPackages.join(' ')}`,
    'anywhere:        npx playwright install chromium',
    'or set CHROME_PATH to the program of a Chromium or Chrome that you have.',
  ].join('\n');
}
