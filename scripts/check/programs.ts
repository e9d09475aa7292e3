import { endedResult, type StepResult } from '../process/report-step.ts';
import { run } from '../process/run.ts';

/** A check that a program of the lockfile makes of a tree, by the tree's own settings. */
function program(file: string, ...parameters: readonly string[]) {
  return async (top: string): Promise<StepResult> =>
    endedResult(await run(file, parameters, { output: 'capture', cwd: top }));
}

/** Checks that every file is formatted; `npm run format` formats them. */
export const checkFormat = program('oxfmt', '--check', '.');

/** Lints, with the rules that need types. A warning fails, too. */
export const checkLint = program('oxlint', '--type-aware', '--deny-warnings', '--format=unix');

/** Finds files, exports and dependencies that nothing uses, and dependencies that no manifest lists. */
export const checkDeadCode = program('knip', '--no-progress', '--no-config-hints');
