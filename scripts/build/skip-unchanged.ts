import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { StepResult } from '../process/report-step.ts';

/** What a build step reads and writes; paths are relative to `top`. */
export interface BuildFiles {
  readonly top: string;
  readonly inputs: readonly string[];
  readonly isInput: (path: string) => boolean;
  readonly outputs: readonly string[];
  /** The file with the hashes of the last good build. */
  readonly stamp: string;
}

/**
 * Runs a build unless both its inputs and its outputs are what they were after its last success.
 * Outputs count too, because another step or a person may have written over them.
 */
export async function skipUnchanged(
  files: BuildFiles,
  build: () => Promise<StepResult>,
): Promise<StepResult> {
  if (readStamp(files.stamp) === hashes(files)) return { ok: true, remark: 'unchanged' };
  const result = await build();
  if (result.ok) {
    mkdirSync(dirname(files.stamp), { recursive: true });
    writeFileSync(files.stamp, hashes(files));
  }
  return result;
}

function hashes(files: BuildFiles): string {
  const below = (paths: readonly string[]): readonly string[] =>
    paths.flatMap((path) => filesBelow(join(files.top, path)));
  const inputs = fingerprint(files.top, below(files.inputs).filter(files.isInput));
  return `${inputs}\n${fingerprint(files.top, below(files.outputs))}\n`;
}

function readStamp(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

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
function fingerprint(top: string, files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) {
    hash
      .update(`${relative(top, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex');
}
