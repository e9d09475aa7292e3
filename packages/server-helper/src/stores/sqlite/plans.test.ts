import { DatabaseSync } from 'node:sqlite';
import { beforeAll, expect, it, vi } from 'vitest';
import { storeConformance } from '../conformance/conformance.ts';
import type { Store } from '../store.ts';
import { openSqlite } from './sqlite-file.ts';
import { sqliteStore } from './sqlite-store.ts';

/** How SQLite runs each statement that the suite of all stores needs, by its text in one line. */
const plans = new Map<string, readonly string[]>();

beforeAll(async () => {
  const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare');
  const store = sqliteStore({ file: ':memory:' }) as Store<unknown>;
  await store.open('staging/test');
  for (const { check } of storeConformance) await check(store);
  await store.health.checkWritable?.();
  await store.close();
  const texts = new Set(prepare.mock.calls.map(([sql]) => sql));
  prepare.mockRestore();
  const file = await openSqlite(':memory:', 'staging/test');
  for (const sql of texts) {
    if (!/\bpay_(?!meta)/.test(sql)) continue;
    const rows = file.database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
    const plan = rows.map(({ detail }) => String(detail));
    plans.set(sql.replaceAll(/\s+/g, ' ').trim(), plan);
  }
  await file.close();
});

/** The plan of the one statement that has a text in it. */
function planOf(part: string): readonly string[] {
  const found = [...plans].filter(([sql]) => sql.includes(part));
  expect(found.map(([sql]) => sql)).toHaveLength(1);
  return found[0]?.[1] ?? [];
}

it('every statement searches a table, and none reads one whole', () => {
  const read = [...plans.values()].flat().filter((line) => /^(?:SCAN|SEARCH) /.test(line));
  const scanned = read.filter((line) => /^SCAN (?:pay_|o\b|w\b|earlier\b)/.test(line));
  const dead = ['USING COVERING INDEX pay_events_dead', 'USING INDEX pay_events_dead'];
  expect(new Set(scanned)).toEqual(new Set(dead.map((how) => `SCAN pay_events ${how}`)));
  expect(read.length).toBeGreaterThan(30);
});

it('what is sorted is small: the rest comes from its index in order', () => {
  const sorted = [...plans].filter(([, plan]) => plan.some((line) => /TEMP B-TREE/.test(line)));
  expect(sorted.map(([sql]) => sql).toSorted()).toEqual([
    expect.stringMatching(/^INSERT INTO pay_events_archive .* ORDER BY rowid/),
    expect.stringMatching(/^SELECT event, outcome, tries FROM \( .* ORDER BY part, seq/),
    expect.stringMatching(/^SELECT kind, currency, .* FROM pay_movements .* GROUP BY/),
    expect.stringMatching(/^SELECT o\.order_id, .* FROM json_each\(\?5\) AS found CROSS JOIN/),
    expect.stringMatching(/^SELECT record .* IN \( SELECT order_id .* saved_at > \?2/),
    expect.stringMatching(/^SELECT record .* IN \(SELECT value FROM json_each\(\?\)\)/),
  ]);
});

it.each([
  ['what is due', 'ORDER BY due_at', ['pay_orders USING INDEX pay_orders_due (due_at>? AND']],
  [
    'an event, without what waits of other orders,',
    'AS earlier',
    ['w USING INDEX pay_events_due (type=?', 'earlier USING INDEX', '(event_id>? AND event_id<?)'],
  ],
  ['a page of a list', 'WHERE state = ?5', ['COVERING INDEX pay_orders_state (state=?']],
  ['a page of an amount', 'amount = ?6', ['COVERING INDEX pay_orders_amount (amount=? AND state']],
  ['an order id’s beginning', 'char(127)', ['COVERING INDEX', '(order_id>? AND order_id<?)']],
  ['a name', 'FROM pay_names', ['PRIMARY KEY (kind=? AND name=?)']],
  ['what a search has found', 'AS found', ['SEARCH o USING INDEX', '(order_id=?)']],
  ['what a clock put off', 'saved_at > ?2', ['pay_orders_due (due_at>?', 'pay_orders_state (st']],
  ['what waits for an approval', 'proposed_at IS NOT', ['INDEX pay_orders_proposed']],
  ['held money', "'authorized'", ['INDEX pay_orders_state (state=?)']],
  ['the money of a span', 'SUM(amount)', ['pay_movements_recorded (recorded_at>? AND']],
  ['the orders of a span', 'created_at < ?', ['COVERING INDEX pay_orders_state (state=?']],
  [
    'the backlog',
    'MIN(unknown_at)',
    [
      'pay_orders_due (due_at>? AND due_at<?)',
      'pay_orders_unended (unended_since>? AND unended_since<?)',
      'pay_orders_unknown (unknown_at>?)',
      'pay_events_due (type=? AND next_try_at<?)',
    ],
  ],
])('%s is read by its index', (_what, part, uses) => {
  for (const use of uses) expect(planOf(part).join('\n')).toContain(use);
});
