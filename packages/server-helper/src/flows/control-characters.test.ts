import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { countedPool } from '../../test-support/counted-pool.ts';
import { inA, statusRow } from '../../test-support/scripted-gateway.ts';
import { Shop } from '../../test-support/shop.ts';
import type { Payments } from '../index.ts';
import { postgresStore } from '../stores/postgres/postgres-store.ts';

const database = await countedPool(inject('databaseUrl'));
afterAll(() => database.end());

let shop: Shop;
let count = 0;
let orderId = '';
beforeAll(async () => {
  shop = await Shop.start({ payments: { store: postgresStore({ pool: database.pool }) } });
});
afterAll(() => shop.close());
beforeEach(() => {
  count += 1;
  orderId = `controls-${count}`;
  shop.logged.length = 0;
  shop.gateway.script = undefined;
  const customer = { name: 'Noura', phone: '0512345678' };
  shop.orders.set(orderId, { orderId, amount: '115.00', customer });
});

/** Whether an order is paid by a row that was changed, asked over HTTP and kept in PostgreSQL. */
async function stateAfter(
  changes: Readonly<Record<string, unknown>>,
  ...others: readonly unknown[]
): Promise<string | undefined> {
  const { redirectUrl } = await shop.payments.ensureLink(orderId);
  const session = new URL(redirectUrl).searchParams.get('sessionId') ?? '';
  const transactionId = `f2d5b7c0-0000-4000-8000-${String(count).padStart(12, '0')}`;
  shop.gateway.rows.set(session, [statusRow({ transactionId, ...changes }), ...others]);
  shop.later();
  await shop.payments.confirm(orderId);
  return (await shop.payments.retrieve(orderId))?.state;
}

// What each text of the gateway comes to is in gateway/status-answers.test.ts.
it.each(['\u0000', '\uD800'])('%j in texts of the gateway is kept from the store', async (odd) => {
  const names = 'refundStatus pan cardScheme recurringToken declineReason merchantOrderId orderId';
  const texts = Object.fromEntries(names.split(' ').map((name) => [name, `a${odd}b`]));
  const failed = { transactionId: crypto.randomUUID(), transactionStatus: `FAILED${odd}` };
  const usual = { refundStatus: 'NONE', merchantOrderId: undefined, orderId: undefined };
  expect(await stateAfter({ ...texts, ...usual }, statusRow({ ...texts, ...failed }))).toBe('paid');
  shop.later(6_000);
  const data = { result: 'ACCEPTED', refundId: 'r-1', amount: '115.00', paymentId: odd };
  shop.gateway.answer({ '/refund': [200, inA({ ...data, referenceId: `a${odd}b` })] });
  const request = { amount: '115.00', requestId: orderId };
  expect(await shop.payments.refund(orderId, request)).toMatchObject({ state: 'pending' });
  expect(shop.logged.join()).not.toMatch(/store_unavailable|a commit ended/);
});

it('a customer’s name with a control character keeps no link from being made', async () => {
  const customer = { name: 'Nou\u0000ra', email: 'a\u0000@b.example', phone: '0512345678' };
  shop.orders.set(orderId, { orderId, amount: '115.00', customer });
  await shop.payments.ensureLink(orderId);
  expect(shop.gateway.creates.at(-1)?.body).toMatchObject({
    customerName: 'Noura',
    customerEmail: 'a@b.example',
  });
});

it('a person’s reason with a control character is kept without it', async () => {
  expect(await stateAfter({ merchantOrderId: 'another~1' })).toBe('review');
  const entries = await shop.payments.review.list();
  const entry = entries.find((one) => one.orderId === orderId);
  await shop.payments.review.resolve(entry?.id ?? '', 'looked\u0000 at, with \uD800half');
  expect(JSON.stringify(await shop.payments.explain(orderId))).toContain('looked at, with half');
});

const named = '10\u000001';
const cursor = Buffer.from(`1 ${named}`).toString('base64url');

it.each<[what: string, code: string, ask: (payments: Payments) => Promise<unknown>]>([
  ['a cursor', 'invalid_query', (payments) => payments.list({ cursor })],
  ['an order', 'invalid_order', (payments) => payments.explain(named)],
  ['a search', 'invalid_query', (payments) => payments.list({ search: named })],
  ['an event', 'not_found_in_store', ({ review }) => review.redeliver(`${named}/paid`)],
  ['a review', 'not_found_in_store', ({ review }) => review.resolve(`${named}/1`, 'seen')],
  ['a proposal', 'not_found_in_store', (payments) => payments.approve(named, { by: 'Omar' })],
  [
    'an operation',
    'not_found_in_store',
    (payments) => payments.resolveOperation(named, 'failed', 'seen'),
  ],
])('U+0000 in the name of %s is %s, and no fault of the store', async (_what, code, ask) => {
  await expect(ask(shop.payments)).rejects.toMatchObject({ code });
});
