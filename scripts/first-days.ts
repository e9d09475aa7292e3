/**
 * Does what a newcomer does, by the letter of the documents and with our packages as if they were
 * published. Needs a build of the packages. Words behind the command choose among the trials.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { partOf } from './check/documents.ts';
import { payAsShopper } from './examples/pay-as-shopper.ts';
import { chromiumLaunch } from './find-chromium.ts';
import { Reader, writtenSteps } from './first-days/reader.ts';
import { startRegistry } from './first-days/registry.ts';
import { rowsIn } from './postgres.ts';
import { root, until } from './process.ts';
import { reportStep } from './steps.ts';

/** Tries a document in an empty folder, with packages from a registry. @returns what is worth a word. */
type Trial = (reader: Reader) => Promise<string>;

const trials: Readonly<Record<string, Trial>> = {
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
  for (const [name, attempt] of Object.entries(trials)) {
    if (words.length > 0 && !words.includes(name)) continue;
    // npm knows nothing yet where it runs ours: `npm create` would run the package of another day.
    const isNew = attempt === tryCreate;
    ok = (await reportStep(name, () => Reader.at(registry.url, attempt, isNew))) && ok;
  }
} finally {
  await registry.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = ok ? 0 : 1;

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** The quick start's first part, to a paid order: no line is written by hand. */
async function tryCreate(reader: Reader): Promise<string> {
  const part = partOf(read('docs/quick-start.md'), '## In a minute');
  assert(writtenSteps(part).every(({ kind }) => kind === 'command'));
  const steps = await reader.follow(part);
  await payAsShopper(reader.shop);
  return `paid after ${steps} commands`;
}

async function tryReadme(reader: Reader): Promise<string> {
  const steps = await reader.follow(partOf(read('README.md'), '## Put it in your shop'));
  await payAsShopper(reader.shop);
  const database = `sqlite:${join(reader.folder, '.data/payments.db')}`;
  const shipped = await rowsIn(database, 'SELECT order_id FROM shipments');
  assert.deepEqual(shipped, [{ order_id: '1001' }]);
  return `${steps} steps, one payment`;
}

/** The quick start's lines for a shop by hand, to a paid order and its timeline. */
async function tryQuickStart(reader: Reader): Promise<string> {
  // The first part writes the same shop by a command, and is a trial of its own.
  const [, before = '', after = ''] = read('docs/quick-start.md').split(
    /^(?=## (?:1\. Install|5\. Pay)$)/m,
  );
  const promised = /ends with `(\d+ wrong, \d+ not checked, \d+ fine)`/.exec(before)?.[1] ?? '?';
  const steps = await reader.follow(before);
  await payAsShopper(reader.shop);
  const further = await reader.follow(after);
  // Handlers run after the commit that paid the order, so after the page that thanks for it.
  await until('the shop ships', () => reader.shown().includes('ship order 1001'));
  const shown = reader.shown();
  assert(shown.includes(promised), `The doctor does not end with "${promised}".\n${shown}`);
  return `${steps + further} steps, one payment`;
}

/**
 * The lines of the guide's section about a test runner, in a project that sells already, as
 * `npm init` makes it: in CommonJS.
 *
 * @param passed - What the section's last command prints when all its tests passed.
 */
function tryRunner(heading: string, passed: RegExp): Trial {
  return async (reader) => {
    await reader.run('npm init -y');
    await reader.run('npm install @pay-button/server-helper @pay-button/widget express');
    const guide = partOf(read('docs/testing-with-the-sandbox.md'), heading);
    // Playwright is to take this machine's browser; `npx playwright install` would bring its own.
    const here = `({ use: { launchOptions: ${JSON.stringify(chromiumLaunch())},`;
    const steps = await reader.follow(guide.replace('({ use: {', here));
    assert.match(stripVTControlCharacters(reader.shown()), passed);
    return `${steps} steps`;
  };
}
