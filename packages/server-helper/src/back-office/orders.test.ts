import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { anEvent, anOrder } from '../../test-support/office-records.ts';
import { type OfficeShopOptions, openOffice, put } from '../../test-support/office-shop.ts';
import { OfficeVisitor } from '../../test-support/office-visitor.ts';
import { aLedgerRow, NOW } from '../../test-support/records.ts';
import { ScriptedGateway, statusRow } from '../../test-support/scripted-gateway.ts';
import { someOptions } from '../../test-support/some-options.ts';
import { storeWith } from '../doubles/faulty-store.ts';
import { transactionId } from '../ids.ts';
import type { Change } from '../payments/record.ts';
import { memoryStore } from '../testing.ts';

/** A shop with these orders, and a person at its office. */
async function start(options: OfficeShopOptions = {}, ...orders: readonly Change[]) {
  const shop = await openOffice(options, ...orders);
  const noura = new OfficeVisitor(shop);
  const ids = async (address: string) => shown(await noura.text(address));
  return { shop, noura, ids };
}

const shown = (page: string): readonly string[] =>
  [...page.matchAll(/<tr data-order="([^"]*)"/g)].map(([, id = '']) => id);

/** So many orders, an hour apart; the first ones are paid. */
const many = (count: number, isPaid: (index: number) => boolean): readonly Change[] =>
  Array.from({ length: count }, (_, index) =>
    anOrder(`${1000 + index}`, isPaid(index) ? 'paid' : 'pending', index),
  );

describe('the list of orders', () => {
  it('has the latest first, each with its state and amount, and says where there is none', async () => {
    const { shop, noura } = await start();
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
    const { ids } = await start(
      {},
      anOrder('1001', 'paid'),
      anOrder('1002', 'pending'),
      anOrder('2001', 'paid', 24),
      // 21:30 in UTC is the next day in Riyadh.
      anOrder('3001', 'paid', 26.5),
    );
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
    const { noura } = await start({}, anOrder('1001', 'paid'), anOrder('1002', 'pending'));
    const page = await noura.text('orders?state=paid&from=yesterday&amount=1.234');
    expect(shown(page)).toEqual(['1001']);
    expect(page).toContain('A day is written as');
    expect(page).toContain('An amount is written as');
    expect(page).toContain('value="1.234"');
    const turned = await noura.text('orders?from=2026-02-02&to=2026-01-01');
    expect(turned).toContain('A day is written as');
  });

  it('has a column of customers where one of them is described, and none otherwise', async () => {
    const describeOrder = (id: string) => (id === '1001' ? { customer: 'نورة' } : { title: 'Tea' });
    const { shop, noura } = await start({ office: { describeOrder } }, anOrder('1002', 'paid'));
    expect(await noura.text('orders')).not.toMatch(/Customer|class="customer"/);
    await put(shop, anOrder('1001', 'paid'));
    const page = await noura.text('orders');
    expect(page.match(/<th scope="col">Customer|<td class="customer">/g)).toHaveLength(3);
  });

  it('shows each order once over its pages, however many are added meanwhile', async () => {
    const { shop, noura } = await start({}, ...many(60, (index) => index % 2 === 0));
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
    const office: OfficeShopOptions['office'] = {
      describeOrder: (orderId) => {
        if (orderId === '1002') throw new Error('the shop’s database is down');
        if (orderId === '1003') return new Promise(() => undefined);
        return { title: '3 × coffee', customer: 'نورة' };
      },
    };
    const payments: OfficeShopOptions['payments'] = {
      onError: (_error, place) => void reported.push(`${place.where} ${place.orderId}`),
      clock: { now: () => NOW, sleep: () => pause(1) },
    };
    const orders = ['1001', '1002', '1003'].map((id) => anOrder(id, 'paid'));
    const { noura } = await start({ office, payments }, ...orders);
    const page = await noura.text('orders');
    expect(shown(page)).toHaveLength(3);
    expect(page.match(/3 × coffee/g)).toHaveLength(1);
    expect(page).not.toContain('database is down');
    expect(reported.toSorted()).toEqual(['describeOrder 1002', 'describeOrder 1003']);
  });

  it('is a file of all that the filter leaves, page by page, without a customer’s words', async () => {
    const office = { describeOrder: () => ({ customer: 'Noura' }) };
    const { noura } = await start({ office }, ...many(250, (index) => index < 240));
    const answer = await noura.get('orders.csv?state=paid');
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const disposition = answer.headers.get('content-disposition');
    expect(disposition).toMatch(/^attachment; filename="orders-[\d-]+\.csv"$/);
    const lines = (await answer.text()).split('\r\n');
    expect(lines.slice(0, 2)).toEqual([
      'orderId,state,amount,refunded,currency,createdAt,updatedAt',
      '1000,paid,115.00,0.00,SAR,2026-01-01T00:00:00.000Z,2026-01-01T00:00:00.000Z',
    ]);
    expect(lines).toHaveLength(242);
    expect(lines.join()).not.toContain('Noura');
  });

  it('is cut visibly where the store fails in the middle of the file, and is a page where it fails at once', async () => {
    const store = memoryStore();
    let pages = Infinity;
    const failing = storeWith(store, {
      list: async (asked) => {
        if (asked.of === 'payments' && (pages -= 1) < 0)
          throw new Error('canary: the disk is gone');
        return store.list(asked);
      },
    });
    const { noura } = await start({ store: failing }, ...many(250, () => true));
    pages = 1;
    const cut = await noura.get('orders.csv');
    await expect(cut.text()).rejects.toThrow();
    pages = 0;
    const page = await noura.get('orders.csv');
    expect(page.status).toBe(503);
    expect(await page.text()).not.toContain('canary');
  });
});

