import { localBinary } from '../process/local-binary.ts';
import { endedResult, type StepResult } from '../process/report-step.ts';
import { runNode } from '../process/run.ts';

/** Checks that every file is formatted; `npm run format` writes what it asks for. */
export async function checkFormat(top: string): Promise<StepResult> {
  const formatter = localBinary('oxfmt', 'oxfmt');
  return endedResult(await runNode([formatter, '--check', '.'], { output: 'capture', cwd: top }));
}
