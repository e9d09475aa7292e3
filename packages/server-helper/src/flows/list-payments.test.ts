import { afterAll, describe, expect, it } from 'vitest';
import { everyStore, freshStore, type FreshStore } from '../../test-support/every-store.ts';
import { createPayments, type PaymentQuery, type Payments } from '../index.ts';
import { changeOf, openOrder } from '../stores/conformance/orders.ts';
import type { PaymentState } from '../payments/record.ts';
import { saveChange } from '../../test-support/save-change.ts';

const DAY_MS = 86_400_000;
const FIRST_DAY = Date.UTC(2026, 10, 1);
const states: readonly PaymentState[] = ['paid', 'expired', 'review', 'paid', 'paid', 'failed'];

const opened: { readonly fresh: FreshStore; readonly payments: Payments }[] = [];
afterAll(async () => {
  for (const { fresh, payments } of opened) {
    await payments.close();
    await fresh.end();
  }
});

/** A shop with one payment a day from the first of November on; ids are those days. */
async function openShop(name: (typeof everyStore)[number]): Promise<Payments> {
  const fresh = await freshStore(name, 'staging/default');
  const payments = createPayments({
    gateway: { environment: 'staging', baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'key' },
    publicUrl: 'https://shop.example',
    tokenSecrets: ['0123456789abcdef0123456789abcdef'],
    store: fresh.store,
    loadOrder: () => null,
    pages: { success: '/thanks', pending: '/wait', failure: '/retry' },
  });
  opened.push({ fresh, payments });
  for (const [index, state] of states.entries()) {
    const createdAt = FIRST_DAY + index * DAY_MS;
    const { payment } = openOrder().reserved;
    await saveChange(
      fresh.store,
      changeOf({ ...payment, orderId: String(index + 1), state, createdAt, updatedAt: createdAt }),
    );
  }
  return payments;
}

async function listed(payments: Payments, query?: PaymentQuery): Promise<readonly string[]> {
  return (await payments.list(query)).payments.map(({ orderId }) => orderId);
}

describe.each(everyStore)('a list of payments on %s', (name) => {
  const shop = openShop(name);

  it('begins with the latest, and says when each was created', async () => {
    const { payments, nextCursor } = await (await shop).list();
    expect(payments.map(({ orderId }) => orderId)).toEqual(['6', '5', '4', '3', '2', '1']);
    expect(payments[0]).toMatchObject({ state: 'failed', createdAt: '2026-11-06T00:00:00.000Z' });
    expect(nextCursor).toBeNull();
  });

  it('goes on behind each page, to a last one without a cursor', async () => {
    const payments = await shop;
    const pages: (readonly string[])[] = [];
    for (let cursor: string | null = null, isLast = false; !isLast;) {
      const page = await payments.list({ limit: 4, cursor });
      pages.push(page.payments.map(({ orderId }) => orderId));
      cursor = page.nextCursor;
      isLast = cursor === null;
    }
    expect(pages).toEqual([
      ['6', '5', '4', '3'],
      ['2', '1'],
    ]);
    expect((await payments.list({ limit: 6 })).nextCursor).toBeNull();
  });

  it('holds the asked states, from a time to before another', async () => {
    const payments = await shop;
    expect(await listed(payments, { state: 'paid' })).toEqual(['5', '4', '1']);
    expect(await listed(payments, { state: ['review', 'failed'] })).toEqual(['6', '3']);
    const span = { since: '2026-11-02', until: new Date('2026-11-05T00:00:00Z') };
    expect(await listed(payments, span)).toEqual(['4', '3', '2']);
    expect(await listed(payments, { since: '2026-11-02T03:00:00+03:00', limit: 1 })).toEqual(['6']);
    const second = await payments.list({ state: 'paid', limit: 1 });
    const rest = { state: 'paid', limit: 1, cursor: second.nextCursor } as const;
    expect(await listed(payments, rest)).toEqual(['4']);
    const { nextCursor: cursor } = await payments.list({ limit: 1 });
    expect(await listed(payments, { until: '2026-11-03', cursor })).toEqual(['2', '1']);
  });

  it('finds the payment of one order, if the other options fit it', async () => {
    const payments = await shop;
    expect(await listed(payments, { orderId: '3' })).toEqual(['3']);
    expect(await listed(payments, { orderId: '3', state: 'paid' })).toEqual([]);
    expect(await listed(payments, { orderId: '3', since: '2026-11-04' })).toEqual([]);
    expect(await listed(payments, { orderId: '3', until: '2026-11-03' })).toEqual([]);
    expect(await listed(payments, { orderId: 'none' })).toEqual([]);
  });
});

