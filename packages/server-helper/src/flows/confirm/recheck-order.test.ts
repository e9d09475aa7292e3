import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest';
import { startShop } from '../../../test-support/shop-of-test.ts';
import type { Shop, ShopOptions } from '../../../test-support/shop.ts';
import type { Order } from '../../index.ts';
import { memoryStore } from '../../stores/memory-store.ts';

// Before money is recorded the shop's own code is asked for the order's price, and may fail.
const ORDER = '1001';
const MINUTE_MS = 60_000;
const customer = { phone: '0598765432' };

let shop: Shop;
let shipped: string[];
let console: MockInstance<typeof globalThis.console.error>;
beforeEach(() => {
  shipped = [];
  console = vi.spyOn(globalThis.console, 'error').mockImplementation(() => undefined);
});
afterEach(() => void vi.restoreAllMocks());

const on = { paid: ({ orderId }: { orderId: string }) => void shipped.push(orderId) };

/** A shop whose paid order has a link; `answer` takes the place of its order after that. */
async function openShop(
  answer: () => Order | null | Promise<Order | null>,
  payments: ShopOptions['payments'] = {},
) {
  const requests: unknown[] = [];
  let isOpen = false;
  shop = await startShop({
    payments: {
      loadOrder: (orderId, request) => {
        if (!isOpen) return { orderId, amount: '115.00', customer };
        requests.push(request);
        return answer();
      },
      on: { ...on, review: () => undefined },
      ...payments,
    },
  });
  const { session, status } = await shop.open(ORDER);
  isOpen = true;
  const transactionId = randomUUID();
  shop.shows(session, { transactionId });
  shop.later();
  return { status, requests, transactionId };
}

const confirm = () => shop.payments.confirm(ORDER);
const priced = (amount: string, currency = 'SAR') => {
  return (): Order => ({ orderId: ORDER, amount, currency, customer });
};

describe('money that is found for an order', () => {
  it('ships it once, after one question for its price without a request', async () => {
    const { requests } = await openShop(priced('115.00'));
    expect(await confirm()).toMatchObject({ state: 'paid' });
    shop.later();
    await confirm();
    await shop.payments.tick();
    expect([shipped, requests]).toEqual([[ORDER], [undefined]]);
  });

  it.each([
    ['grew', priced('1000.00'), 'order_changed'],
    ['has another currency now', priced('115.00', 'USD'), 'order_changed'],
    ['is gone', () => null, 'order_missing'],
  ])('ships nothing when the order %s', async (_, answer, reason) => {
    const { status, transactionId } = await openShop(answer);
    expect((await shop.send(status)).json).toMatchObject({ state: 'review' });
    await shop.payments.tick();
    expect(shipped).toEqual([]);
    const explanation = await shop.payments.explain(ORDER);
    expect(explanation).toMatchObject({
      payment: { state: 'review', review: [{ reason, transactionId }] },
      transactions: [{ transactionId, kind: 'discrepancy' }],
      effects: [{ type: 'review', outcome: 'done' }],
    });
    const isSaid = shop.logged.join('\n').includes('answer the order itself');
    expect(isSaid).toBe(reason === 'order_missing');
  });

  it('ships nothing when the order grew while its commit waited for another change', async () => {
    let amount = '115.00';
    const store = memoryStore();
    await openShop(() => priced(amount)(), { store });
    const save = store.save.bind(store);
    store.save = async (asked, hook) => {
      if (amount === '1000.00' || asked.events.length === 0) return save(asked, hook);
      amount = '1000.00';
      shop.later(MINUTE_MS);
      return { outcome: 'conflict', record: await store.load(ORDER) };
    };
    expect(await confirm()).toMatchObject({ state: 'review' });
    await shop.payments.tick();
    expect(shipped).toEqual([]);
  });

  it('is not recorded while loadOrder throws, and is asked about again soon', async () => {
    const own = new RangeError('canary: the catalogue is away');
    let answer: () => Order | Promise<Order> = () => {
      throw own;
    };
    const { status } = await openShop(() => answer());
    await expect(confirm()).rejects.toMatchObject({ code: 'hook_failed', cause: own });
    expect(String(console.mock.calls[0])).toMatch(/loadOrder failed for order 1001/);
    shop.later();
    const reply = await shop.send(status);
    expect(reply.json).toMatchObject({ status: 503, code: 'hook_failed' });
    expect(reply.text).not.toContain('canary');
    expect(await shop.payments.retrieve(ORDER)).toMatchObject({ state: 'pending', review: [] });
    answer = priced('115.00');
    shop.later(70_000);
    await shop.payments.tick();
    expect(shipped).toEqual([ORDER]);
  });
});

