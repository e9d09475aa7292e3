import { cpSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Binaries } from './locate-binaries.ts';

/** Where to start from, and where the loader finds the libraries. */
export interface Prepared {
  readonly bin: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Makes the binaries usable for an account that is not ours, without writing into node_modules.
 *
 * npm packages cannot hold symbolic links, and the package's own install script, which would make
 * them, does not run everywhere: so they are made here, in the run's folder. Where node_modules
 * lies below a folder that the account may not enter (root's home, say), the binaries are copied.
 *
 * @param workFolder the run's own folder; it goes away with the run.
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
