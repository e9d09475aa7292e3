import { localBinary } from '../process/local-binary.ts';
import { endedResult, type StepResult } from '../process/report-step.ts';
import { runNode } from '../process/run.ts';

/** Lints by the tree's own settings, rules that need types included. A warning fails, too. */
export async function checkLint(top: string): Promise<StepResult> {
  const linter = localBinary('oxlint', 'oxlint');
  const parameters = ['--type-aware', '--deny-warnings', '--format=unix'];
  return endedResult(await runNode([linter, ...parameters], { output: 'capture', cwd: top }));
}
