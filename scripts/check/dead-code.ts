import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { localBinary } from '../process/local-binary.ts';
import { endedResult, type StepResult } from '../process/report-step.ts';
import { runNode } from '../process/run.ts';

/** Finds files, exports and dependencies that nothing uses, and dependencies that nobody lists. */
export async function checkDeadCode(top: string): Promise<StepResult> {
  const config = existsSync(join(top, 'knip.json')) ? ['--config=knip.json'] : [];
  const parameters = ['--no-progress', '--no-config-hints', ...config];
  return endedResult(
    await runNode([localBinary('knip', 'knip'), ...parameters], { output: 'capture', cwd: top }),
  );
}
