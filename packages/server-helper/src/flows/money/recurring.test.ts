import { beforeEach, describe, expect, it } from 'vitest';
import { failed, ONE as CHARGE, OTHER, refundedBy } from '../../../test-support/attacked-shop.ts';
import { DAY_MS, HOUR_MS } from '../../../test-support/durations.ts';
import { sendJson } from '../../../test-support/scripted-gateway.ts';
import { startShop } from '../../../test-support/shop-of-test.ts';
import type { Shop } from '../../../test-support/shop.ts';
import { isMerchantOrderId } from '../../ids.ts';

const PERIOD = '2026-11';
const operationId = `period/1001/${PERIOD}`;

describe('a recurring charge,', () => {
  let shop: Shop;

  beforeEach(async () => {
    shop = await startShop();
    shop.gateway.takeRefunds();
    answers();
    await shop.receive({ recurringToken: 'token-of-the-first-payment' });
  });

  const charge = (amount = '50.00', periodKey = PERIOD, description?: string) =>
    shop.payments.chargeRecurring('1001', { amount, periodKey, description });
  const refund = (amount: string, requestId: string, of = operationId) =>
    shop.payments.refund('1001', { amount, requestId, operationId: of });
  const ledgerKinds = async () => (await shop.record()).ledger.map(({ kind }) => kind);
  const refunds = () => shop.gateway.requestsTo('/payment/s2s/refund').map(({ body }) => body);
  const charged = () =>
    shop.gateway
      .requestsTo('/payment/checkout/recurring')
      .map(({ body }) => (body as { order: Record<'number' | 'description', string> }).order);

  /** The gateway answers a charge so. */
  function answers(words: object = {}): void {
    const responseBody = { result: 'SUCCESS', status: 'SUCCESS', payment_id: '77', ...words };
    shop.gateway.answerAt('/recurring', (_request, response) =>
      sendJson(response, 200, { statusCode: 200, responseBody }),
    );
  }

  /** The gateway’s status knows the charge’s own transaction so. */
  const shows = (row: object = {}) =>
    shop.shows(CHARGE, { transactionId: CHARGE, amount: '50.00', ...row });

  /** A charge whose answer names its own transaction. */
  async function chargeNamed(): Promise<void> {
    answers({ transactionId: CHARGE });
    shows();
    await charge();
    await shop.pass();
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
    const numbers = ['1001~r-2026-11', '1001~r-2026-12'];
    expect(charged().map(({ number }) => number)).toEqual(numbers);
    expect(numbers.some(isMerchantOrderId)).toBe(false);
    const { payment } = await shop.record();
    expect(payment).toMatchObject({ state: 'paid', capturedMinorUnits: 11_500 });
  });

  it('is described to the customer as the shop says, else by its order and period', async () => {
    await charge('50.00', PERIOD, 'Your November box');
    await charge('50.00', '2026-12');
    const described = charged().map(({ description }) => description);
    expect(described).toEqual(['Your November box', '1001 2026-12']);
  });

  it('that is declined is failed, not in the ledger, and its period is not charged again', async () => {
    answers({ result: 'DECLINED', status: 'DECLINED' });
    for (let times = 0; times < 2; times += 1) {
      expect(await charge()).toMatchObject({ state: 'failed', reason: 'declined' });
    }
    expect(charged()).toHaveLength(1);
    expect(await ledgerKinds()).toEqual(['payment']);
  });

  it('whose words disagree stays unknown (I11)', async () => {
    answers({ status: 'DECLINED' });
    const unclear = { state: 'unknown', reason: 'contradicting_words' };
    expect(await charge()).toMatchObject(unclear);
  });

  it('whose answer is lost stays unknown until a person says that it was made (I15)', async () => {
    shop.gateway.answer({ '/recurring': 'hang up' });
    expect(await charge()).toMatchObject({ state: 'unknown' });
    await shop.pass(HOUR_MS, 2);
    expect(await charge()).toMatchObject({ state: 'unknown' });
    expect(charged()).toHaveLength(1);
    expect(await ledgerKinds()).toEqual(['payment']);
    const why = 'seen on the dashboard';
    const settled = await shop.payments.resolveOperation(operationId, 'succeeded', why);
    expect(settled).toMatchObject({ state: 'succeeded', reason: why });
    expect(await ledgerKinds()).toEqual(['payment', 'charge']);
  });

  it('that the gateway calls failed later is for a person, and leaves the order paid', async () => {
    await chargeNamed();
    shows(failed);
    await shop.pass(HOUR_MS, 4);
    expect(await shop.record()).toMatchObject({
      payment: { state: 'paid' },
      reviews: [{ reason: 'payment_contradiction', subject: CHARGE, resolvedAt: null }],
    });
    const { events } = await shop.store.history('1001');
    expect(events.filter(({ event }) => event.type === 'review')).toHaveLength(1);
  });

  it('is another charge than one whose period differs by case only', async () => {
    await charge('50.00', 'Nov');
    await charge('50.00', 'nov');
    expect(await ledgerKinds()).toEqual(['payment', 'charge', 'charge']);
    await expect(refund('20.00', 'r-1', 'period/1001/Nov')).rejects.toThrow('§4.7');
  });

  it('is refunded by its operation, within its own balance, and proven by its own status', async () => {
    await chargeNamed();
    await expect(refund('50.01', 'r-0')).rejects.toMatchObject({ code: 'amount_too_large' });
    expect(await refund('20.00', 'r-1')).toMatchObject({ state: 'pending', transactionId: CHARGE });
    expect(await refund('20.00', 'r-1')).toMatchObject({ operationId: 'request/r-1' });
    await expect(refund('30.01', 'r-2')).rejects.toMatchObject({ code: 'amount_too_large' });
    expect(refunds()).toMatchObject([{ transactionId: CHARGE }]);
    shows(refundedBy('20.00'));
    await shop.pass(20_000, 2);
    const { ledger, operations, payment } = await shop.record();
    expect(operations).toMatchObject([
      { kind: 'recurring', state: 'succeeded' },
      { kind: 'refund', state: 'succeeded', reason: 'evidence' },
    ]);
    expect(ledger[1]).toMatchObject({ kind: 'charge', refundedMinorUnits: 2_000 });
    expect(payment).toMatchObject({ state: 'paid', refundedMinorUnits: 0 });
    // The payment's own balance is whole.
    const whole = { amount: '115.00', requestId: 'r-3' };
    expect(await shop.payments.refund('1001', whole)).toMatchObject({ state: 'pending' });
  });

  it('is watched like a payment: a refund made elsewhere is noticed, and the watch ends', async () => {
    await chargeNamed();
    shows(refundedBy('7.00'));
    await shop.pass(20 * DAY_MS, 40);
    const { ledger, attempts, payment, reviews } = await shop.record();
    expect(ledger[1]).toMatchObject({ kind: 'charge', refundedMinorUnits: 700 });
    expect(payment).toMatchObject({ state: 'paid', refundedMinorUnits: 0 });
    expect(reviews).toEqual([]);
    expect(attempts.map(({ nextCheckAt }) => nextCheckAt)).toEqual([null, null]);
  });

  it.each([
    ['its operation when the answer named no transaction', operationId, /§4\.7/],
    ['an unknown operation', 'period/1001/2020-01', /./],
    ['an operation that is no charge', 'request/r-9', /./],
  ])('is not refunded by %s', async (_what, of, why) => {
    await charge();
    const message = expect.stringMatching(why) as unknown;
    await expect(refund('20.00', 'r-1', of)).rejects.toMatchObject({
      code: 'wrong_state',
      message,
    });
    expect(refunds()).toEqual([]);
  });

  it('whose named transaction is the first payment’s is a charge without one', async () => {
    const { payment } = await shop.record();
    answers({ transactionId: payment.transactionId?.toUpperCase() });
    expect(await charge()).toMatchObject({ state: 'succeeded' });
    expect(await ledgerKinds()).toEqual(['payment', 'charge']);
    await expect(refund('20.00', 'r-1')).rejects.toMatchObject({ code: 'wrong_state' });
  });

  it('whose named transaction belongs to another order is recorded all the same', async () => {
    await shop.receive({ transactionId: OTHER, amount: '1.00' }, 'a@b+c:d');
    answers({ transactionId: OTHER });
    expect(await charge()).toMatchObject({ state: 'succeeded' });
    expect(await ledgerKinds()).toEqual(['payment', 'charge']);
  });
});
