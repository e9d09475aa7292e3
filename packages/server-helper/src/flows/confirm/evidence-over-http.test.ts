import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { statusRow } from '../../../test-support/scripted-gateway.ts';
import { Shop } from '../../../test-support/shop.ts';
import { manualClock } from '../../doubles/manual-clock.ts';

let shop: Shop;
let session: string;

beforeEach(async () => {
  shop = await Shop.start();
  ({ session } = await shop.open());
});
afterEach(() => shop.close());

const state = async (): Promise<string | undefined> => {
  shop.later();
  return (await shop.payments.confirm('1001'))?.state;
};

const failed = statusRow({
  transactionId: 'f2d5b7c0-0000-4000-8000-000000000009',
  transactionStatus: 'FAILED',
  paymentStatus: 'DECLINED',
});

/** Lets the gateway count more rows than it tells. */
function tell(rows: readonly unknown[], totalElements: unknown): void {
  const data = { content: rows, totalElements };
  shop.gateway.answerStatus(200, { code: 200, message: 'ok', errorCode: null, data });
}

describe('a status answer that is not whole', () => {
  it('gives no order up', async () => {
    tell([], 1);
    shop.later();
    await expect(shop.payments.cancel('1001')).rejects.toMatchObject({ code: 'not_confirmed' });
  });

  it.each([
    ['an amount that is a number', { ...statusRow(), amount: 115 }],
    ['no transaction id', { ...statusRow(), transactionId: undefined }],
    ['nothing but text', 'paid'],
    ['nothing', null],
  ])('is not believed in a row with %s', async (_what, row) => {
    tell([row], 1);
    expect(await state()).toBe('pending');
    tell([failed, row], 2);
    expect(await state()).toBe('pending');
  });

  it('pays by a row that can be read beside one that cannot', async () => {
    tell([{ ...failed, amount: 115 }, statusRow()], 2);
    expect(await state()).toBe('paid');
  });
});

describe('the order that a row names', () => {
  it.each([
    [{ orderId: 'GW-99812' }],
    [{ orderId: 99_812 }],
    [{ merchantOrderId: 'GW-99812', orderId: '1001~1' }],
    [{ merchantOrderId: '99812', orderId: 99_812 }],
  ])('is none of ours by a number of the gateway’s own: %j', async (changes) => {
    tell([statusRow(changes)], 1);
    expect(await state()).toBe('paid');
  });

  it.each([
    [{ orderId: '1002~1' }],
    [{ merchantOrderId: '1001~2' }],
    [{ merchantOrderId: 99_812, orderId: '1002~1' }],
    [{ merchantOrderId: '1002~1', orderId: '1001~1' }],
  ])('sends this one to a person where it is another of ours: %j', async (changes) => {
    tell([statusRow(changes)], 1);
    expect(await state()).toBe('review');
  });
});

describe('what a row says beside the money', () => {
  it.each([
    [{ declineReason: {}, currencyCode: {}, orderId: {}, recurringToken: false, pan: 4201 }],
    [{ totalRefundAmount: 0, refundStatus: null }],
  ])('keeps no order from being paid, whatever its form: %j', async (changes) => {
    tell([statusRow(changes)], 1);
    expect(await state()).toBe('paid');
  });

  it('sends the order to a person where it hides a refund', async () => {
    tell([statusRow({ totalRefundAmount: [] })], 1);
    expect(await state()).toBe('review');
  });

  it.each([{ paymentStatus: null }, { paymentStatus: {} }, { paymentStatus: undefined }])(
    'lets a try that failed be one: %j',
    async (changes) => {
      tell([{ ...failed, ...changes }], 1);
      expect(await state()).toBe('failed');
    },
  );
});

describe('a session that the gateway does not know', () => {
  const unknown = (): void =>
    shop.gateway.answerStatus(404, { code: 404, message: 'none', errorCode: '404', data: null });

  it('is offered on while its link lives, so that an order has one payable link', async () => {
    for (let clicks = 0; clicks < 3; clicks += 1) {
      unknown();
      expect(await state()).toBe('pending');
      shop.gateway.script = undefined;
      expect((await shop.open()).session).toBe(session);
    }
    expect(shop.gateway.creates).toHaveLength(1);
    shop.gateway.rows.set(session, [statusRow()]);
    expect(await state()).toBe('paid');
  });

  it('is not offered any more when the gateway knew its tries before', async () => {
    tell([statusRow({ transactionStatus: 'FAILED', paymentStatus: 'DECLINED' })], 1);
    expect(await state()).toBe('failed');
    unknown();
    expect(await state()).toBe('failed');
    shop.gateway.script = undefined;
    shop.later();
    expect((await shop.open()).session).not.toBe(session);
    shop.gateway.rows.set(session, [statusRow()]);
    // Each of the two links has its turn.
    for (const wait of [300_000, 6_000]) {
      shop.later(wait);
      await shop.payments.tick();
    }
    expect((await shop.payments.retrieve('1001'))?.state).toBe('paid');
  });

  it('is offered on when a person has opened its order again, since no try of it failed', async () => {
    const order = shop.orders.get('1001');
    if (order !== undefined) shop.orders.set('1002', { ...order, orderId: '1002' });
    const other = await shop.open('1002');
    const paid = statusRow();
    shop.gateway.rows.set(other.session, [paid]);
    expect((await shop.payments.confirm('1002'))?.state).toBe('paid');
    shop.gateway.rows.set(session, [paid]);
    expect(await state()).toBe('review');
    shop.gateway.rows.delete(session);
    const [item] = await shop.payments.review.list();
    await shop.payments.review.resolve(String(item?.id), 'Refunded.', { reopen: true });
    unknown();
    expect(await state()).toBe('failed');
    shop.gateway.script = undefined;
    expect((await shop.open()).session).toBe(session);
  });
});

describe('an order with several open links', () => {
  it('is asked about once in five seconds, and each link in its turn', async () => {
    await shop.close();
    const clock = manualClock();
    shop = await Shop.start({ payments: { clock } });
    const first = await shop.open();
    shop.reprice('99.50');
    await clock.advance(10_000);
    const second = await shop.open();
    const before = shop.gateway.statusCalls.length;
    const asked = () => shop.gateway.statusCalls.slice(before).map(({ query }) => query.get('id'));
    await clock.advance(10_000);
    await Promise.all(Array.from({ length: 20 }, () => shop.payments.tick()));
    await Promise.all(Array.from({ length: 5 }, () => shop.send(second.status)));
    expect(asked()).toHaveLength(1);
    await clock.advance(300_000);
    await shop.payments.tick();
    expect(asked()).toHaveLength(2);
    await clock.advance(6_000);
    await shop.payments.tick();
    expect(asked()).toHaveLength(3);
    expect(new Set(asked().slice(1))).toEqual(new Set([first.session, second.session]));
  });
});
