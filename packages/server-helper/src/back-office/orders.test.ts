import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { aHostileOrder, anEvent, anOrder, HOSTILE } from '../../test-support/office-records.ts';
import {
  type OfficeShop,
  type OfficeShopOptions,
  put,
  startOfficeShop,
} from '../../test-support/office-shop.ts';
import { OfficeVisitor } from '../../test-support/office-visitor.ts';
import { NOW } from '../../test-support/records.ts';
import { memoryStore } from '../testing.ts';

describe('the list of orders', () => {
  let shop: OfficeShop;
  let noura: OfficeVisitor;
  const start = async (options: OfficeShopOptions = {}): Promise<void> => {
    shop = await startOfficeShop(options);
    noura = new OfficeVisitor(shop);
  };
  beforeEach(() => start());
  afterEach(() => shop.close());

  const shown = (page: string): readonly string[] =>
    [...page.matchAll(/<tr data-order="([^"]*)"/g)].map(([, id = '']) => id);
  const ids = async (address: string): Promise<readonly string[]> =>
    shown(await noura.text(address));

  it('has the latest first, each with its state and amount, and says where there is none', async () => {
    expect(await noura.text('orders')).toContain('No orders have a payment yet.');
    await put(shop, anOrder('1001', 'paid', 2));
    await put(shop, anOrder('1002', 'partially_refunded', 1));
    const page = await noura.text('orders');
    expect(shown(page)).toEqual(['1002', '1001']);
    expect(page).toContain('Partly refunded');
    expect(page).toContain('SAR\u00A020.00\u2069 refunded');
    expect(await noura.text('orders?q=9999')).toContain('No order matches this filter.');
  });

  it('is narrowed by state, by days in the office’s zone, by amount and by what names an order', async () => {
    await put(shop, anOrder('1001', 'paid'));
    await put(shop, anOrder('1002', 'pending'));
    await put(shop, anOrder('2001', 'paid', 24));
    // 21:30 in UTC is the next day in Riyadh.
    await put(shop, anOrder('3001', 'paid', 26.5));
    expect(await ids('orders?state=paid')).toEqual(['1001', '2001', '3001']);
    expect(await ids('orders?state=nonsense&q=')).toHaveLength(4);
    expect(await ids('orders?from=2025-12-31&to=2025-12-31')).toEqual(['2001', '3001']);
    expect(await ids('orders?to=2025-12-30')).toEqual([]);
    expect(await ids('orders?q=t-2001')).toEqual(['2001']);
    expect(await ids('orders?q=100&state=pending')).toEqual(['1002']);
    expect(await ids('orders?amount=115')).toHaveLength(4);
    expect(await ids(`orders?amount=${encodeURIComponent('١١٦')}`)).toEqual([]);
  });

  it('says what it could not read, keeps what was typed, and narrows by the rest', async () => {
    await put(shop, anOrder('1001', 'paid'));
    await put(shop, anOrder('1002', 'pending'));
    const page = await noura.text('orders?state=paid&from=yesterday&amount=1.234');
    expect(shown(page)).toEqual(['1001']);
    expect(page).toContain('A day is written as');
    expect(page).toContain('An amount is written as');
    expect(page).toContain('value="1.234"');
    expect(await noura.text('orders?from=2026-02-02&to=2026-01-01')).toContain(
      'A day is written as',
    );
  });

  it('has a column of customers where one of them is described, and none otherwise', async () => {
    await put(shop, anOrder('1001', 'paid'));
    expect(await noura.text('orders')).not.toMatch(/Customer|class="customer"/);
    await shop.close();
    const describeOrder = (id: string) => (id === '1001' ? { customer: 'نورة' } : { title: 'Tea' });
    await start({ office: { describeOrder } });
    await put(shop, anOrder('1002', 'paid'));
    expect(await noura.text('orders')).not.toMatch(/Customer|class="customer"/);
    await put(shop, anOrder('1001', 'paid'));
    const page = await noura.text('orders');
    expect(page.match(/<th scope="col">Customer|<td class="customer">/g)).toHaveLength(3);
  });

  it('shows each order once over its pages, however many are added meanwhile', async () => {
    for (let index = 0; index < 60; index += 1) {
      await put(shop, anOrder(`${1000 + index}`, index % 2 === 0 ? 'paid' : 'pending', index));
    }
    const seen: string[] = [];
    for (let address = 'orders?state=paid', page = 0; address !== ''; page += 1) {
      const text = await noura.text(address);
      seen.push(...shown(text));
      if (page === 0) await put(shop, anOrder('9999', 'paid', -1));
      const [, next = ''] = /href="\.\/([^"]*)"\s+data-test="older"/.exec(text) ?? [];
      address = next.replaceAll('&amp;', '&');
    }
    expect(seen).toHaveLength(30);
    expect(new Set(seen).size).toBe(30);
  });

  it('has the merchant’s own words, and goes without them where they fail or do not come', async () => {
    const reported: string[] = [];
    await shop.close();
    await start({
      office: {
        describeOrder: (orderId) => {
          if (orderId === '1002') throw new Error('the shop’s database is down');
          if (orderId === '1003') return new Promise(() => undefined);
          return { title: '3 × coffee', customer: 'نورة' };
        },
      },
      payments: {
        onError: (_error, place) => void reported.push(`${place.where} ${place.orderId}`),
        clock: {
          now: () => NOW,
          sleep: () => new Promise((resolve) => setTimeout(resolve, 1).unref()),
        },
      },
    });
    for (const id of ['1001', '1002', '1003']) await put(shop, anOrder(id, 'paid'));
    const page = await noura.text('orders');
    expect(shown(page)).toHaveLength(3);
    expect(page.match(/3 × coffee/g)).toHaveLength(1);
    expect(page).not.toContain('database is down');
    expect(reported.toSorted()).toEqual(['describeOrder 1002', 'describeOrder 1003']);
  });

  it('is a file of all that the filter leaves, page by page, without a customer’s words', async () => {
    await shop.close();
    await start({ office: { describeOrder: () => ({ customer: 'Noura' }) } });
    for (let index = 0; index < 250; index += 1) {
      await put(shop, anOrder(`${1000 + index}`, index < 240 ? 'paid' : 'pending', index));
    }
    const answer = await noura.get('orders.csv?state=paid');
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename="orders-[\d-]+\.csv"$/,
    );
    const lines = (await answer.text()).split('\r\n');
    expect(lines.slice(0, 2)).toEqual([
      'orderId,state,amount,refunded,currency,createdAt,updatedAt',
      '1000,paid,115.00,0.00,SAR,2026-01-01T00:00:00.000Z,2026-01-01T00:00:00.000Z',
    ]);
    expect(lines).toHaveLength(242);
    expect(lines.join()).not.toContain('Noura');
  });

  it('is cut visibly where the store fails in the middle of the file, and is a page where it fails at once', async () => {
    await shop.close();
    const store = memoryStore();
    let pages = Infinity;
    const failing = new Proxy(store, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return (...given: unknown[]): unknown => {
          const [asked] = given as readonly { readonly of?: string }[];
          if (name === 'list' && asked?.of === 'payments' && (pages -= 1) < 0)
            throw new Error('canary: the disk is gone');
          return Reflect.apply(member, target, given);
        };
      },
    });
    await start({ store: failing });
    for (let index = 0; index < 250; index += 1)
      await put(shop, anOrder(`${index}`, 'paid', index));
    pages = 1;
    const cut = await noura.get('orders.csv');
    await expect(cut.text()).rejects.toThrow();
    pages = 0;
    const page = await noura.get('orders.csv');
    expect(page.status).toBe(503);
    expect(await page.text()).not.toContain('canary');
  });

  it('shows no text of a stranger as markup, and no text that turns the line around it', async () => {
    await put(shop, aHostileOrder('3001'));
    const page = await noura.text('orders/3001');
    expect(HOSTILE).toContain('\u202E');
    expect(page).not.toContain('\u202E');
    expect(page).toContain('&lt;script&gt;alert(1)');
  });
});

it.each([
  ['waits for its handler', { paid: () => undefined }, 'Waiting'],
  ['has no handler in this process', {}, 'No handler here'],
])('an order’s page says of an event that it %s', async (_case, on, words) => {
  const shop = await startOfficeShop({ payments: { on } });
  onTestFinished(() => shop.close());
  await put(shop, { ...anOrder('1001', 'paid'), events: [anEvent('1001')] });
  const page = await new OfficeVisitor(shop).text('orders/1001');
  const shown = /data-test="events">[^]*?class="badge"[^>]*>([^<]*)</.exec(page)?.[1];
  expect(shown?.trim()).toBe(words);
});
