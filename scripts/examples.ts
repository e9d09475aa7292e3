/**
 * Tries every example as a merchant would get it: our packages packed and installed from their
 * tarballs, a real payment against the sandbox where there is a server, a build where there is none.
 * Needs a build of the packages.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installExamples } from './examples/install.ts';
import { tryBuild, tryStaticPage } from './examples/try-page.ts';
import { tryNext, tryServer, tryServerWithPostgres } from './examples/try-shop.ts';
import { reportStep, type StepResult } from './process/report-step.ts';
import { root } from './process/root.ts';

/** How each folder of `examples/` is tried, in the folder where all of them are installed. */
const trials: Readonly<Record<string, (folder: string) => Promise<StepResult>>> = {
  express: tryServer,
  'express-postgres': tryServerWithPostgres,
  'static-page': tryStaticPage,
  react: (top) => tryBuild(top, 'react', { types: true }),
  vue: (top) => tryBuild(top, 'vue', { types: false }),
  nextjs: tryNext,
};

const folder = mkdtempSync(join(tmpdir(), 'pay-button-examples-'));
let ok = false;
try {
  const installed = await reportStep('install from tarballs', () => installExamples(folder));
  const untried = await reportStep('every example is tried', () => Promise.resolve(findUntried()));
  ok = installed.ok && untried.ok;
  if (installed.ok) {
    for (const [name, run] of Object.entries(trials)) {
      const result = await reportStep(`examples/${name}`, () => run(folder));
      ok &&= result.ok;
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = ok ? 0 : 1;

function findUntried(): StepResult {
  const folders = readdirSync(join(root, 'examples'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  const untried = folders.filter((name) => !Object.hasOwn(trials, name));
  if (untried.length === 0) return { ok: true, remark: `${folders.length} folders` };
  return { ok: false, details: `scripts/examples.ts does not try ${untried.join(', ')}.` };
}
