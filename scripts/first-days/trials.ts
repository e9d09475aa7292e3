import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv, stripVTControlCharacters } from 'node:util';
import { payAsShopper } from '../examples/pay-as-shopper.ts';
import { chromiumArguments, findChromium } from '../find-chromium.ts';
import { rowsIn } from '../postgres.ts';
import { root, until } from '../process.ts';
import { Reader } from './reader.ts';
import { partOf, writtenSteps } from './written-steps.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/**
 * The quick start's first part, in an empty folder, to a paid order: no line is written by hand. The
 * ports are those that the written shop has found free.
 */
export function tryCreate(registry: string): Promise<string> {
  const steps = writtenSteps(partOf(read('docs/quick-start.md'), '## In a minute'));
  const startedAt = performance.now();
  const work = async (reader: Reader): Promise<string> => {
    let shop = '';
    for (const step of steps) {
      assert(step.kind === 'command', 'no file is written by hand');
      if (step.line !== 'npm start') {
        await reader.run(step.line);
        continue;
      }
      shop = parseEnv(readFileSync(join(reader.folder, '.env'), 'utf8'))['PUBLIC_URL'] ?? '';
      await reader.start(step.line, `${shop}/`);
    }
    await payAsShopper(shop);
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    return `paid after ${steps.length} commands and ${seconds} s`;
  };
  return Reader.at(registry, work, true);
}

/** The README's lines, in an empty folder, to a paid order. */
export function tryReadme(registry: string): Promise<string> {
  return Reader.at(registry, async (reader) => {
    const steps = await reader.follow(partOf(read('README.md'), '## Put it in your shop'));
    await payAsShopper(reader.shop);
    const database = `sqlite:${join(reader.folder, '.data/payments.db')}`;
    const shipped = await rowsIn(database, 'SELECT order_id FROM shipments');
    assert.deepEqual(shipped, [{ order_id: '1001' }]);
    return `${steps} steps, one payment`;
  });
}

/** The quick start's lines for a shop by hand, in an empty folder, to a paid order and its timeline. */
export function tryQuickStart(registry: string): Promise<string> {
  // The first part writes the same shop by a command, and is tried by itself.
  const [, before = '', after = ''] = read('docs/quick-start.md').split(
    /^(?=## (?:1\. Install|5\. Pay)$)/m,
  );
  const promised = /ends with `(\d+ wrong, \d+ not checked, \d+ fine)`/.exec(before)?.[1] ?? '?';
  return Reader.at(registry, async (reader) => {
    const steps = await reader.follow(before);
    await payAsShopper(reader.shop);
    const further = await reader.follow(after);
    // Handlers run after the commit that paid the order, so after the page that thanks for it.
    await until('the shop ships', () => reader.shown().includes('ship order 1001'));
    const shown = reader.shown();
    assert(shown.includes(promised), `The doctor does not end with "${promised}".\n${shown}`);
    return `${steps + further} steps, one payment`;
  });
}

/** A project that sells already, as `npm init` makes it: in CommonJS. */
const project = ['npm init -y', 'npm install @pay-button/server-helper @pay-button/widget express'];

/**
 * The lines of the guide's section about a test runner, in a project of its own.
 *
 * @param passed - What the section's last command prints when all its tests passed.
 */
export const tryRunner =
  (heading: string, passed: RegExp) =>
  (registry: string): Promise<string> =>
    Reader.at(registry, async (reader) => {
      for (const line of project) await reader.run(line);
      const guide = partOf(read('docs/testing-with-the-sandbox.md'), heading);
      const steps = await reader.follow(withBrowserOfHere(guide));
      assert.match(stripVTControlCharacters(reader.shown()), passed);
      return `${steps} steps`;
    });

/** Playwright is told where this machine's browser is; `npx playwright install` would bring its own. */
function withBrowserOfHere(text: string): string {
  const launchOptions = { executablePath: findChromium(), args: chromiumArguments };
  return text.replace('({ use: {', `({ use: { launchOptions: ${JSON.stringify(launchOptions)},`);
}
