import { beforeEach, describe, expect, it } from 'vitest';
import { statusAnswer, statusRow } from '../../../test-support/scripted-gateway.ts';
import { startShop } from '../../../test-support/shop-of-test.ts';
import { expectProblem, type Shop } from '../../../test-support/shop.ts';

const failed = statusRow({ transactionStatus: 'FAILED', paymentStatus: 'DECLINED' });
const other = 'f2d5b7c0-0000-4000-8000-000000000002';

let shop: Shop;
let first: Awaited<ReturnType<Shop['open']>>;

async function start(afterFailure: 'payable' | 'closed'): Promise<void> {
  shop = await startShop({ profile: { session: { afterFailure } } });
  first = await shop.open();
}

/** The shopper's card was declined, and the gateway sent the shopper back. */
async function decline(rows: readonly unknown[] = [failed]): Promise<void> {
  shop.gateway.rows.set(first.session, rows);
  shop.later();
  expect((await shop.send(first.failure)).status).toBe(303);
  shop.later();
}

it('a payable page is offered again after a declined card', async () => {
  await start('payable');
  await decline();
  expect((await shop.open()).session).toBe(first.session);
});

describe('a page that is closed by a declined card', () => {
  beforeEach(() => start('closed'));

  it('is not offered again: the shopper gets a new one', async () => {
    await decline();
    const second = await shop.open();
    expect(second.session).not.toBe(first.session);
    shop.gateway.rows.set(second.session, [statusRow({ transactionId: other })]);
    shop.later();
    await shop.send(second.success);
    expect(await shop.payments.retrieve('1001')).toMatchObject({ state: 'paid', review: [] });
  });

  it('is asked about once more before the new one is made', async () => {
    await decline();
    shop.gateway.rows.set(first.session, [statusRow()]);
    expectProblem(await shop.checkout({ orderId: '1001' }), 409, 'already_paid');
    expect(shop.gateway.creates).toHaveLength(1);
  });

  it('is not replaced while another card is undecided on it, until its life is over', async () => {
    await decline();
    const open = { transactionStatus: 'PENDING', paymentStatus: 'PENDING' };
    shop.gateway.rows.set(first.session, [failed, statusRow({ transactionId: other, ...open })]);
    expectProblem(await shop.checkout({ orderId: '1001' }), 502, 'gateway_unreachable');
    shop.later(49 * 3_600_000);
    expect((await shop.open()).session).not.toBe(first.session);
  });

  it('is not replaced while the gateway does not answer about it', async () => {
    await decline();
    shop.gateway.answerStatus(503);
    expectProblem(await shop.checkout({ orderId: '1001' }), 502, 'gateway_unreachable');
    expect(shop.gateway.creates).toHaveLength(1);
  });

  it('stays watched: money that it takes all the same is a duplicate for a person', async () => {
    await decline();
    const second = await shop.open();
    shop.gateway.rows.set(second.session, [statusRow({ transactionId: other })]);
    shop.later();
    await shop.send(second.success);
    shop.gateway.rows.set(first.session, [failed, statusRow({ transactionId: 'late-1' })]);
    shop.later(3_600_000);
    await shop.payments.tick();
    const payment = await shop.payments.retrieve('1001');
    expect(payment?.review.map(({ reason }) => reason)).toEqual(['duplicate_charge']);
  });

  it.each([
    [
      'an undecided card',
      [
        failed,
        statusRow({ transactionId: other, transactionStatus: 'PENDING', paymentStatus: 'PENDING' }),
      ],
    ],
    ['a word that is not known', [{ ...failed, transactionStatus: 'REVERSED' }]],
    ['no card', []],
  ])('is offered again where the gateway shows %s', async (_what, rows) => {
    await decline(rows);
    expect((await shop.open()).session).toBe(first.session);
  });

  it('is offered again after an answer that lacks a row', async () => {
    const { data, ...envelope } = statusAnswer([failed]);
    shop.gateway.answerStatus(200, { ...envelope, data: { ...data, totalElements: 2 } });
    await decline();
    expect((await shop.open()).session).toBe(first.session);
  });
});
