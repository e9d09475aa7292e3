import type pg from 'pg';
import { expect, inject, it, onTestFinished } from 'vitest';
import { countedPool } from '../../../test-support/counted-pool.ts';
import { statusRow } from '../../../test-support/scripted-gateway.ts';
import type { Shop } from '../../../test-support/shop.ts';
import { startShop } from '../../../test-support/shop-of-test.ts';
import { postgresStore } from '../../stores/postgres/postgres-store.ts';

/** Two processes of a shop, with a pool each on the same tables. */
async function twoProcesses(): Promise<readonly [Shop, Shop]> {
  const database = await countedPool(inject('databaseUrl'));
  onTestFinished(() => database.end());
  const processOn = (pool: pg.Pool, beside?: Shop): Promise<Shop> =>
    startShop({
      ...(beside && { beside }),
      payments: {
        store: postgresStore({ pool, timeoutMs: 20_000 }),
        loadOrder: (orderId) => ({ orderId, amount: '115.00', customer: { phone: '0501234567' } }),
        limits: false,
      },
    });
  const first = await processOn(database.pool);
  first.gateway.takeRefunds();
  return [first, await processOn(database.another(), first)];
}

/** A paid order with a refund of it that Noura proposed; answers with the transaction. */
async function proposedFor(
  [first, second]: readonly [Shop, Shop],
  orderId: string,
  index: number,
  amount: string,
): Promise<string> {
  const { session } = await first.open(orderId);
  const transactionId = `f2d5b7c0-0000-4000-8000-${String(index).padStart(12, '0')}`;
  first.gateway.rows.set(session, [statusRow({ transactionId })]);
  first.later();
  await second.payments.confirm(orderId);
  const proposal = { amount, requestId: `p-${index}`, by: 'Noura', propose: true };
  expect(await first.payments.refund(orderId, proposal)).toMatchObject({ state: 'proposed' });
  return transactionId;
}

const sentFor = ({ gateway }: Shop, transactionId: string): number =>
  gateway
    .requestsTo('/payment/s2s/refund')
    .filter(({ body }) => JSON.stringify(body).includes(transactionId)).length;

it('a proposal that both processes approve again and again at once is sent once', async () => {
  const processes = await twoProcesses();
  for (let index = 1; index <= 10; index += 1) {
    const transactionId = await proposedFor(processes, `at-once-${index}`, index, '20.00');
    const approvals = Array.from({ length: 6 }, (_, turn) =>
      processes[turn % 2 === 0 ? 0 : 1].payments.approve(`request/p-${index}`, { by: `${turn}` }),
    );
    const ends = await Promise.all(approvals);
    expect(new Set(ends.map(({ approvedBy }) => approvedBy)).size).toBe(1);
    expect(sentFor(processes[0], transactionId)).toBe(1);
  }
}, 120_000);

it('of a proposal and a refund of the same money at once, one is sent', async () => {
  const [first, second] = await twoProcesses();
  for (let index = 101; index <= 110; index += 1) {
    const orderId = `same-money-${index}`;
    const transactionId = await proposedFor([first, second], orderId, index, '100.00');
    const approval = first.payments.approve(`request/p-${index}`, { by: 'Salem' });
    const refund = second.payments.refund(orderId, { amount: '100.00', requestId: `r-${index}` });
    const [approved, refunded] = await Promise.allSettled([approval, refund]);
    expect([approved.status, refunded.status].toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(sentFor(first, transactionId)).toBe(1);
    const states = (await first.payments.explain(orderId))?.operations.map(({ state }) => state);
    expect(states).toEqual(approved.status === 'fulfilled' ? ['pending'] : ['proposed', 'pending']);
  }
}, 120_000);
