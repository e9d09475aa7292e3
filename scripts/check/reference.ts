import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StepResult } from '../process/report-step.ts';
import { makeReference, referencePath } from '../reference/reference.ts';

/**
 * Checks that the reference of the gateway client is what its types, comments, table of operations
 * and contract say: a page that tells of yesterday's client is worse than none.
 */
export async function checkReference(
  top: string,
  make: () => string = makeReference,
): Promise<StepResult> {
  const path = join(top, referencePath);
  const kept = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const made = make();
  if (kept === made) return { ok: true, remark: `${made.split('\n').length} lines` };
  const lines = kept.split('\n');
  const line = made.split('\n').findIndex((text, index) => text !== lines[index]) + 1;
  const details = `${referencePath}:${line || lines.length}  is not what the sources say; npm run docs:reference writes it`;
  return { ok: false, details };
}
