import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { everyStore } from '../../../test-support/every-store.ts';
import { ScriptedShop, type Step } from '../../../test-support/scripted-shop.ts';

const orderId = 'a';
let simulation: ScriptedShop;

async function play(...steps: readonly Step[]): Promise<void> {
  await simulation.steps(...steps);
}

/** Makes the order paid, through its only link. */
async function pay(): Promise<void> {
  const approve: Step = { kind: 'pay', orderId, pick: 0, isApproved: true };
  await play({ kind: 'want-to-pay', orderId }, approve, { kind: 'confirm', orderId });
}

const wait = (milliseconds: number): Step => ({ kind: 'wait', milliseconds });
const tick: Step = { kind: 'tick' };
const payment = async () => (await simulation.find(orderId))?.payment;
const operations = async () => (await simulation.find(orderId))?.operations;
const refund = (amount: string, requestId: string, process: 0 | 1 = 0) =>
  simulation.money(process).refund(orderId, { amount, requestId });
const posts = () => simulation.transactions.posts.length;

describe.each(everyStore)('a refund (%s store)', (name) => {
  beforeEach(async () => {
    simulation = await ScriptedShop.open(name);
    await pay();
  });
  afterEach(() => simulation.end());

  it('is pending until the gateway’s status shows it, and refunds the payment then', async () => {
    const asked = await refund('20.00', 'r-1');
    expect(asked).toMatchObject({
      state: 'pending',
      kind: 'refund',
      amount: '20.00',
      currency: 'SAR',
      reference: 'refund-1',
      transactionId: (await payment())?.transactionId,
    });
    expect((await payment())?.state).toBe('paid');
    await play(wait(20_000), tick, tick);
    expect(await payment()).toMatchObject({
      state: 'partially_refunded',
      refundedMinorUnits: 2_000,
    });
    expect(await operations()).toMatchObject([{ state: 'succeeded', reason: 'evidence' }]);
    expect(simulation.events('refunded')).toMatchObject([{ type: 'refunded', refunded: '20.00' }]);
    await refund('95.00', 'r-2');
    await play(wait(20_000), tick);
    expect((await payment())?.state).toBe('refunded');
    // No operation is left to ask about; the payment is, an hour after the money came.
    const record = await simulation.find(orderId);
    const inAnHour = (record?.ledger[0]?.recordedAt ?? 0) + 3_600_000;
    expect(record?.attempts[0]?.nextCheckAt).toBe(inAnHour);
  });

  it('asked for again with its key is answered, not sent, by any process', async () => {
    const [first, second, third] = [
      await refund('20.00', 'r-1'),
      await refund('20.00', 'r-1', 1),
      await refund('20.00', 'r-1'),
    ];
    expect(second).toEqual(first);
    expect(third).toEqual(first);
    expect(posts()).toBe(1);
  });

  it('asked for ten times at once is sent once', async () => {
    const calls = Array.from({ length: 10 }, (_, index) =>
      refund('20.00', 'r-1', index % 2 === 0 ? 0 : 1),
    );
    const states = (await Promise.all(calls)).map(({ operationId }) => operationId);
    expect(new Set(states)).toEqual(new Set(['request/r-1']));
    expect(posts()).toBe(1);
  });

  it('of another amount, or of another order, is refused under a key that was used', async () => {
    await refund('20.00', 'r-1');
    await expect(refund('21.00', 'r-1')).rejects.toMatchObject({ code: 'request_id_reused' });
    const other = 'b';
    await play({ kind: 'want-to-pay', orderId: other });
    await play({ kind: 'pay', orderId: other, pick: 0, isApproved: true });
    await play({ kind: 'confirm', orderId: other });
    const again = simulation.money().refund(other, { amount: '20.00', requestId: 'r-1' });
    await expect(again).rejects.toMatchObject({ code: 'request_id_reused' });
    expect(posts()).toBe(1);
  });

  it('is never more than what is left, counting what is pending or unknown', async () => {
    simulation.transactions.settlesRefundsAtOnce = false;
    await refund('50.00', 'r-1');
    simulation.transactions.mood = 'answer-lost';
    expect(await refund('40.00', 'r-2')).toMatchObject({ state: 'unknown' });
    simulation.transactions.mood = 'well';
    await expect(refund('25.01', 'r-3')).rejects.toMatchObject({ code: 'amount_too_large' });
    expect(await refund('25.00', 'r-4')).toMatchObject({ state: 'pending' });
    expect(posts()).toBe(3);
  });

  it('whose answer was lost is done when the total proves it, and never sent again', async () => {
    simulation.transactions.mood = 'answer-lost';
    expect(await refund('20.00', 'r-1')).toMatchObject({
      state: 'unknown',
      reason: 'connection_lost',
    });
    expect((await simulation.find(orderId))?.reviews).toMatchObject([
      { reason: 'unknown_outcome', subject: 'request/r-1', resolvedAt: null },
    ]);
    simulation.transactions.mood = 'well';
    await play(wait(20_000), tick);
    expect(await refund('20.00', 'r-1')).toMatchObject({ state: 'succeeded', reason: 'evidence' });
    expect((await simulation.find(orderId))?.reviews).toMatchObject([{ resolution: 'evidence' }]);
    expect(posts()).toBe(1);
  });

  it('that never reached the gateway stays unknown until a person settles it', async () => {
    simulation.transactions.mood = 'request-lost';
    const { operationId } = await refund('115.00', 'r-1');
    simulation.transactions.mood = 'well';
    await play(wait(20_000), tick, wait(3_600_000), tick);
    expect(await operations()).toMatchObject([{ state: 'unknown' }]);
    await expect(refund('1.00', 'r-2')).rejects.toMatchObject({ code: 'amount_too_large' });
    const money = simulation.money();
    expect(
      await money.resolveOperation(operationId, 'failed', 'not on the dashboard'),
    ).toMatchObject({
      state: 'failed',
      reason: 'not on the dashboard',
    });
    await expect(
      money.resolveOperation(operationId, 'succeeded', 'changed my mind'),
    ).rejects.toMatchObject({
      code: 'operation_resolved',
    });
    expect(await refund('1.00', 'r-2')).toMatchObject({ state: 'pending' });
    expect(posts()).toBe(2);
  });

  it('that the gateway refuses is failed, and leaves the balance whole', async () => {
    simulation.transactions.mood = 'refused';
    expect(await refund('115.00', 'r-1')).toMatchObject({
      state: 'failed',
      reason: 'invalid_request',
    });
    simulation.transactions.mood = 'well';
    expect(await refund('115.00', 'r-2')).toMatchObject({ state: 'pending' });
  });

  it('is sent although the answer of its commit was lost, once', async () => {
    await play({ kind: 'store-fault', fault: 'fail-after-commit' });
    expect(await refund('20.00', 'r-1')).toMatchObject({ state: 'pending' });
    expect(posts()).toBe(1);
  });

  it('is not sent when its commit failed', async () => {
    await play({ kind: 'store-fault', fault: 'fail-before' });
    await expect(refund('20.00', 'r-1')).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(posts()).toBe(0);
    expect(await refund('20.00', 'r-1')).toMatchObject({ state: 'pending' });
  });

  it('left by a process that died is unknown for the next, and not sent again', async () => {
    await play(wait(6_000));
    const record = await simulation.find(orderId);
    simulation.transactions.refund = () => new Promise(() => undefined);
    void refund('20.00', 'r-1');
    await simulation.quiet();
    Reflect.deleteProperty(simulation.transactions, 'refund');
    expect(await refund('20.00', 'r-1', 1)).toMatchObject({ state: 'sending' });
    await expect(refund('20.00', 'r-2', 1)).rejects.toMatchObject({
      code: 'operation_in_progress',
    });
    await play({ kind: 'restart' }, wait(61_000), tick);
    expect(await refund('20.00', 'r-1')).toMatchObject({ state: 'unknown', reason: 'interrupted' });
    expect(posts()).toBe(0);
    expect(record?.operations).toEqual([]);
  });
});
