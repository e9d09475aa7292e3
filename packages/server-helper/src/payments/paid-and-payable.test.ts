import { describe, expect, it } from 'vitest';
import { isPaid, isPayable, type PaymentState } from '../index.ts';
import { linkRefusalOf } from './link-decision.ts';
import { everyPaymentState, newPayment } from './record.ts';

/** What a merchant may do with an order in each state. */
const meanings: Readonly<Record<PaymentState, 'ship' | 'ask' | 'neither'>> = {
  unpaid: 'ask',
  pending: 'ask',
  failed: 'ask',
  expired: 'ask',
  paid: 'ship',
  captured: 'ship',
  partially_refunded: 'ship',
  authorized: 'neither',
  refunded: 'neither',
  voided: 'neither',
  paid_late: 'neither',
  review: 'neither',
};

describe.each(everyPaymentState)('an order that is %s', (state) => {
  it('is paid only where it may be shipped, and payable where the checkout gives it a link', () => {
    const amount = { minorUnits: 100, currency: 'SAR' as const };
    const payment = { ...newPayment('1001', amount, 0), state };
    expect(isPaid(state)).toBe(meanings[state] === 'ship');
    expect(isPayable(state)).toBe(meanings[state] === 'ask');
    expect(linkRefusalOf({ payment, reviews: [] }) === null).toBe(meanings[state] === 'ask');
  });
});

it('an order without a payment is payable and not paid', () => {
  expect([isPaid(undefined), isPayable(undefined)]).toEqual([false, true]);
});
