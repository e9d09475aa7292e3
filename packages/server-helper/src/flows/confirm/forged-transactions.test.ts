import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ShopOptions } from '../../../test-support/shop.ts';
import { TransactionShop, type OpenLink } from '../../../test-support/transaction-gateway.ts';

const MINUTE_MS = 60_000;
const secret = 'whsec-of-the-gateway-0123456789abcdef';

let at: TransactionShop;
let first: OpenLink;
let second: OpenLink;

async function start(orderName?: null, payments: ShopOptions['payments'] = {}): Promise<void> {
  at = await TransactionShop.start({ asksFor: 'transaction', orderName }, { payments });
  at.addOrder();
  first = await at.shop.open('1001');
  second = await at.shop.open('1002');
}
afterEach(() => at.shop.close());

describe('a transaction of another order, where rows name their order,', () => {
  beforeEach(() => start());

  const paysFirst = () => at.has(first, { merchantOrderId: first.merchantOrderId });

  it('pays nothing and makes no work, by a webhook or a return', async () => {
    const id = paysFirst();
    await at.webhook(second.merchantOrderId, id);
    await at.later();
    await at.comesBack(second, `?transactionId=${id}`);
    await at.later(MINUTE_MS, 6);
    expect([await at.state('1001'), await at.state('1002')]).toEqual(['pending', 'pending']);
    expect(await at.reviews()).toEqual([]);
    // It is forgotten, so that it is asked about once for each hint.
    expect(at.questions.filter((asked) => asked === id)).toHaveLength(2);
    await at.webhook(first.merchantOrderId, id);
    await at.later();
    expect([await at.state('1001'), await at.state('1002')]).toEqual(['paid', 'pending']);
  });

  it('makes the order’s other link due where a row names that', async () => {
    const declined = { transactionStatus: 'FAILED', paymentStatus: 'DECLINED' };
    await at.webhook(
      first.merchantOrderId,
      at.has(first, { ...declined, merchantOrderId: first.merchantOrderId }),
    );
    await at.later();
    at.shop.reprice('99.50');
    const third = await at.shop.open('1001');
    const id = at.has(third, { merchantOrderId: first.merchantOrderId });
    await at.webhook(third.merchantOrderId, id);
    await at.later(MINUTE_MS, 6);
    expect(await at.reviews()).toEqual([['1001', 'superseded_amount']]);
  });

  it('pushes no honest one out in a flood', async () => {
    const id = paysFirst();
    await at.webhook(first.merchantOrderId, id);
    for (let forged = 0; forged < 40; forged += 1) {
      await at.webhook(first.merchantOrderId, randomUUID());
    }
    await at.later(MINUTE_MS, 6);
    expect(await at.state('1001')).toBe('paid');
  });

  it('keeps the shopper’s own transaction in a flood that came first', async () => {
    for (let forged = 0; forged < 20; forged += 1) {
      await at.webhook(first.merchantOrderId, randomUUID());
    }
    await at.comesBack(first, `?id=${paysFirst()}`);
    await at.later();
    expect(await at.state('1001')).toBe('paid');
  });
});

describe('a transaction where rows bear no name', () => {
  beforeEach(() => start(null));

  it('is bound to one order, by whose return it came first', async () => {
    const id = at.has(first);
    await at.comesBack(first, `?trans_id=${id}`);
    await at.later();
    await at.webhook(second.merchantOrderId, id);
    await at.later(MINUTE_MS, 6);
    expect(await at.reviews()).toEqual([]);
    await at.comesBack(second, `?trans_id=${id}`);
    await at.later(MINUTE_MS, 6);
    expect([await at.state('1001'), await at.state('1002')]).toEqual(['paid', 'review']);
    expect(await at.reviews()).toEqual([['1002', 'transaction_of_another_order']]);
  });

  it('is for a person where a webhook alone brought it, who may accept it', async () => {
    const id = at.has(first);
    await at.webhook(first.merchantOrderId, id);
    await at.later(10 * MINUTE_MS, 5);
    expect([await at.state(), await at.reviews()]).toEqual(['pending', []]);
    await at.later(60 * MINUTE_MS, 6);
    expect(await at.state()).toBe('review');
    expect(await at.reviews()).toEqual([['1001', 'unattributed_payment']]);
    const [item] = await at.shop.payments.review.list();
    at.shop.later();
    await at.shop.payments.review.accept(item?.id ?? '', 'seen on the dashboard');
    expect(await at.state()).toBe('paid');
  });

  it('is for one person once, however many orders a webhook names', async () => {
    const id = at.has(first);
    await at.webhook(first.merchantOrderId, id);
    await at.webhook(second.merchantOrderId, id);
    await at.later(60 * MINUTE_MS, 12);
    expect(await at.reviews()).toHaveLength(1);
  });

  it('is the order’s that a signed webhook names, whose return ever came first', async () => {
    await at.shop.close();
    await start(null, { webhookSecrets: [secret] });
    const [id, stolen] = [at.has(second), at.has(first)];
    await at.webhook(second.merchantOrderId, id, {}, secret);
    await at.comesBack(first, `?trans_id=${id}`);
    await at.later(MINUTE_MS, 6);
    expect([await at.state('1001'), await at.reviews()]).toEqual(['pending', []]);
    await at.comesBack(second, `?trans_id=${id}`);
    await at.later(MINUTE_MS, 6);
    expect(await at.state('1002')).toBe('paid');
    // Money that a return has taken before is for a person.
    at.addOrder('1003');
    const third = await at.shop.open('1003');
    await at.comesBack(third, `?trans_id=${stolen}`);
    expect(await at.state('1003')).toBe('paid');
    await at.webhook(first.merchantOrderId, stolen, {}, secret);
    await at.later(60 * MINUTE_MS, 6);
    expect(await at.reviews()).toEqual([['1001', 'transaction_of_another_order']]);
  });

  it('makes no work where a webhook brought another amount', async () => {
    await at.webhook(first.merchantOrderId, at.has(first, { amount: '1.00' }));
    await at.later(60 * MINUTE_MS, 12);
    expect([await at.state(), await at.reviews()]).toEqual(['pending', []]);
  });
});
