import { afterAll, expect, inject, it } from 'vitest';
import { twoProcesses } from '../../../test-support/two-processes.ts';
import type { Change } from '../../payments/payment-record.ts';
import { checkAt, openOrder } from '../conformance/orders.ts';
import { commitTogether, type Connection } from './commit.ts';
import { beginStatusChecks } from './checks.ts';
import { inPostgresTransaction } from './postgres-transaction.ts';

const { database } = await twoProcesses(inject('databaseUrl'));
afterAll(() => database.end());

/** Whether a transaction waits for the disk after some work. */
async function waits(work: (connection: Connection) => Promise<unknown>): Promise<boolean> {
  return inPostgresTransaction(database.pool, async (tx) => {
    await work(tx);
    const { rows } = await tx.query('SHOW synchronous_commit');
    return rows[0]?.['synchronous_commit'] === 'on';
  });
}

const committing = (...changes: readonly Change[]): Promise<boolean> =>
  waits((connection) => commitTogether(connection, changes));

it('a link that is reserved is not waited for, and one that is opened is', async () => {
  const [alone, first, second, third] = [openOrder(), openOrder(), openOrder(), openOrder()];
  expect(await committing(alone.reserved)).toBe(false);
  expect(await committing(first.reserved, second.reserved)).toBe(false);
  expect(await committing(alone.opened)).toBe(true);
  expect(await committing(first.opened, third.reserved)).toBe(true);
});

it('a look that begins is not waited for', async () => {
  const orders = [openOrder(), openOrder(), openOrder()];
  for (const kind of ['reserved', 'opened'] as const) {
    await committing(...orders.map((order) => order[kind]));
  }
  const [alone, ...others] = orders.map(({ opened }) => checkAt(opened.payment.orderId));
  for (const checks of [alone === undefined ? [] : [alone], others]) {
    expect(await waits((connection) => beginStatusChecks(connection, checks, false))).toBe(false);
  }
});
