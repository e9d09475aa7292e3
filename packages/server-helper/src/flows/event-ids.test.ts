import { beforeEach, describe, expect, expectTypeOf, it } from 'vitest';
import { flowStores } from '../../test-support/every-store.ts';
import { statusRow } from '../../test-support/scripted-gateway.ts';
import type { Shop } from '../../test-support/shop.ts';
import { shopOn } from '../../test-support/shop-of-test.ts';
import type { EventHandlers } from '../options/payments-options.ts';
import type { PaymentEvent, ReviewReason } from '../index.ts';

const ORDER = '1001';
const HOUR_MS = 3_600_000;
const declined = { transactionStatus: 'FAILED', paymentStatus: 'DECLINED' };

const types = ['failed', 'expired', 'paid', 'review', 'refunded', 'duplicateCharge'] as const;

describe.each(flowStores)('what happens to an order twice, in %s,', (name) => {
  let shop: Shop;
  let session: string;
  let handled: PaymentEvent[];

  beforeEach(async () => {
    handled = [];
    const note = (event: PaymentEvent): void => void handled.push(event);
    const on: EventHandlers = Object.fromEntries(types.map((type) => [type, note]));
    shop = await shopOn(name, { on });
    ({ session } = await shop.open(ORDER));
  });

  async function confirmWith(...rows: readonly unknown[]): Promise<string | undefined> {
    shop.gateway.rows.set(session, rows);
    shop.later();
    return (await shop.payments.confirm(ORDER))?.state;
  }

  /** Each event is delivered once, by an id of its own. */
  async function expectHandled(...expected: readonly string[]): Promise<void> {
    await shop.payments.tick();
    expect(handled.map(({ type }) => type)).toEqual(expected);
    expect(new Set(handled.map(({ id }) => id)).size).toBe(expected.length);
  }

  async function reopen(): Promise<void> {
    const { review = [] } = (await shop.payments.retrieve(ORDER)) ?? {};
    for (const { id } of review) {
      await shop.payments.review.resolve(id, 'refunded by hand', { reopen: true });
    }
  }

  it('has events of its own: expired, opened again, expired again', async () => {
    shop.later(49 * HOUR_MS);
    expect(await confirmWith()).toBe('expired');
    expect(await confirmWith(statusRow({ amount: '1.00' }))).toBe('review');
    await reopen();
    expect(await confirmWith()).toBe('expired');
    await expectHandled('expired', 'review', 'expired');
  });

  it('has events of its own: failed, in review, opened again, failed by another link', async () => {
    expect(await confirmWith(statusRow(declined))).toBe('failed');
    expect(await confirmWith(statusRow(declined), odd)).toBe('review');
    await reopen();
    shop.later(48 * HOUR_MS - 5 * 60_000);
    ({ session } = await shop.open(ORDER));
    expect(await confirmWith(statusRow(declined))).toBe('failed');
    await expectHandled('failed', 'review', 'failed');
  });

  it('has events of its own: each refunded total of each transaction', async () => {
    const second = { transactionId: 'f2d5b7c0-0000-4000-8000-000000000002' };
    const partly = (total: string) => ({ refundStatus: 'PARTIAL', totalRefundAmount: total });
    expect(await confirmWith(statusRow(), statusRow(second))).toBe('paid');
    await confirmWith(statusRow(partly('1.00')), statusRow(second));
    await confirmWith(statusRow(partly('1.00')), statusRow({ ...second, ...partly('1.00') }));
    await confirmWith(statusRow(partly('2.00')), statusRow({ ...second, ...partly('2.00') }));
    const refunds = ['refunded', 'refunded', 'refunded', 'refunded'];
    await expectHandled('paid', 'duplicateCharge', ...refunds);
  });

  it('has events of its own: a review that evidence ended and opened again', async () => {
    const unclear = statusRow({ paymentStatus: 'SETTLED' });
    for (let times = 0; times < 2; times += 1) {
      await confirmWith(unclear);
      await confirmWith(statusRow({ paymentStatus: 'PENDING' }));
    }
    await expectHandled('review', 'review');
  });
});

const odd = statusRow({ transactionId: 'f2d5b7c0-0000-4000-8000-000000000003', amount: '1.00' });

it('the type of an event tells what it is about', () => {
  expectTypeOf<
    Parameters<NonNullable<EventHandlers['paid']>>[0]['transactionId']
  >().toEqualTypeOf<string>();
  expectTypeOf<
    Parameters<NonNullable<EventHandlers['review']>>[0]['reason']
  >().toEqualTypeOf<ReviewReason>();
  const about = (event: PaymentEvent): string | null => {
    if (event.type === 'review') return event.reason.toUpperCase();
    return event.type === 'paid' ? event.transactionId.toUpperCase() : event.transactionId;
  };
  expect(about({ ...fixed, type: 'paid', transactionId: 't', reason: null })).toBe('T');
});

const fixed = {
  id: '1001/paid/t',
  orderId: ORDER,
  amount: '115.00',
  currency: 'SAR',
  refunded: '0.00',
  operationId: null,
  occurredAt: '2026-01-01T00:00:00.000Z',
};
