import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { nameOf } from '../../errors.ts';
import { UsageError } from '../command.ts';

/**
 * Writes a file whole or not at all: it is written beside its place, for its owner only, and moved
 * there once it is on the disk. A file of that name is replaced, and one that a link leads to.
 *
 * @throws {@link UsageError} where no file can be made there, or what is there is no file.
 */
export async function writeFileWhole(
  cwd: string,
  name: string,
  lines: AsyncIterable<string>,
): Promise<void> {
  const path = await placeOf(resolve(cwd, name), name);
  const part = `${path}.${process.pid}.part`;
  const file = await open(part, 'w', 0o600).catch((error: unknown) => {
    throw new UsageError(`--out: no file can be written at ${name} (${nameOf(error)}).`, 'export');
  });
  try {
    for await (const line of lines) await file.appendFile(line);
    await file.sync();
    await file.close();
    await rename(part, path);
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(part, { force: true });
    throw error;
  }
}

/** Where the file is to be. A device, a pipe or a folder would be lost if a file took its place. */
async function placeOf(path: string, name: string): Promise<string> {
  const there = await stat(path).catch(() => null);
  if (there === null) return path;
  if (there.isFile()) return realpath(path);
  throw new UsageError(
    `--out takes a file, and ${name} is none. Without --out it is printed on standard output.`,
    'export',
  );
}