it.each([
  ['waits for its handler', { paid: () => undefined }, 'Waiting'],
  ['has no handler in this process', {}, 'No handler here'],
])('an order’s page says of an event that it %s', async (_case, on, words) => {
  const order = { ...anOrder('1001', 'paid'), events: [anEvent('1001')] };
  const { noura } = await start({ payments: { on } }, order);
  const page = await noura.text('orders/1001');
  const badge = /data-test="events">[^]*?class="badge"[^>]*>([^<]*)</.exec(page)?.[1];
  expect(badge?.trim()).toBe(words);
});

it.each([
  ['en', 'Duplicate charge'],
  ['ar', 'خصم مكرر'],
] as const)('in %s, a refund is of the transaction that was chosen', async (language, words) => {
  const gateway = await new ScriptedGateway().start();
  onTestFinished(() => gateway.close());
  const rows = ['t-1001', 't-twice'].map((id) => statusRow({ transactionId: id }));
  gateway.rows.set('session-1001', rows);
  const order = anOrder('1001', 'paid');
  const twice = aLedgerRow({ transactionId: transactionId('t-twice'), kind: 'duplicate' });
  const shop = await openOffice(
    { payments: { gateway: someOptions(gateway.baseUrl).gateway } },
    { ...order, ledger: [...order.ledger, twice] },
  );
  const reader = new OfficeVisitor(shop, { 'accept-language': language });
  const page = await reader.text('orders/1001');
  const choices = [...page.matchAll(/<option value="([^"]*)"([^>]*)>\s*([^<]*)/g)];
  const offered = choices.map(([, id, more = '']) => `${id} ${more.trim()}`);
  expect(offered).toEqual(['t-1001 selected', 't-twice ']);
  expect(choices[1]?.[3]).toContain(words);
  const tooMuch = await reader.get('orders/1001/refund?transaction=t-twice&amount=115.01');
  expect(tooMuch.status).toBe(422);
  expect(await tooMuch.text()).toMatch(/<option value="t-twice"\s+selected/);
  const form = await reader.form('orders/1001/refund?transaction=t-twice&amount=20');
  expect((await reader.send(form)).status).toBe(303);
  const sent = gateway.requestsTo('/payment/s2s/refund');
  expect(sent.map(({ body }) => body)).toMatchObject([{ transactionId: 't-twice' }]);
});

it.each([
  ['en', ['Our admin', 'Sign out'], 'Beans'],
  ['ar', ['لوحتنا', 'خروج'], 'بُنّ'],
] as const)('every page in %s has the shop’s own links and words', async (...given) => {
  const [language, [admin, signOut], title] = given;
  const office: OfficeShopOptions['office'] = {
    links: [
      { text: { en: 'Our admin', ar: 'لوحتنا' }, url: 'https://shop.example/staff' },
      { text: { en: 'Sign out', ar: 'خروج' }, url: '/sign-out?a=1&b=2' },
    ],
    describeOrder: (_orderId, asked) => ({ title: { en: 'Beans', ar: 'بُنّ' }[asked] }),
  };
  const shop = await openOffice({ office }, anOrder('1001', 'paid'));
  const reader = new OfficeVisitor(shop, { 'accept-language': language });
  for (const address of ['', 'orders', 'orders/1001', 'orders/1001/refund', 'review', 'nowhere']) {
    const page = await reader.text(address);
    expect(page, address).toContain(`<a href="https://shop.example/staff">${admin}</a>`);
    expect(page, address).toContain(`<a href="/sign-out?a=1&amp;b=2">${signOut}</a>`);
    if (/^orders(?:\/1001)?$/.test(address)) expect(page, address).toContain(title);
  }
});
