import { expect, it } from 'vitest';
import { ONE, open as openShop, OTHER } from '../../../test-support/attacked-shop.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../test-support/durations.ts';
import type { PaymentEvent } from '../../payments/record.ts';
import { signed } from '../../../test-support/transaction-gateway.ts';

const TWO = 'bb0e1040-0000-4000-8000-00000000000d';
const byIds = ['transaction', 'either'] as const;

// Refunds in rows of their own, which signed webhooks name, beside other money.

/** The first link's money comes at an old price, and is refunded on the dashboard, by its total too. */
async function refundedFirst(asksFor: 'transaction' | 'either') {
  const happened: (string | null)[] = [];
  const inTransaction = (_tx: unknown, { type, reason }: PaymentEvent) =>
    void happened.push(type === 'review' ? reason : type);
  const payments = { inTransaction, ...signed.payments };
  const opened = await openShop({}, { asksFor }, { payments });
  const { at, link } = opened;
  if (asksFor === 'either') at.shows(link.session);
  await at.later(20 * MINUTE_MS, 4);
  at.shop.reprice('120.00');
  const money = { transactionId: ONE, merchantOrderId: link.merchantOrderId };
  const shows = (row: object) => {
    at.shows(ONE, row);
    if (asksFor === 'either') at.shows(link.session, row);
  };
  shows(money);
  await at.webhook(link.merchantOrderId, ONE, { status: 'Approved' });
  await at.later(HOUR_MS, 10);
  shows({ ...money, refundStatus: 'FULL', totalRefundAmount: '115.00' });
  at.shows(OTHER, { transactionId: OTHER, type: 'Refund' });
  await at.webhook(link.merchantOrderId, OTHER, { status: 'Approved', type: 'Refund' });
  await at.later(HOUR_MS, 10);
  for (const [, reason] of await at.reviews()) if (reason !== undefined) await at.resolve(true);
  at.shop.later();
  const second = await at.shop.open();
  if (asksFor === 'either') at.shows(second.session);
  return { at, happened, second };
}

it.each(byIds)(
  'the money of a second link pays, whose first link’s money went back (%s)',
  async (asksFor) => {
    const { at, happened, second } = await refundedFirst(asksFor);
    const row = { transactionId: TWO, amount: '120.00', merchantOrderId: second.merchantOrderId };
    at.shows(TWO, row);
    if (asksFor === 'either') at.shows(second.session, row);
    await at.webhook(second.merchantOrderId, TWO, { status: 'Approved' });
    await at.later(HOUR_MS, 10);
    expect([...(await at.outcome()), happened.at(-1)]).toEqual(['paid', [], 'paid']);
  },
);

it.each(byIds)(
  'a refund of another shop with the same account stops no payment (%s)',
  async (asksFor) => {
    const { at, link } = await openShop({}, { asksFor }, signed);
    at.shows(OTHER, { transactionId: OTHER, type: 'Refund' });
    await at.webhook('1001~1', OTHER, { status: 'Approved', type: 'Refund' });
    await at.later(HOUR_MS, 10);
    at.shows(ONE, { transactionId: ONE, merchantOrderId: link.merchantOrderId });
    await at.webhook(link.merchantOrderId, ONE, { status: 'Approved' });
    await at.later(HOUR_MS, 10);
    expect(await at.state()).toBe('paid');
  },
);

it.each(byIds)(
  'our own refund is no work for a person while its total lags (%s)',
  async (asksFor) => {
    const events: string[] = [];
    const inTransaction = (_tx: unknown, { type }: { type: string }) => void events.push(type);
    const { at, link } = await openShop(
      {},
      { asksFor },
      { payments: { inTransaction, ...signed.payments } },
    );
    const shows = (row: object) => {
      at.shows(ONE, { transactionId: ONE, merchantOrderId: link.merchantOrderId, ...row });
      if (asksFor === 'either')
        at.shows(link.session, {
          transactionId: ONE,
          merchantOrderId: link.merchantOrderId,
          ...row,
        });
    };
    shows({});
    await at.webhook(link.merchantOrderId, ONE, { status: 'Approved' });
    await at.later(MINUTE_MS, 6);
    at.shop.gateway.takeRefunds();
    at.shop.later();
    await at.shop.payments.refund('1001', { amount: '15.00', requestId: 'r-1' });
    at.shows(OTHER, { transactionId: OTHER, type: 'Refund', amount: '15.00' });
    await at.webhook(link.merchantOrderId, OTHER, { status: 'Approved', type: 'Refund' });
    await at.later(MINUTE_MS, 6);
    shows({ refundStatus: 'PARTIAL', totalRefundAmount: '15.00' });
    await at.later(DAY_MS, 24);
    expect([await at.state(), events]).toEqual(['partially_refunded', ['paid', 'refunded']]);
  },
);

it.each(byIds)(
  'a part’s refund says that there was money, of which nothing else says so (%s)',
  async (asksFor) => {
    const { at, link } = await openShop({}, { asksFor }, signed);
    if (asksFor === 'either') at.shows(link.session);
    at.shows(OTHER, { transactionId: OTHER, type: 'Refund', amount: '15.00' });
    await at.webhook(link.merchantOrderId, OTHER, { status: 'Approved', type: 'Refund' });
    await at.later(12 * DAY_MS, 120);
    expect(await at.reviews()).not.toEqual([]);
  },
);
