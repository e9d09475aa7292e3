import { join } from 'node:path';
import { endedResult, type StepResult } from '../steps.ts';
import { type Ended, root, run } from '../process.ts';

const programs = join(root, 'scripts/tools/node_modules/.bin');

/** Runs a program of scripts/tools, whose packages the command has installed before. */
export function runTool(name: string, parameters: readonly string[], cwd = root): Promise<Ended> {
  // oxlint looks for its other half below the tree that it reads.
  const env = { OXLINT_TSGOLINT_PATH: join(programs, 'tsgolint') };
  return run(join(programs, name), parameters, { output: 'capture', cwd, env });
}

/** A check that such a program makes of a tree, by the tree's own settings. */
function program(name: string, ...parameters: readonly string[]) {
  return async (top: string): Promise<StepResult> =>
    endedResult(await runTool(name, parameters, top));
}

/** Checks that every file is formatted; `npm run format` formats them. */
export const checkFormat = program('oxfmt', '--check', '.');

/** Lints, with the rules that need types. A warning fails, too. */
export const checkLint = program('oxlint', '--type-aware', '--deny-warnings', '--format=unix');

/** Finds files, exports and dependencies that nothing uses, and dependencies that no manifest lists. */
export const checkDeadCode = program('knip', '--no-progress', '--no-config-hints');
