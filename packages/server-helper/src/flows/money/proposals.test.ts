import { beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest';
import { refundedBy } from '../../../test-support/attacked-shop.ts';
import { DAY_MS } from '../../../test-support/durations.ts';
import type { ScriptedGateway } from '../../../test-support/scripted-gateway.ts';
import { startShop } from '../../../test-support/shop-of-test.ts';
import { describeEntry } from '../../payments/timeline-text.ts';
import { timelineOf } from '../../payments/timeline.ts';
import { archivePage } from '../store-opening.ts';
import type pg from 'pg';
import { countedPool } from '../../../test-support/counted-pool.ts';
import type { Shop } from '../../../test-support/shop.ts';
import { postgresStore } from '../../stores/postgres/postgres-store.ts';

let shop: Shop;
const id = 'request/p-1';
const refunds = () => shop.gateway.requestsTo('/payment/s2s/refund');
const payment = async () => (await shop.record()).payment;
/** How often it was sent, and its state. */
const sentAs = async () => [refunds().length, (await shop.record()).operations[0]?.state];
const withdraw = ({ payments } = shop) =>
  payments.resolveOperation(id, 'withdrawn', 'a mistake', { by: 'Noura' });

const propose = (amount = '20.00', { payments } = shop) =>
  payments.refund('1001', { amount, requestId: 'p-1', by: 'Noura', propose: true });
const approve = ({ payments } = shop, by = 'Salem') => payments.approve(id, { by });
const refund = (amount: string, requestId: string) =>
  shop.payments.refund('1001', { amount, requestId });

describe('a proposed refund', () => {
  /** Another process of the shop. */
  let second: Shop;
  let session: string;
  beforeEach(async () => {
    shop = await startShop({ payments: { on: { paid: () => undefined } } });
    shop.gateway.takeRefunds();
    session = await shop.receive();
    second = await startShop({ beside: shop });
  });

  it('is not sent before another person approves it, and is sent once then', async () => {
    const proposed = await propose();
    expect(proposed).toMatchObject({
      state: 'proposed',
      requestedBy: 'Noura',
      approvedBy: null,
      sentAt: null,
    });
    await shop.pass(20_000, 2);
    expect(await propose('20.00', second)).toEqual(proposed);
    expect(await refund('20.00', 'p-1')).toEqual(proposed);
    await expect(propose('20.01')).rejects.toMatchObject({ code: 'request_id_reused' });
    await expect(approve(second, ' noura ')).rejects.toMatchObject({ code: 'same_person' });
    expect(await sentAs()).toEqual([0, 'proposed']);

    expect(await approve(second)).toMatchObject({
      state: 'pending',
      requestedBy: 'Noura',
      approvedBy: 'Salem',
      createdAt: proposed.createdAt,
      sentAt: expect.any(String) as unknown,
    });
    shop.shows(session, refundedBy('20.00'));
    await shop.pass(20_000, 2);
    expect(await approve(shop, 'Huda')).toMatchObject({ state: 'succeeded', approvedBy: 'Salem' });
    expect(await payment()).toMatchObject({ refundedMinorUnits: 2_000 });
    expect(refunds()).toHaveLength(1);
  });

  it('keeps its payment out of the archive', async () => {
    await propose();
    await shop.pass(40 * DAY_MS, 4);
    const page = { after: null, before: Number.MAX_SAFE_INTEGER, limit: 10 };
    expect(await archivePage(shop.store, page)).toMatchObject({ archived: 0 });
    await withdraw();
    expect(await archivePage(shop.store, page)).toMatchObject({ archived: 1 });
  });

  it('does not ask the gateway, which is asked at its approval: it may have refunded the money since', async () => {
    shop.later(60_000);
    await propose('100.00');
    expect(shop.gateway.statusCalls).toHaveLength(1);
    shop.shows(session, refundedBy('20.00'));
    await expect(approve()).rejects.toMatchObject({ code: 'amount_too_large' });
    expect(await payment()).toMatchObject({ refundedMinorUnits: 2_000 });
    expect(await sentAs()).toEqual([0, 'proposed']);
  });

  it('is withdrawn by anyone, and never sent after that', async () => {
    await propose();
    const { payments } = shop;
    for (const outcome of ['succeeded', 'failed'] as const) {
      const refused = { code: 'invalid_operation', field: 'outcome' };
      await expect(payments.resolveOperation(id, outcome, 'done')).rejects.toMatchObject(refused);
    }
    const withdrawn = await withdraw();
    expect(withdrawn).toMatchObject({ state: 'failed', resolvedBy: 'Noura', sentAt: null });
    await expect(approve()).rejects.toMatchObject({ code: 'wrong_state' });
    expect(await refund('20.00', 'p-1')).toEqual(withdrawn);
    expect(await payments.resolveOperation(id, 'withdrawn', 'again')).toEqual(withdrawn);
    const failed = payments.resolveOperation(id, 'failed', 'again');
    await expect(failed).rejects.toMatchObject({ code: 'operation_resolved' });
    expect(refunds()).toEqual([]);
    const { log } = await shop.store.history('1001');
    const told = timelineOf(log).filter(({ kind }) => kind === 'operation');
    expect(told.map((entry) => describeEntry(entry))).toEqual([
      'The refund request/p-1 of 20.00 SAR waits for the approval of another person, asked for by Noura.',
      'The refund request/p-1 of 20.00 SAR was withdrawn before it was sent (a mistake, by Noura).',
    ]);
  });

  it.each<[string, Parameters<ScriptedGateway['answer']>[0]]>([
    ['taken on', {}],
    ['lost', { '/refund': 'hang up' }],
    ['refused', { '/refund': [400, {}] }],
  ])('that was approved is not withdrawn any more, whatever its answer: %s', async (_, answers) => {
    await propose();
    if ('/refund' in answers) shop.gateway.answer(answers);
    const { state } = await approve();
    await expect(withdraw(second)).rejects.toMatchObject({ code: 'operation_resolved' });
    expect((await sentAs())[1]).toBe(state);
  });

  it('is either withdrawn or sent when both are asked for at once', async () => {
    await propose();
    const [approval, withdrawn] = await Promise.allSettled([approve(), withdraw(second)]);
    expect([approval.status, withdrawn.status].toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(refunds()).toHaveLength(approval.status === 'fulfilled' ? 1 : 0);
  });

  it.each([
    ['nobody', { by: undefined }],
    ['a blank name', { by: ' ' }],
    ['a call without options', undefined],
  ])('is not approved by %s', async (_what, options) => {
    await propose();
    const approval = shop.payments.approve(id, options as { by: string });
    await expect(approval).rejects.toMatchObject({ code: 'invalid_operation', field: 'by' });
    expect(refunds()).toEqual([]);
  });
});

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
  first.shows(session, { transactionId });
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
    const refunding = second.payments.refund(orderId, {
      amount: '100.00',
      requestId: `r-${index}`,
    });
    const [approved, refunded] = await Promise.allSettled([approval, refunding]);
    expect([approved.status, refunded.status].toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(sentFor(first, transactionId)).toBe(1);
    const states = (await first.payments.explain(orderId))?.operations.map(({ state }) => state);
    expect(states).toEqual(approved.status === 'fulfilled' ? ['pending'] : ['proposed', 'pending']);
  }
}, 120_000);