describe.each(everyStore)('a search on %s', (name) => {
  const shop = openShop(name);

  it('finds orders by id, and by amount, page by page', async () => {
    const payments = await shop;
    expect(await listed(payments, { search: ' 3 ' })).toEqual(['3']);
    expect(await listed(payments, { search: '3~1' })).toEqual(['3']);
    expect(await listed(payments, { search: '3', state: 'paid' })).toEqual([]);
    expect(await listed(payments, { search: '33' })).toEqual([]);
    expect(await listed(payments, { amount: '115.00', state: 'paid' })).toEqual(['5', '4', '1']);
    expect(await listed(payments, { amount: '115.01' })).toEqual([]);
    expect(await listed(payments, { orderId: '3', amount: '115.00' })).toEqual(['3']);
    expect(await listed(payments, { orderId: '3', amount: '1.00' })).toEqual([]);
    const first = await payments.list({ amount: '115.00', limit: 4 });
    const rest = { amount: '115.00', limit: 4, cursor: first.nextCursor };
    expect(await listed(payments, rest)).toEqual(['2', '1']);
  });
});

describe('a list with an option that cannot be used', () => {
  const shop = openShop('memory');

  it.each<[field: string, query: object]>([
    ['state', { state: 'payed' }],
    ['state', { state: [] }],
    ['since', { since: 'yesterday' }],
    ['since', { since: '2026-11-02T03:00:00' }],
    ['since', { since: '2026-02-30' }],
    ['until', { until: '2026-11-31T00:00:00Z' }],
    ['until', { until: 1_793_000_000_000 }],
    ['until', { until: new Date(Number.NaN) }],
    ['limit', { limit: 0 }],
    ['limit', { limit: 201 }],
    ['limit', { limit: '20' }],
    ['cursor', { cursor: 'abc' }],
    ['cursor', { cursor: 7 }],
    ['states', { states: 'paid' }],
    ['search', { search: ' ' }],
    ['search', { search: 'a\u0000b' }],
    ['search', { search: 'x'.repeat(201) }],
    ['search', { search: 7 }],
    ['search', { search: '3', orderId: '3' }],
    ['amount', { amount: '115' }],
    ['amount', { amount: 115 }],
  ])('is refused by the name of %s: %j', async (field, query) => {
    const list = (await shop).list(query);
    await expect(list).rejects.toMatchObject({ code: 'invalid_query', field });
  });

  it('fails by a name that says so where the store does not answer', async () => {
    const payments = await openShop('memory');
    const { fresh } = opened.at(-1) ?? {};
    const broken = () => Promise.reject(new Error('connect ECONNREFUSED'));
    Object.assign(fresh?.store ?? {}, { list: broken, figures: broken });
    const lost = { code: 'store_unavailable' };
    await expect(payments.list()).rejects.toMatchObject(lost);
    const span = { since: '2026-11-01', until: '2026-11-02' };
    await expect(payments.figures(span)).rejects.toMatchObject(lost);
  });

  it('is refused where the order id cannot be one', async () => {
    await expect((await shop).list({ orderId: 'a/b' })).rejects.toMatchObject({
      code: 'invalid_order',
    });
  });
});
