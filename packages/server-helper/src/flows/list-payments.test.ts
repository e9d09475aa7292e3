import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { everyStore, freshStore, type FreshStore } from '../../test-support/every-store.ts';
import type { PaymentQuery, Payments } from '../index.ts';
import { changeOf, openOrder } from '../stores/conformance/orders.ts';
import type { PaymentState } from '../payments/record.ts';
import { saveChange } from '../../test-support/save-change.ts';
import { untyped } from '../../test-support/some-options.ts';
import { Shop } from '../../test-support/shop.ts';

const DAY_MS = 86_400_000;
const FIRST_DAY = Date.UTC(2026, 10, 1);
const states: readonly PaymentState[] = ['paid', 'expired', 'review', 'paid', 'paid', 'failed'];

const opened: { readonly fresh: FreshStore; readonly shop: Shop }[] = [];
afterAll(async () => {
  for (const { fresh, shop } of opened) {
    await shop.close();
    await fresh.end();
  }
});

/** A shop with one payment a day from the first of November on; ids are those days. */
async function openShop(name: (typeof everyStore)[number]): Promise<Payments> {
  const fresh = await freshStore(name);
  const shop = await Shop.start({ payments: { store: fresh.store } });
  opened.push({ fresh, shop });
  for (const [index, state] of states.entries()) {
    const createdAt = FIRST_DAY + index * DAY_MS;
    const { payment } = openOrder().reserved;
    await saveChange(
      fresh.store,
      changeOf({ ...payment, orderId: String(index + 1), state, createdAt, updatedAt: createdAt }),
    );
  }
  return shop.payments;
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
    expect((await (await shop).list({ limit: 6 })).nextCursor).toBeNull();
  });

  it.each<[query: PaymentQuery, found: readonly string[]]>([
    [{ state: 'paid' }, ['5', '4', '1']],
    [{ state: ['review', 'failed'] }, ['6', '3']],
    [{ since: '2026-11-02', until: new Date('2026-11-05T00:00:00Z') }, ['4', '3', '2']],
    [{ since: '2026-11-02T03:00:00+03:00', limit: 1 }, ['6']],
    [{ orderId: '3' }, ['3']],
    [{ orderId: '3', state: 'paid' }, []],
    [{ orderId: '3', since: '2026-11-04' }, []],
    [{ orderId: '3', until: '2026-11-03' }, []],
    [{ orderId: 'none' }, []],
    [{ orderId: '3', amount: '115.00' }, ['3']],
    [{ orderId: '3', amount: '1.00' }, []],
    [{ search: ' 3 ' }, ['3']],
    [{ search: '3~1' }, ['3']],
    [{ search: '3', state: 'paid' }, []],
    [{ search: '33' }, []],
    [{ amount: '115.00', state: 'paid' }, ['5', '4', '1']],
    [{ amount: '115.01' }, []],
  ])('holds what fits all options: %j', async (query, found) => {
    expect(await listed(await shop, query)).toEqual(found);
  });

  it.each<[first: PaymentQuery, next: PaymentQuery, found: readonly string[]]>([
    [{ state: 'paid', limit: 1 }, { state: 'paid', limit: 1 }, ['4']],
    [{ limit: 1 }, { until: '2026-11-03' }, ['2', '1']],
    [{ amount: '115.00', limit: 4 }, { amount: '115.00', limit: 4 }, ['2', '1']],
  ])('goes on behind the page of %j by %j', async (first, next, found) => {
    const { nextCursor: cursor } = await (await shop).list(first);
    expect(await listed(await shop, { ...next, cursor })).toEqual(found);
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

  it.each([undefined, null, {}])('is refused in figures of %j', async (query) => {
    const figures = (await shop).figures(untyped(query));
    await expect(figures).rejects.toMatchObject({ code: 'invalid_query', field: 'since' });
  });

  it('fails by a name that says so where the store does not answer', async () => {
    const broken = await Shop.start();
    onTestFinished(() => broken.close());
    broken.isStoreDown = true;
    const lost = { code: 'store_unavailable' };
    await expect(broken.payments.list()).rejects.toMatchObject(lost);
    const span = { since: '2026-11-01', until: '2026-11-02' };
    await expect(broken.payments.figures(span)).rejects.toMatchObject(lost);
  });

  it('is refused where the order id cannot be one', async () => {
    const list = (await shop).list({ orderId: 'a/b' });
    await expect(list).rejects.toMatchObject({ code: 'invalid_order' });
  });
});
