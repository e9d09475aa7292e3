import { randomUUID } from 'node:crypto';
import { afterAll, expect, inject, it } from 'vitest';
import { twoProcesses } from '../../../test-support/two-processes.ts';
import { transactionId } from '../../ids.ts';
import type { HintSource } from '../../payments/transaction-hint.ts';
import { openedIn } from '../conformance/orders.ts';

const { database, store, other } = await twoProcesses(inject('databaseUrl'));
afterAll(() => database.end());

const waiting = `SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock'
  AND query LIKE '%pay_transaction_hints AS h%' AND application_name = $1`;

it('changes of one order’s hints by two processes never wait in a circle', async () => {
  const { orderId } = (await openedIn(store)).payment;
  const ids = Array.from({ length: 3 }, () => transactionId(randomUUID())).toSorted();
  const noted = (source: HintSource) => ids.map((id) => ({ transactionId: id, source }));
  await store.changeTransactionHints(orderId, { noted: noted('unsigned') }, 1);
  const pool = database.another();
  const client = await pool.connect();
  await client.query('BEGIN');
  const held = 'UPDATE pay_transaction_hints SET asked_at = 1 WHERE transaction_id = $1';
  await client.query(held, [ids[1]]);
  const changing = Promise.all([
    store.changeTransactionHints(orderId, { noted: noted('signed') }, 2),
    other.changeTransactionHints(orderId, { noted: noted('return').toReversed() }, 3),
  ]);
  while ((await pool.query(waiting, [database.name])).rows.length < 2) continue;
  await client.query('ROLLBACK');
  client.release();
  await changing;
  expect(database.errors).not.toContain('40P01');
  const stored = await store.transactionHints(orderId);
  expect(stored.map(({ source }) => source)).toEqual(['return', 'return', 'return']);
});
