import { join } from 'node:path';
import { endedResult } from '../process/report-step.ts';
import { run, runNode } from '../process/run.ts';
import type { Trial } from './try-shop.ts';

/**
 * A store outside of the repository's sources compiles against the tarball's types, each library
 * checked, and passes the suite of our own stores.
 */
export const tryCustomStore: Trial = async (folder) => {
  const cwd = join(folder, 'examples/custom-store');
  const compiled = endedResult(await run('tsc', ['-p', cwd], { output: 'capture' }));
  if (!compiled.ok) return compiled;
  const tested = await runNode(['--test', 'local-counters.test.ts'], { cwd, output: 'capture' });
  return endedResult(tested);
};
