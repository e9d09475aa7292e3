import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest';
import { flowStores, freshStore, type FreshStore } from '../../../test-support/every-store.ts';
import { statusRow } from '../../../test-support/scripted-gateway.ts';
import { Shop, type ShopOptions } from '../../../test-support/shop.ts';
import type { Order } from '../../index.ts';
import { memoryStore } from '../../stores/memory-store.ts';

const ORDER = '1001';
const customer = { phone: '0598765432' };

let shop: Shop;
let fresh: FreshStore | undefined;
let console: MockInstance<typeof globalThis.console.error>;
beforeEach(() => {
  console = vi.spyOn(globalThis.console, 'error').mockImplementation(() => undefined);
});
afterEach(async () => {
  await shop.close();
  await fresh?.end();
  fresh = undefined;
  vi.restoreAllMocks();
});

/** A shop whose order has a link; `answer` takes the place of its order after that. */
async function openShop(
  answer: () => Order | null | Promise<Order | null>,
  payments: ShopOptions['payments'] = {},
) {
  const shipped: string[] = [];
  const requests: unknown[] = [];
  let isOpen = false;
  shop = await Shop.start({
    payments: {
      loadOrder: (orderId, request) => {
        if (!isOpen) return { orderId, amount: '115.00', customer };
        requests.push(request);
        return answer();
      },
      on: { paid: ({ orderId }) => void shipped.push(orderId), review: () => undefined },
      ...payments,
    },
  });
  const { session, status } = await shop.open(ORDER);
  isOpen = true;
  const transactionId = randomUUID();
  shop.gateway.rows.set(session, [statusRow({ transactionId })]);
  shop.later();
  return { status, shipped, requests, transactionId };
}

const priced = (amount: string, currency = 'SAR') => {
  return (): Order => ({ orderId: ORDER, amount, currency, customer });
};

describe.each(flowStores)('money that is found for an order, in %s,', (name) => {
  beforeEach(async () => {
    fresh = await freshStore(name);
  });
  const store = () => (fresh === undefined ? {} : { store: fresh.store });

  it('ships it once, after one question for its price without a request', async () => {
    const { shipped, requests } = await openShop(priced('115.00'), store());
    expect(await shop.payments.confirm(ORDER)).toMatchObject({ state: 'paid' });
    shop.later();
    await shop.payments.confirm(ORDER);
    await shop.payments.tick();
    expect(shipped).toEqual([ORDER]);
    expect(requests).toEqual([undefined]);
  });

  it.each([
    ['grew', priced('1000.00'), 'order_changed'],
    ['has another currency now', priced('115.00', 'USD'), 'order_changed'],
    ['is gone', () => null, 'order_missing'],
  ])('ships nothing when the order %s', async (_, answer, reason) => {
    const { status, shipped, transactionId } = await openShop(answer, store());
    expect((await shop.send(status)).json).toMatchObject({ state: 'review' });
    await shop.payments.tick();
    expect(shipped).toEqual([]);
    const explanation = await shop.payments.explain(ORDER);
    expect(explanation).toMatchObject({
      payment: { state: 'review', review: [{ reason, transactionId }] },
      transactions: [{ transactionId, kind: 'discrepancy' }],
    });
    expect(explanation?.effects).toMatchObject([{ type: 'review', outcome: 'done' }]);
    const isSaid = shop.logged.join('\n').includes('answer the order itself');
    expect(isSaid).toBe(reason === 'order_missing');
  });

  it('ships nothing when the order grew while its commit waited for another change', async () => {
    let amount = '115.00';
    const opened = fresh?.store ?? memoryStore();
    const { shipped } = await openShop(() => priced(amount)(), { store: opened });
    const save = opened.save.bind(opened);
    vi.spyOn(opened, 'save').mockImplementation(async (asked, hook) => {
      if (amount === '1000.00' || asked.events.length === 0) return save(asked, hook);
      amount = '1000.00';
      shop.later(60_000);
      return { outcome: 'conflict', record: await opened.load(ORDER) };
    });
    expect(await shop.payments.confirm(ORDER)).toMatchObject({ state: 'review' });
    await shop.payments.tick();
    expect(shipped).toEqual([]);
  });

  it('is not recorded while loadOrder throws, and is asked about again soon', async () => {
    const own = new RangeError('canary: the catalogue is away');
    let answer: () => Order | Promise<Order> = () => {
      throw own;
    };
    const { status, shipped } = await openShop(() => answer(), store());
    await expect(shop.payments.confirm(ORDER)).rejects.toMatchObject({
      code: 'hook_failed',
      cause: own,
    });
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

it('an answer that is no order counts as one that threw', async () => {
  const { shipped } = await openShop(priced('115'));
  await expect(shop.payments.confirm(ORDER)).rejects.toMatchObject({
    code: 'hook_failed',
    cause: { code: 'invalid_order', field: 'amount' },
  });
  await shop.payments.tick();
  expect(shipped).toEqual([]);
});

it('an order is asked about without its customer, whom no payment needs any more', async () => {
  await openShop(() => ({ orderId: ORDER, amount: '115.00' }) as never);
  expect(await shop.payments.confirm(ORDER)).toMatchObject({ state: 'paid' });
});

it('a loadOrder that hangs ends by hookTimeoutMs, and nothing is recorded', async () => {
  await openShop(() => new Promise(() => undefined), { hookTimeoutMs: 50 });
  await expect(shop.payments.confirm(ORDER)).rejects.toMatchObject({ code: 'hook_failed' });
  expect(String(console.mock.calls[0])).toMatch(/loadOrder failed for order 1001/);
  expect(await shop.payments.retrieve(ORDER)).toMatchObject({ state: 'pending' });
});

it('recheckOrder: false takes the money without a question', async () => {
  const { requests } = await openShop(priced('1000.00'), { recheckOrder: false });
  expect(await shop.payments.confirm(ORDER)).toMatchObject({ state: 'paid', amount: '115.00' });
  expect(requests).toEqual([]);
});

it('money for a cancelled order is late, whatever the order costs now', async () => {
  let amount = '115.00';
  const { requests } = await openShop(() => priced(amount)());
  const rows = new Map(shop.gateway.rows);
  shop.gateway.rows.clear();
  await shop.payments.cancel(ORDER);
  amount = '1000.00';
  for (const [session, paid] of rows) shop.gateway.rows.set(session, paid);
  shop.later();
  expect(await shop.payments.confirm(ORDER)).toMatchObject({ state: 'paid_late' });
  expect(requests).toHaveLength(1);
});
