/**
 * Tries every example as a merchant would get it: our packages packed and installed from their
 * tarballs, a real payment in a browser against the sandbox where there is a server, a build where
 * there is none. Needs a build of the packages. Words behind the command choose among the examples.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installExamples } from './examples/install.ts';
import { startBrowser } from './browser.ts';
import { frameworks, trials } from './examples/trials.ts';
import { reportStep, type StepResult } from './steps.ts';
import { root } from './process.ts';

const words = process.argv.slice(2);
/** A folder's own trial comes before those of what is in it. */
const isChosen = (name: string): boolean =>
  words.length === 0 || words.some((word) => name.startsWith(word) || word.startsWith(`${name}/`));

const folder = mkdtempSync(join(tmpdir(), 'pay-button-examples-'));
let ok = false;
try {
  const installed = await reportStep('install from tarballs', () => installExamples(folder));
  const untried = await reportStep('every example is tried', () => Promise.resolve(findUntried()));
  ok = installed.ok && untried.ok && (await tryChosen());
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = ok ? 0 : 1;

async function tryChosen(): Promise<boolean> {
  const browser = await startBrowser();
  let isWell = true;
  for (const [name, run] of Object.entries(trials).filter(([key]) => isChosen(key))) {
    const result = await reportStep(`examples/${name}`, () => run(folder, browser));
    isWell &&= result.ok;
  }
  await browser.close();
  return isWell;
}

function findUntried(): StepResult {
  const names = [
    ...readdirSync(join(root, 'examples'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name),
    ...readdirSync(join(root, frameworks))
      .filter((name) => !/^(?:pages|payments)\.ts$|\.json$|^node_modules$/.test(name))
      .map((name) => `frameworks/${name}`),
  ];
  const untried = names.filter((name) => !Object.hasOwn(trials, name));
  if (untried.length === 0) return { ok: true, remark: `${names.length} of them` };
  return { ok: false, details: `scripts/examples/trials.ts does not try ${untried.join(', ')}.` };
}
