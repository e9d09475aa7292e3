import { expect, it } from 'vitest';
import { openSqlite } from './open-sqlite.ts';

it('an event is claimed without reading what waits of other orders', async () => {
  const { database, sql } = await openSqlite(':memory:', 'staging/test');
  const plan = database
    .prepare(`EXPLAIN QUERY PLAN ${sql.dueEvents.sourceSQL}`)
    .all('paid', 1, 1, '["paid"]')
    .map(({ detail }) => String(detail));
  database.close();
  const earlier = plan.filter((line) => /\bearlier\b/.test(line));
  expect(earlier).toEqual([
    expect.stringMatching(/SEARCH earlier USING .*\(event_id>\? AND event_id<\?\)/),
  ]);
  expect(plan).toContainEqual(expect.stringMatching(/SEARCH w USING INDEX pay_outbox_due/));
});

it('what is due is claimed by its index', async () => {
  const { database, sql } = await openSqlite(':memory:', 'staging/test');
  const plan = database
    .prepare(`EXPLAIN QUERY PLAN ${sql.dueAttempts.sourceSQL}`)
    .all(1, 1, 1, 1, 1)
    .map(({ detail }) => String(detail));
  database.close();
  expect(plan).toContainEqual(
    expect.stringMatching(/SEARCH pay_attempts USING INDEX pay_attempts_due/),
  );
  expect(plan.join()).not.toMatch(/SCAN/);
});

it('orders whose checks fail are counted by an index of what is under way', async () => {
  const { database, sql } = await openSqlite(':memory:', 'staging/test');
  const plan = database
    .prepare(`EXPLAIN QUERY PLAN ${sql.backlog.sourceSQL}`)
    .all(1, '["paid"]')
    .map(({ detail }) => String(detail));
  database.close();
  const ofAttempts = plan.filter((line) => /pay_attempts/.test(line));
  expect(ofAttempts).toHaveLength(4);
  for (const line of ofAttempts) {
    expect(line).toMatch(/^SEARCH .* INDEX pay_attempts_(due|unended) /);
  }
});
