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

it('what waits for an approval is read by an index of that alone, in its order', async () => {
  const { database, sql } = await openSqlite(':memory:', 'staging/test');
  const plan = database
    .prepare(`EXPLAIN QUERY PLAN ${sql.proposedOperations.sourceSQL}`)
    .all(100)
    .map(({ detail }) => String(detail));
  database.close();
  expect(plan).toEqual([
    expect.stringMatching(/^SCAN pay_operations USING INDEX pay_operations_proposed$/),
  ]);
});

it('a page of a list is read from an index, without sorting', async () => {
  const { database, sql } = await openSqlite(':memory:', 'staging/test');
  const plan = database
    .prepare(`EXPLAIN QUERY PLAN ${sql.payments.sourceSQL}`)
    .all(1, 2, '', 50, 'paid')
    .map(({ detail }) => String(detail));
  database.close();
  expect(plan).toEqual([
    expect.stringMatching(/SEARCH pay_payments USING COVERING INDEX pay_payments_state/),
  ]);
});

it('a page of an amount is read from an index, without sorting', async () => {
  const { database, sql } = await openSqlite(':memory:', 'staging/test');
  const plan = database
    .prepare(`EXPLAIN QUERY PLAN ${sql.paymentsOfAmount.sourceSQL}`)
    .all(1, 2, '', 50, 'paid', 4990)
    .map(({ detail }) => String(detail));
  database.close();
  expect(plan).toEqual([
    expect.stringMatching(/SEARCH pay_payments USING COVERING INDEX pay_payments_amount/),
  ]);
});

it('a search reads each kind of name by its index, and looks up the payments that it names', async () => {
  const { database, sql } = await openSqlite(':memory:', 'staging/test');
  const plan = database
    .prepare(`EXPLAIN QUERY PLAN ${sql.foundPayments.sourceSQL}`)
    .all(1, 2, '', 50, '["paid"]', null, '1', '1', '1', '1', '1', '1', '1', '1')
    .map(({ detail }) => String(detail));
  database.close();
  const searched = plan.filter((line) => /\bpay_\w+ USING|\bp USING/.test(line));
  const begun = /SEARCH pay_payments USING COVERING INDEX .* \(order_id>\? AND order_id<\?\)/;
  expect(searched).toEqual([
    ...[begun, begun, begun].map((line) => expect.stringMatching(line)),
    expect.stringMatching(/SEARCH pay_ledger USING INDEX .* \(transaction_id=\?\)/),
    expect.stringMatching(/SEARCH pay_operations USING PRIMARY KEY \(id=\?\)/),
    expect.stringMatching(/SEARCH pay_attempts USING INDEX pay_attempts_session/),
    expect.stringMatching(/SEARCH pay_operations USING INDEX pay_operations_reference/),
    expect.stringMatching(/SEARCH p USING INDEX .* \(order_id=\?\)/),
  ]);
  expect(plan.join('\n')).not.toMatch(/SCAN pay_/);
});

it('figures are read from the index of each span alone', async () => {
  const { database, sql } = await openSqlite(':memory:', 'staging/test');
  const planOf = (statement: { readonly sourceSQL: string }, ...values: (string | number)[]) =>
    database
      .prepare(`EXPLAIN QUERY PLAN ${statement.sourceSQL}`)
      .all(...values)
      .map(({ detail }) => String(detail));
  const moved = planOf(sql.moved, 1, 2);
  const created = planOf(sql.created, 1, 2, 'paid');
  const held = planOf(sql.held, 10);
  database.close();
  expect(moved[0]).toMatch(/SEARCH pay_movements USING INDEX pay_movements_recorded/);
  expect(created).toEqual([
    expect.stringMatching(/SEARCH pay_payments USING COVERING INDEX pay_payments_state/),
  ]);
  expect(held).toContainEqual(
    expect.stringMatching(/SEARCH pay_payments USING INDEX pay_payments_state \(state=\?\)/),
  );
});
