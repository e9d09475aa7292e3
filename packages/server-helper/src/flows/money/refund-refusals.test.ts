import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { flowStores } from '../../../test-support/every-store.ts';
import { ScriptedShop, type Step } from '../../../test-support/scripted-shop.ts';

const orderId = 'a';
let simulation: ScriptedShop;

async function play(...steps: readonly Step[]): Promise<void> {
  await simulation.steps(...steps);
}

const wait = (milliseconds: number): Step => ({ kind: 'wait', milliseconds });
const tick: Step = { kind: 'tick' };
const payment = async () => (await simulation.find(orderId))?.payment;
const operations = async () => (await simulation.find(orderId))?.operations;
const refund = (amount: string, requestId: string) =>
  simulation.money().refund(orderId, { amount, requestId });
const posts = () => simulation.transactions.posts.length;

/** Each test begins with a paid order in a store of its own. */
function paidOn(name: (typeof flowStores)[number]): void {
  beforeEach(async () => {
    simulation = await ScriptedShop.open(name);
    const approve: Step = { kind: 'pay', orderId, pick: 0, isApproved: true };
    await play({ kind: 'want-to-pay', orderId }, approve, { kind: 'confirm', orderId });
  });
  afterEach(() => simulation.end());
}

describe('a refund', () => {
  paidOn('memory');

  it.each(['0.00', '20', '20.000', '-1.00', '', undefined, 20])(
    'of %s is refused before anything is sent',
    async (amount) => {
      await expect(refund(amount as string, 'r-1')).rejects.toMatchObject({
        code: 'invalid_operation',
        field: 'amount',
      });
    },
  );

  it.each(['', ' ', 'r 1', 'x'.repeat(101), undefined, 7])(
    'under the key %s is refused before anything is sent',
    async (key) => {
      await expect(refund('20.00', key as string)).rejects.toMatchObject({
        code: 'invalid_operation',
        field: 'requestId',
      });
    },
  );

  it('that is unknown is settled by its person only where there is one', async () => {
    const money = simulation.money();
    await expect(money.resolveOperation('request/none', 'succeeded', 'seen')).rejects.toMatchObject(
      {
        code: 'not_found_in_store',
      },
    );
    await expect(money.resolveOperation('request/none', 'succeeded', ' ')).rejects.toMatchObject({
      code: 'invalid_operation',
      field: 'why',
    });
  });
});

describe.each(flowStores)('a refund of what is kept in %s', (name) => {
  paidOn(name);

  it('is refused for an order that is not paid, or not there', async () => {
    await play({ kind: 'want-to-pay', orderId: 'b' });
    const money = simulation.money();
    await expect(money.refund('b', { amount: '1.00', requestId: 'r-1' })).rejects.toMatchObject({
      code: 'wrong_state',
    });
    await expect(money.refund('c', { amount: '1.00', requestId: 'r-1' })).rejects.toMatchObject({
      code: 'order_not_found',
    });
    const foreign = { amount: '1.00', requestId: 'r-1', transactionId: randomUUID() };
    await expect(money.refund('a', foreign)).rejects.toMatchObject({ code: 'wrong_state' });
    expect(posts()).toBe(0);
  });

  it('made elsewhere is not taken for one whose answer was lost', async () => {
    const { transactions } = simulation.gateway;
    const transaction = transactions.get((await payment())?.transactionId ?? '');
    transaction?.refunds.push({ minorUnits: 2_000, isSettled: true });
    transactions.mood = 'request-lost';
    await play(wait(6_000));
    await refund('20.00', 'r-1');
    await play(wait(20_000), tick);
    expect(await payment()).toMatchObject({ refundedMinorUnits: 2_000 });
    expect(await operations()).toMatchObject([{ state: 'unknown' }]);
  });

  it('asks about the link that was paid before it is sent, and not about another', async () => {
    const price = (amount: string): Step => ({ kind: 'reprice', orderId: 'b', amount });
    const own = { orderId: 'b' } as const;
    await play({ kind: 'want-to-pay', ...own }, price('99.50'), { kind: 'want-to-pay', ...own });
    await play({ kind: 'pay', ...own, pick: 1, isApproved: true }, wait(6_000));
    await play({ kind: 'confirm', ...own }, wait(6_000));
    const record = await simulation.find('b');
    const paid = simulation.transactions.get(record?.payment.transactionId ?? '');
    paid?.refunds.push({ minorUnits: 9_000, isSettled: true });
    const refused = simulation.money().refund('b', { amount: '20.00', requestId: 'r-1' });
    await expect(refused).rejects.toMatchObject({ code: 'amount_too_large' });
    expect(posts()).toBe(0);
  });

  it('that was taken on and never shows is unknown after two days, for a person', async () => {
    simulation.transactions.settlesRefundsAtOnce = false;
    await refund('20.00', 'r-1');
    for (let hour = 0; hour < 50; hour += 1) await play(wait(3_600_000), tick);
    expect(await operations()).toMatchObject([{ state: 'unknown', reason: 'no_evidence' }]);
    simulation.transactions.settleRefunds();
    await play(wait(24 * 3_600_000), tick, wait(24 * 3_600_000), tick);
    expect(await operations()).toMatchObject([{ state: 'succeeded', reason: 'evidence' }]);
    expect(posts()).toBe(1);
  });
});
