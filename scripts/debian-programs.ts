import { globSync } from 'node:fs';
import { installPackages } from './install-packages.ts';

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
    `There is no ${program} at ${programs[program][1]}. npm run test:debian installs what its tests need; by hand: apt-get install -y ${packageOf(program)}`,
  );
}

/** What the tests of `npm run test:debian` run. */
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
