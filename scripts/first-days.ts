/**
 * Does what a newcomer does, by the letter of the documents and with our packages as if they were
 * published. Needs a build of the packages. Words behind the command choose among the trials.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRegistry } from './first-days/registry.ts';
import { tryCreate, tryQuickStart, tryReadme, tryRunner } from './first-days/trials.ts';
import { reportStep } from './steps.ts';

/** What is tried, each in an empty folder, with packages from a registry. */
const trials: Readonly<Record<string, (registry: string) => Promise<string>>> = {
  'npm create': tryCreate,
  'README.md': tryReadme,
  'docs/quick-start.md': tryQuickStart,
  vitest: tryRunner('## Without a browser: Vitest', /Tests\s.*4 passed/),
  jest: tryRunner('## With Jest, in CommonJS', /Tests:\s+1 passed, 1 total/),
  'node:test': tryRunner('## With node:test', /pass 1\n/),
  playwright: tryRunner('## With a browser: Playwright', /1 passed/),
};

const words = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'pay-button-registry-'));
const registry = await startRegistry(folder);
let ok = true;
try {
  for (const [name, run] of Object.entries(trials)) {
    if (words.length > 0 && !words.includes(name)) continue;
    ok = (await reportStep(name, () => run(registry.url))) && ok;
  }
} finally {
  await registry.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = ok ? 0 : 1;
