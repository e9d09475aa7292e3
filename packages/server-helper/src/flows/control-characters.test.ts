import { beforeEach, expect, it } from 'vitest';
import { OTHER } from '../../test-support/attacked-shop.ts';
import { inA } from '../../test-support/scripted-gateway.ts';
import { startShop } from '../../test-support/shop-of-test.ts';
import type { Shop } from '../../test-support/shop.ts';

let shop: Shop;
beforeEach(async () => void (shop = await startShop({}, 'PostgreSQL')));

// What each text of the gateway comes to is in gateway/status-answers.test.ts.
it.each(['\u0000', '\uD800'])('%j in texts of the gateway is kept from the store', async (odd) => {
  const names = 'refundStatus pan cardScheme recurringToken declineReason merchantOrderId orderId';
  const texts = Object.fromEntries(names.split(' ').map((name) => [name, `a${odd}b`]));
  const failed = { transactionId: OTHER, transactionStatus: `FAILED${odd}` };
  const usual = { refundStatus: 'NONE', merchantOrderId: undefined, orderId: undefined };
  const { session } = await shop.open();
  await shop.finds(session, { ...texts, ...usual }, { ...texts, ...failed });
  expect(await shop.state()).toBe('paid');
  shop.later(6_000);
  const data = { result: 'ACCEPTED', refundId: 'r-1', amount: '115.00', paymentId: odd };
  shop.gateway.answer({ '/refund': [200, inA({ ...data, referenceId: `a${odd}b` })] });
  const request = { amount: '115.00', requestId: 'r-1' };
  expect(await shop.payments.refund('1001', request)).toMatchObject({ state: 'pending' });
  expect(shop.logged.join()).not.toMatch(/store_unavailable|a commit ended/);
});

it('a customer’s name with a control character keeps no link from being made', async () => {
  const customer = { name: 'Nou\u0000ra', email: 'a\u0000@b.example', phone: '0512345678' };
  shop.orders.set('1001', { orderId: '1001', amount: '115.00', customer });
  await shop.open();
  expect(shop.gateway.creates.at(-1)?.body).toMatchObject({
    customerName: 'Noura',
    customerEmail: 'a@b.example',
  });
});

it('a person’s reason with a control character is kept without it', async () => {
  await shop.receive({ merchantOrderId: 'another~1' });
  const [entry] = await shop.payments.review.list();
  await shop.payments.review.resolve(entry?.id ?? '', 'looked\u0000 at, with \uD800half');
  expect(JSON.stringify(await shop.payments.explain('1001'))).toContain('looked at, with half');
});

const named = '10\u000001';
const cursor = Buffer.from(`1 ${named}`).toString('base64url');

it('U+0000 in a name is refused by its own code, and is no fault of the store', async () => {
  const { payments } = shop;
  const { review } = payments;
  const asks: readonly (readonly [code: string, ask: Promise<unknown>])[] = [
    ['invalid_query', payments.list({ cursor })],
    ['invalid_order', payments.explain(named)],
    ['invalid_query', payments.list({ search: named })],
    ['not_found_in_store', review.redeliver(`${named}/paid`)],
    ['not_found_in_store', review.resolve(`${named}/1`, 'seen')],
    ['not_found_in_store', payments.approve(named, { by: 'Omar' })],
    ['not_found_in_store', payments.resolveOperation(named, 'failed', 'seen')],
  ];
  const codes = asks.map(([, ask]) => ask.catch(({ code }: { code: string }) => code));
  expect(await Promise.all(codes)).toEqual(asks.map(([code]) => code));
});
