import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { countedPool } from '../../test-support/counted-pool.ts';
import { inA, sendJson, statusRow } from '../../test-support/scripted-gateway.ts';
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

describe.each([
  ['U+0000', '\u0000'],
  ['a line break', '\n'],
  ['an escape', '\u001B'],
  ['a C1 control character', '\u0085'],
  ['half of a character', '\uD800'],
])('%s', (_what, odd) => {
  it.each([
    ['refundStatus', `NO${odd}NE`],
    ['totalRefundAmount', `0.00${odd}`],
    ['pan', `420132******${odd}1010`],
    ['cardScheme', `MA${odd}DA`],
    ['recurringToken', `${odd}token${odd}`],
    ['declineReason', odd],
  ])('in the optional text %s keeps no payment from being recorded', async (field, value) => {
    expect(await stateAfter({ [field]: value })).toBe('paid');
    const explanation = JSON.stringify(await shop.payments.explain(orderId));
    expect(explanation).not.toMatch(/\\u(?:0000|001b|d800)|\\n|\u0085/i);
  });

  it.each([
    ['transactionId', 'f2d5b7c0-0000-4000-8000-00000000000', 'pending'],
    ['transactionStatus', 'SUCCESS', 'pending'],
    ['paymentStatus', 'APPROVED', 'pending'],
    ['amount', '115.00', 'review'],
    ['currencyCode', 'SAR', 'review'],
  ])(
    'in what decides, %s, is never taken for what stands around it',
    async (field, usual, state) => {
      expect(await stateAfter({ [field]: `${usual}${odd}` })).toBe(state);
      expect(shop.logged.join()).not.toMatch(/store_unavailable|a commit ended/);
    },
  );

  it.each(['merchantOrderId', 'orderId'])('in %s of a row, it is recorded', async (field) => {
    expect(['paid', 'review']).toContain(await stateAfter({ [field]: `${orderId}~1${odd}` }));
  });

  it.each(['transactionStatus', 'paymentStatus', 'amount', 'refundStatus', 'totalRefundAmount'])(
    'in %s of one row keeps no other from being recorded',
    async (field) => {
      const failed = statusRow({
        transactionId: crypto.randomUUID(),
        transactionStatus: 'FAILED',
        paymentStatus: 'DECLINED',
        [field]: `odd${odd}`,
      });
      expect(['paid', 'review']).toContain(await stateAfter({}, failed));
    },
  );

  it('in the answer to a refund keeps nothing of that from being recorded', async () => {
    expect(await stateAfter({})).toBe('paid');
    shop.later(6_000);
    shop.gateway.script = (seen, response) => {
      if (!seen.path.includes('refund')) return shop.gateway.answerUsually(seen, response);
      const usual = { result: 'ACCEPTED', refundId: 'r-1', amount: '115.00' };
      const data = { ...usual, referenceId: `a${odd}b`, paymentId: odd };
      return sendJson(response, 200, inA(data));
    };
    const request = { amount: '115.00', requestId: orderId };
    expect(await shop.payments.refund(orderId, request)).toMatchObject({ state: 'pending' });
  });
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
