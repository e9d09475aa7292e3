import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { flowStores } from '../../../test-support/every-store.ts';
import { ScriptedShop } from '../../../test-support/scripted-shop.ts';
import { rowOf, type SimulatedTransaction } from '../../../test-support/simulated-transactions.ts';
import { isMerchantOrderId, transactionId } from '../../ids.ts';
import { explanationOf } from '../list-payments.ts';

const PERIOD = '2026-11';
const operationId = `period/a/${PERIOD}`;

describe.each(flowStores)('a recurring charge, in %s,', (name) => {
  let play: ScriptedShop;
  const numbers: string[] = [];

  beforeEach(async () => {
    play = await ScriptedShop.open(name);
    numbers.length = 0;
    await play.payByLink();
  });
  afterEach(() => play.end());

  const charge = (amount = '50.00', periodKey = PERIOD) =>
    play.money().chargeRecurring('a', { amount, periodKey });
  const refund = (amount: string, requestId: string, of = operationId) =>
    play.money().refund('a', { amount, requestId, operationId: of });
  const explain = async () => explanationOf(await play.record(), await play.history('a'));

  /** A gateway whose answer names the charge's own transaction, and whose status knows it. */
  function namesTransactions(): Map<string, SimulatedTransaction> {
    const { gateway, transactions } = play;
    const charges = new Map<string, SimulatedTransaction>();
    const retrieveStatus = gateway.retrieveStatus.bind(gateway);
    gateway.retrieveStatus = async (id) => {
      const charged = 'transactionId' in id ? charges.get(id.transactionId) : undefined;
      return charged === undefined ? retrieveStatus(id) : { transactions: [rowOf(charged)] };
    };
    gateway.chargeRecurring = async ({ order }) => {
      numbers.push(order.number);
      const charged = transactions.add(5_000, 'captured');
      charges.set(charged.id, charged);
      return {
        result: 'success',
        paymentId: '77',
        declineReason: null,
        transactionId: transactionId(charged.id),
      };
    };
    return charges;
  }

  it('is sent under a number that no link ever had', async () => {
    namesTransactions();
    await charge('50.00', '1');
    await charge('50.00', '2026-11');
    expect(numbers).toEqual(['a~r-1', 'a~r-2026-11']);
    expect(numbers.some(isMerchantOrderId)).toBe(false);
  });

  it('that the gateway calls failed later is for a person, and leaves the order paid', async () => {
    const charges = namesTransactions();
    await charge();
    const [charged] = charges.values();
    if (charged === undefined) throw new Error('no charge');
    charged.state = 'declined';
    await play.later();
    await play.later(3_600_000);
    expect(await play.record()).toMatchObject({
      payment: { state: 'paid' },
      reviews: [{ reason: 'payment_contradiction', subject: charged.id, resolvedAt: null }],
    });
    expect(play.events('review')).toHaveLength(1);
  });

  it('is in the ledger beside the payment, and moves nothing of it', async () => {
    await charge();
    const { ledger, payment } = await play.record();
    expect(ledger).toMatchObject([
      { kind: 'payment' },
      { kind: 'charge', amount: { minorUnits: 5_000 }, refundedMinorUnits: 0 },
    ]);
    expect(payment).toMatchObject({ state: 'paid', capturedMinorUnits: 11_500 });
    const { transactions, timeline } = await explain();
    expect(transactions).toMatchObject([{ kind: 'payment' }, { kind: 'charge' }]);
    expect(timeline).toContainEqual(expect.objectContaining({ verdict: 'charge' }));
  });

  it('is in the ledger when a person found out that it was made', async () => {
    play.transactions.mood = 'answer-lost';
    expect(await charge()).toMatchObject({ state: 'unknown' });
    expect((await play.record()).ledger).toHaveLength(1);
    play.transactions.mood = 'well';
    await play.money().resolveOperation(operationId, 'succeeded', 'on the dashboard');
    expect((await play.record()).ledger).toMatchObject([{ kind: 'payment' }, { kind: 'charge' }]);
  });

  it('is another charge than one whose period differs by case only', async () => {
    await charge('50.00', 'Nov');
    await charge('50.00', 'nov');
    const { ledger } = await play.record();
    expect(ledger.map(({ kind }) => kind)).toEqual(['payment', 'charge', 'charge']);
    await expect(refund('20.00', 'r-1', 'period/a/Nov')).rejects.toThrow('§4.7');
  });

  it('that is declined is not in the ledger', async () => {
    play.transactions.chargeEnd = 'declined';
    expect(await charge()).toMatchObject({ state: 'failed' });
    expect((await play.record()).ledger).toHaveLength(1);
  });

  it('is refunded by its operation, within its own balance, and proven by its own status', async () => {
    const charges = namesTransactions();
    await charge();
    const [id] = [...charges.keys()];
    await play.later(6_000);
    await expect(refund('50.01', 'r-0')).rejects.toMatchObject({ code: 'amount_too_large' });
    expect(await refund('20.00', 'r-1')).toMatchObject({ state: 'pending', transactionId: id });
    expect(await refund('20.00', 'r-1')).toMatchObject({ operationId: 'request/r-1' });
    await expect(refund('30.01', 'r-2')).rejects.toMatchObject({ code: 'amount_too_large' });
    expect(play.transactions.posts).toMatchObject([{ operation: 'refund', transactionId: id }]);
    await play.later();
    const { ledger, operations, payment } = await play.record();
    expect(operations).toMatchObject([
      { kind: 'recurring', state: 'succeeded' },
      { kind: 'refund', state: 'succeeded', reason: 'evidence' },
    ]);
    expect(ledger[1]).toMatchObject({ kind: 'charge', refundedMinorUnits: 2_000 });
    expect(payment).toMatchObject({ state: 'paid', refundedMinorUnits: 0 });
    // The payment's own balance is whole.
    const whole = { amount: '115.00', requestId: 'r-3' };
    expect(await play.money().refund('a', whole)).toMatchObject({ state: 'pending' });
  });

  it('is watched like a payment: a refund made elsewhere is noticed, and the watch ends', async () => {
    const charges = namesTransactions();
    await charge();
    await play.later();
    for (const charged of charges.values())
      charged.refunds.push({ minorUnits: 700, isSettled: true });
    for (let day = 0; day < 20; day += 1) await play.later(24 * 3_600_000);
    const { ledger, attempts, payment, reviews } = await play.record();
    expect(ledger[1]).toMatchObject({ kind: 'charge', refundedMinorUnits: 700 });
    expect(payment).toMatchObject({ state: 'paid', refundedMinorUnits: 0 });
    expect(reviews).toEqual([]);
    expect(attempts.map(({ nextCheckAt }) => nextCheckAt)).toEqual([null, null]);
  });

  it('is not refunded when the answer named no transaction, and the refusal says why', async () => {
    await charge();
    const refused = await refund('20.00', 'r-1').catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'wrong_state' });
    expect(String(refused)).toContain('§4.7');
    expect(play.sent('refund')).toBe(0);
  });

  it.each([
    ['an unknown operation', 'period/a/2020-01'],
    ['an operation that is no charge', 'request/r-9'],
  ])('is not refunded by %s', async (_what, of) => {
    await charge();
    await expect(refund('20.00', 'r-1', of)).rejects.toMatchObject({ code: 'wrong_state' });
  });

  it('names its transaction in one way only', async () => {
    const both = { operationId, transactionId: 'id-1', amount: '1.00', requestId: 'r-1' };
    await expect(play.money().refund('a', both)).rejects.toMatchObject({
      code: 'invalid_operation',
      field: 'operationId',
    });
  });

  it('is at most the order’s amount', async () => {
    await expect(charge('115.01')).rejects.toMatchObject({ code: 'amount_too_large' });
    expect(play.sent('chargeRecurring')).toBe(0);
    expect(await charge('115.00')).toMatchObject({ state: 'succeeded' });
  });

  it('whose named transaction is the first payment’s is a charge without one', async () => {
    const own = (await play.payment()).transactionId;
    play.gateway.chargeRecurring = async () => ({
      result: 'success',
      paymentId: '77',
      declineReason: null,
      transactionId: transactionId(String(own).toUpperCase()),
    });
    expect(await charge()).toMatchObject({ state: 'succeeded' });
    expect((await play.record()).ledger).toMatchObject([{ kind: 'payment' }, { kind: 'charge' }]);
    await expect(refund('20.00', 'r-1')).rejects.toMatchObject({ code: 'wrong_state' });
  });

  it('whose named transaction belongs to another order is recorded all the same', async () => {
    await play.steps(
      { kind: 'want-to-pay', orderId: 'b' },
      { kind: 'pay', orderId: 'b', pick: 0, isApproved: true },
      { kind: 'confirm', orderId: 'b' },
    );
    const others = (await play.find('b'))?.payment.transactionId;
    play.gateway.chargeRecurring = async () => ({
      result: 'success',
      paymentId: '77',
      declineReason: null,
      transactionId: transactionId(others ?? ''),
    });
    expect(await charge()).toMatchObject({ state: 'succeeded' });
    expect((await play.record()).ledger).toMatchObject([{ kind: 'payment' }, { kind: 'charge' }]);
  });
});
