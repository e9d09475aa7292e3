import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { StepResult } from '../process/report-step.ts';
import { filesBelow, fingerprint } from './fingerprint.ts';

/** What a build step reads and writes; paths are relative to `top`. */
export interface BuildFiles {
  readonly top: string;
  readonly inputs: readonly string[];
  readonly isInput: (path: string) => boolean;
  readonly outputs: readonly string[];
  /** Where the hashes of the last good build are kept. */
  readonly stamp: string;
}

/**
 * Runs a build unless both its inputs and its outputs are what they were after its last success.
 * Outputs count too: another step, or a hand, may have written over them.
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