it.each([
  ['is no order', priced('115'), { cause: { code: 'invalid_order', field: 'amount' } }],
  ['never comes', () => new Promise<never>(() => undefined), {}],
])('an answer that %s counts as one that threw', async (_what, answer, error) => {
  await openShop(answer, { hookTimeoutMs: 50 });
  await expect(confirm()).rejects.toMatchObject({ code: 'hook_failed', ...error });
  await shop.payments.tick();
  expect([await shop.state(), shipped]).toEqual(['pending', []]);
});

it('an order is asked about without its customer, whom no payment needs any more', async () => {
  await openShop(() => ({ orderId: ORDER, amount: '115.00' }) as never);
  expect(await confirm()).toMatchObject({ state: 'paid' });
});

it('a loadOrder that hangs keeps no shopper for longer', async () => {
  shop = await startShop({
    payments: { loadOrder: () => new Promise(() => undefined), hookTimeoutMs: 50 },
  });
  expect((await shop.checkout({ orderId: ORDER })).status).toBe(500);
});

it('recheckOrder: false takes the money without a question', async () => {
  const { requests } = await openShop(priced('1000.00'), { recheckOrder: false });
  expect(await confirm()).toMatchObject({ state: 'paid', amount: '115.00' });
  expect(requests).toEqual([]);
});

it('money for a cancelled order is late, whatever the order costs now', async () => {
  let amount = '115.00';
  const { requests } = await openShop(() => priced(amount)());
  const rows = [...shop.gateway.rows];
  shop.gateway.rows.clear();
  await shop.payments.cancel(ORDER);
  amount = '1000.00';
  for (const [session, paid] of rows) shop.gateway.rows.set(session, paid);
  shop.later();
  expect(await confirm()).toMatchObject({ state: 'paid_late' });
  expect(requests).toHaveLength(1);
});

describe('health while the money of an order cannot be recorded', () => {
  /** Another process, none of whose hooks has failed. */
  let other: Shop;
  let fault: 'loadOrder' | 'inTransaction' | null;
  const fail = (hook: typeof fault): void => {
    if (fault === hook) throw new Error('the shop’s own code');
  };

  beforeEach(async () => {
    fault = null;
    const payments: NonNullable<ShopOptions['payments']> = {
      loadOrder: (orderId, request) => {
        if (request === undefined) fail('loadOrder');
        return { orderId, amount: '115.00', customer };
      },
      inTransaction: () => fail('inTransaction'),
      on,
    };
    shop = await startShop({ payments });
    other = await startShop({ payments: { ...payments, store: shop.store } });
  });

  async function minutes(count: number): Promise<void> {
    for (let minute = 0; minute < count; minute += 1) {
      for (const one of [shop, other]) one.later(MINUTE_MS + 1_000);
      await shop.payments.tick();
    }
  }

  const healthOf = async (one: Shop) => (await one.send('/pay/health')).json;

  it.each(['loadOrder', 'inTransaction'] as const)(
    'names it while %s throws, in every process, and no more once it works',
    async (hook) => {
      const { session } = await shop.open(ORDER);
      fault = hook;
      shop.shows(session, {});
      await minutes(2);
      expect(await healthOf(other)).toMatchObject({ status: 'ok', findings: [] });
      await minutes(5);
      for (const one of [shop, other]) {
        const { oldest, ...health } = await healthOf(one);
        expect(health).toMatchObject({
          status: 'degraded',
          findings: ['checks_failing'],
          backlog: { failingOrders: 1 },
        });
        const { failingMs } = oldest as Record<string, number>;
        expect(failingMs).toBeGreaterThan(5 * MINUTE_MS);
        expect(failingMs).toBeLessThan(9 * MINUTE_MS);
      }
      expect(shipped).toEqual([]);
      fault = null;
      await minutes(1);
      await shop.payments.tick();
      expect(shipped).toEqual([ORDER]);
      const well = { findings: [], backlog: { failingOrders: 0 }, oldest: { failingMs: null } };
      expect(await healthOf(other)).toMatchObject(well);
    },
  );

  it('does not name an order whose gateway gives no answer', async () => {
    await shop.open(ORDER);
    shop.gateway.answerStatus(502);
    await minutes(7);
    expect(shop.gateway.statusCalls.length).toBeGreaterThan(3);
    expect((await healthOf(other))['findings']).toEqual([]);
  });
});
