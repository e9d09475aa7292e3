import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { payAsShopper } from '../examples/pay-as-shopper.ts';
import type { StepResult } from '../process/report-step.ts';
import { root } from '../process/root.ts';
import { Reader } from './reader.ts';
import { partOf } from './written-steps.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The README's lines, in an empty folder, to a paid order. */
export function tryReadme(registry: string): Promise<StepResult> {
  return Reader.at(registry, async (reader) => {
    const steps = await reader.follow(partOf(read('README.md'), '## Put it in your shop'));
    await payAsShopper(reader.shop);
    const database = new DatabaseSync(join(reader.folder, '.data/payments.db'), { readOnly: true });
    const shipped = database.prepare('SELECT order_id FROM shipments').all();
    database.close();
    const ids = shipped.map((row) => row['order_id']);
    assert.deepEqual(ids, ['1001']);
    return { ok: true, remark: `${steps} steps, one payment` };
  });
}

/** The quick start's lines for a shop by hand, in an empty folder, to a paid order and its timeline. */
export function tryQuickStart(registry: string): Promise<StepResult> {
  const text = read('docs/quick-start.md');
  // The first part writes the same shop by a command, and is tried by itself.
  const [, before = '', after = ''] = text.split(/^(?=## (?:1\. Install|5\. Pay)$)/m);
  const promised = /ends with `(\d+ wrong, \d+ not checked, \d+ fine)`/.exec(before)?.[1] ?? '?';
  return Reader.at(registry, async (reader) => {
    const steps = await reader.follow(before);
    await payAsShopper(reader.shop);
    const further = await reader.follow(after);
    const shown = reader.shown();
    assert.match(shown, /ship order 1001/);
    assert(shown.includes(promised), `The doctor does not end with "${promised}".\n${shown}`);
    return { ok: true, remark: `${steps + further} steps, one payment` };
  });
}
