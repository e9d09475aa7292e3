/**
 * Tries every example as a merchant would get it: our packages packed and installed from their
 * tarballs, a real payment in a browser against the sandbox where there is a server, a build where
 * there is none. Needs a build of the packages. Words behind the command choose among the examples.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileServers, frameworks, serverTrials, tryExpress4 } from './examples/frameworks.ts';
import { installExamples } from './examples/install.ts';
import { startBrowser } from './browser.ts';
import { appTrials } from './examples/try-app.ts';
import { tryCustomStore } from './examples/try-custom-store.ts';
import { tryDatabases } from './examples/try-databases.ts';
import { tryBuild, tryStaticPage } from './examples/try-page.ts';
import { type Trial, tryShop, tryShopWithPostgres } from './examples/try-shop.ts';
import { reportStep, type StepResult } from './process/report-step.ts';
import { root } from './process/root.ts';

const serverOf = (name: string) => (folder: string) => ({
  cwd: join(folder, 'examples', name),
  parameters: ['server.ts'],
});

/** How each folder of `examples/` is tried, in the folder where all of them are installed. */
const trials: Readonly<Record<string, Trial>> = {
  express: tryShop(serverOf('express')),
  'express on Express 4': tryExpress4,
  'express-postgres': tryShopWithPostgres(serverOf('express-postgres')),
  databases: tryDatabases,
  'custom-store': tryCustomStore,
  'static-page': tryStaticPage,
  react: (top) => tryBuild(top, 'react', { types: true }),
  vue: (top) => tryBuild(top, 'vue', { types: false }),
  ...appTrials,
  frameworks: compileServers,
  ...Object.fromEntries(
    Object.entries(serverTrials).map(([file, trial]) => [`frameworks/${file}`, trial]),
  ),
};

const words = process.argv.slice(2);
/** A folder's own trial comes before those of what is in it. */
const isChosen = (name: string): boolean =>
  words.length === 0 || words.some((word) => name.startsWith(word) || word.startsWith(`${name}/`));

const folder = mkdtempSync(join(tmpdir(), 'pay-button-examples-'));
let ok = false;
try {
  const installed = await reportStep('install from tarballs', () => installExamples(folder));
  const untried = await reportStep('every example is tried', () => Promise.resolve(findUntried()));
  ok = installed.ok && untried.ok && (!installed.ok || (await tryChosen()));
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
  return { ok: false, details: `scripts/examples.ts does not try ${untried.join(', ')}.` };
}
