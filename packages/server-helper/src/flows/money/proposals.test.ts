import { beforeEach, describe, expect, it } from 'vitest';
import { refundedBy } from '../../../test-support/attacked-shop.ts';
import { DAY_MS } from '../../../test-support/durations.ts';
import { flowStore } from '../../../test-support/every-store.ts';
import type { ScriptedGateway } from '../../../test-support/scripted-gateway.ts';
import { startShop } from '../../../test-support/shop-of-test.ts';
import { describeEntry } from '../../payments/timeline-text.ts';
import { timelineOf } from '../../payments/timeline.ts';
import { archivePage } from '../store-opening.ts';
import type { Shop } from '../../../test-support/shop.ts';

let shop: Shop;
/** Another process of the shop. */
let second: Shop;
let session: string;
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

/** A shop with a paid order, in two processes. */
async function begin(name = flowStore): Promise<void> {
  shop = await startShop({ payments: { on: { paid: () => undefined } } }, name);
  shop.gateway.takeRefunds();
  session = await shop.receive();
  second = await startShop({ beside: shop });
}

describe('a proposed refund', () => {
  beforeEach(() => begin());

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

// Its rows are those that two processes write at one moment.
describe('a proposed refund on PostgreSQL', () => {
  beforeEach(() => begin('PostgreSQL'));

  it('is sent once when both processes approve it again and again at once', async () => {
    await propose();
    const approvals = Array.from({ length: 6 }, (_, turn) =>
      approve(turn % 2 === 0 ? shop : second, `person ${turn}`),
    );
    const ends = await Promise.all(approvals);
    expect(new Set(ends.map(({ approvedBy }) => approvedBy)).size).toBe(1);
    expect(refunds()).toHaveLength(1);
  });

  it.each([
    ['it is withdrawn', () => withdraw(second), ['failed']],
    [
      'the same money is refunded',
      () => second.payments.refund('1001', { amount: '100.00', requestId: 'r-1' }),
      ['proposed', 'pending'],
    ],
  ] as const)('is sent, or %s, when both are asked for at once', async (_what, other, states) => {
    await propose('100.00');
    const [approved, done] = await Promise.allSettled([approve(), other()]);
    expect([approved.status, done.status].toSorted()).toEqual(['fulfilled', 'rejected']);
    const isSent = approved.status === 'fulfilled' || states.length > 1;
    expect(refunds()).toHaveLength(isSent ? 1 : 0);
    const { operations } = await shop.record();
    const became = approved.status === 'fulfilled' ? ['pending'] : states;
    expect(operations.map(({ state }) => state)).toEqual(became);
  });
});
