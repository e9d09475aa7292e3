import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Every file below a folder (or the file itself), sorted; none when it does not exist. */
export function filesBelow(path: string): readonly string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  if (found.isFile()) return [path];
  return readdirSync(path)
    .toSorted()
    .filter((name) => name !== 'node_modules')
    .flatMap((name) => filesBelow(join(path, name)));
}

/**
 * One hash over names and contents. Contents and not times: a fresh clone, a branch switched back
 * and forth and a restored cache all have new times and old contents.
 */
export function fingerprint(top: string, files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) {
    hash
      .update(`${relative(top, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex');
}
