import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ScriptedShop } from '../../../test-support/scripted-shop.ts';
import { scriptedShop } from '../../../test-support/shop-of-test.ts';
import { rowOf, type SimulatedTransaction } from '../../../test-support/simulated-transactions.ts';
import { isMerchantOrderId, transactionId } from '../../ids.ts';

const DAY_MS = 24 * 3_600_000;
const PERIOD = '2026-11';
const operationId = `period/a/${PERIOD}`;

describe('a recurring charge,', () => {
  let play: ScriptedShop;

  beforeEach(async () => {
    play = await scriptedShop();
    await play.payByLink();
  });

  const charge = (amount = '50.00', periodKey = PERIOD) =>
    play.money().chargeRecurring('a', { amount, periodKey });
  const refund = (amount: string, requestId: string, of = operationId) =>
    play.money().refund('a', { amount, requestId, operationId: of });
  const ledgerKinds = async () => (await play.record()).ledger.map(({ kind }) => kind);

  /** The gateway answers a charge so, and names this transaction. */
  function answers(result: 'success' | 'declined' | 'unknown', named?: string | null): void {
    play.gateway.chargeRecurring = async () => ({
      result,
      paymentId: '77',
      declineReason: null,
      ...(named && { transactionId: transactionId(named) }),
    });
  }

  /** A gateway whose answer names the charge's own transaction, and whose status knows it. */
  function namesTransactions(): Map<string, SimulatedTransaction> {
    const { gateway, transactions } = play;
    const charges = new Map<string, SimulatedTransaction>();
    const retrieveStatus = gateway.retrieveStatus.bind(gateway);
    gateway.retrieveStatus = async (id) => {
      const charged = 'transactionId' in id ? charges.get(id.transactionId) : undefined;
      return charged === undefined ? retrieveStatus(id) : { transactions: [rowOf(charged)] };
    };
    const charged = transactions.add(5_000, 'captured');
    charges.set(charged.id, charged);
    answers('success', charged.id);
    return charges;
  }

  it('is made once per period, whatever is asked, and never moves the payment', async () => {
    expect(await charge()).toMatchObject({
      state: 'succeeded',
      kind: 'recurring',
      requestId: PERIOD,
      operationId,
      amount: '50.00',
    });
    expect(await charge()).toMatchObject({ state: 'succeeded' });
    await expect(charge('60.00')).rejects.toMatchObject({ code: 'request_id_reused' });
    expect(await charge('50.00', '2026-12')).toMatchObject({ state: 'succeeded' });
    // No link ever had such a number.
    const numbers = ['a~r-2026-11', 'a~r-2026-12'];
    expect(play.transactions.charges).toEqual(numbers);
    expect(numbers.some(isMerchantOrderId)).toBe(false);
    expect(await play.payment()).toMatchObject({ state: 'paid', capturedMinorUnits: 11_500 });
  });

  it('is described to the customer as the shop says, else by its order and period', async () => {
    const asked = vi.spyOn(play.gateway, 'chargeRecurring');
    const request = { amount: '50.00', periodKey: PERIOD, description: 'Your November box' };
    await play.money().chargeRecurring('a', request);
    await charge('50.00', '2026-12');
    const described = asked.mock.calls.map(([{ order }]) => order.description);
    expect(described).toEqual(['Your November box', 'a 2026-12']);
  });

  it('that is declined is failed, not in the ledger, and its period is not charged again', async () => {
    play.transactions.chargeEnd = 'declined';
    const asked = vi.spyOn(play.gateway, 'chargeRecurring');
    for (let times = 0; times < 2; times += 1) {
      expect(await charge()).toMatchObject({ state: 'failed', reason: 'declined' });
    }
    expect(asked).toHaveBeenCalledOnce();
    expect(await ledgerKinds()).toEqual(['payment']);
  });

  it('whose words disagree stays unknown (I11)', async () => {
    answers('unknown');
    const unclear = { state: 'unknown', reason: 'contradicting_words' };
    expect(await charge()).toMatchObject(unclear);
  });

  it('whose answer is lost stays unknown until a person says that it was made (I15)', async () => {
    play.transactions.mood = 'answer-lost';
    expect(await charge()).toMatchObject({ state: 'unknown' });
    play.transactions.mood = 'well';
    await play.later(3_600_000);
    expect(await charge()).toMatchObject({ state: 'unknown' });
    expect(play.transactions.charges).toEqual(['a~r-2026-11']);
    expect(await ledgerKinds()).toEqual(['payment']);
    const why = 'seen on the dashboard';
    const settled = await play.money().resolveOperation(operationId, 'succeeded', why);
    expect(settled).toMatchObject({ state: 'succeeded', reason: why });
    expect(await ledgerKinds()).toEqual(['payment', 'charge']);
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

  it('is another charge than one whose period differs by case only', async () => {
    await charge('50.00', 'Nov');
    await charge('50.00', 'nov');
    expect(await ledgerKinds()).toEqual(['payment', 'charge', 'charge']);
    await expect(refund('20.00', 'r-1', 'period/a/Nov')).rejects.toThrow('§4.7');
  });

  it('is refunded by its operation, within its own balance, and proven by its own status', async () => {
    const [id] = [...namesTransactions().keys()];
    await charge();
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
    for (const charged of charges.values()) {
      charged.refunds.push({ minorUnits: 700, isSettled: true });
    }
    for (let day = 0; day < 20; day += 1) await play.later(DAY_MS);
    const { ledger, attempts, payment, reviews } = await play.record();
    expect(ledger[1]).toMatchObject({ kind: 'charge', refundedMinorUnits: 700 });
    expect(payment).toMatchObject({ state: 'paid', refundedMinorUnits: 0 });
    expect(reviews).toEqual([]);
    expect(attempts.map(({ nextCheckAt }) => nextCheckAt)).toEqual([null, null]);
  });

  it.each([
    ['its operation when the answer named no transaction', operationId, /§4\.7/],
    ['an unknown operation', 'period/a/2020-01', /./],
    ['an operation that is no charge', 'request/r-9', /./],
  ])('is not refunded by %s', async (_what, of, why) => {
    await charge();
    const message = expect.stringMatching(why) as unknown;
    await expect(refund('20.00', 'r-1', of)).rejects.toMatchObject({
      code: 'wrong_state',
      message,
    });
    expect(play.sent('refund')).toBe(0);
  });

  it('whose named transaction is the first payment’s is a charge without one', async () => {
    answers('success', String((await play.payment()).transactionId).toUpperCase());
    expect(await charge()).toMatchObject({ state: 'succeeded' });
    expect(await ledgerKinds()).toEqual(['payment', 'charge']);
    await expect(refund('20.00', 'r-1')).rejects.toMatchObject({ code: 'wrong_state' });
  });

  it('whose named transaction belongs to another order is recorded all the same', async () => {
    await play.payByLink('b');
    answers('success', (await play.find('b'))?.payment.transactionId);
    expect(await charge()).toMatchObject({ state: 'succeeded' });
    expect(await ledgerKinds()).toEqual(['payment', 'charge']);
  });
});
