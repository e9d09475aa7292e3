import { afterAll, describe, expect, it } from 'vitest';
import {
  goodOrder,
  letPass,
  openLink,
  openTestShop,
  placeOrder,
  Visitor,
} from '../testing/test-shop.ts';

const shop = await openTestShop();
afterAll(() => shop.close());

describe('the shop’s JSON API', () => {
  it('lists the catalog with bilingual names and decimal prices in SAR', async () => {
    const answer = await new Visitor(shop.url).send('/api/catalog');
    expect(answer.status).toBe(200);
    const entries = (await answer.json()) as { sku: string; price: string; currency: string }[];
    const some = { coffee: '115.00', sticker: '1.00', halala: '0.01', 'limit-tester': '9900.00' };
    const prices = Object.fromEntries(entries.map(({ sku, price }) => [sku, price]));
    expect(prices).toMatchObject(some);
    expect(entries.every(({ currency }) => currency === 'SAR')).toBe(true);
    const text = expect.any(String) as string;
    expect(entries[0]).toMatchObject({ name: { en: text, ar: text } });
  });

  it('takes an order at its own prices and says where to pay', async () => {
    const visitor = new Visitor(shop.url);
    const body = { ...goodOrder('coffee', 2), amount: '0.01' };
    const answer = await visitor.postJson('/api/orders', body);
    expect(answer.status).toBe(201);
    const order = (await answer.json()) as { orderId: string };
    const { orderId } = order;
    const unpaid = { orderId, amount: '230.00', currency: 'SAR', state: 'unpaid' };
    expect(order).toEqual({ ...unpaid, url: `${shop.url}/orders/${orderId}` });
    const retrieved = await visitor.send(`/api/orders/${orderId}`);
    const progress = { fulfilments: 0, refunded: '0.00', review: [] };
    expect(await retrieved.json()).toEqual({ ...unpaid, ...progress });
  });

  it('knows its visitor by a cookie that scripts and other sites cannot use', async () => {
    const answer = await new Visitor(shop.url).postJson('/api/orders', goodOrder());
    const cookie = answer.headers.getSetCookie().find((text) => text.startsWith('shop_session='));
    expect(cookie).toMatch(/; HttpOnly/);
    expect(cookie).toMatch(/; SameSite=Lax/);
    expect(cookie).not.toMatch(/; Secure/);
  });

  it('gives another visitor a 404 for an order, as for one that does not exist', async () => {
    const { orderId } = await placeOrder(shop);
    const stranger = new Visitor(shop.url);
    const answers = [
      await stranger.send(`/api/orders/${orderId}`),
      await stranger.send('/api/orders/NOSUCHORDER2'),
      await stranger.postJson(`/api/orders/${orderId}/cancel`, {}),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    const problems = await Promise.all(answers.map((answer) => answer.json()));
    expect(problems[0]).toEqual(problems[1]);
    const checkout = await stranger.postJson('/pay/checkout', { orderId });
    expect(checkout.status).toBe(404);
  });

  const customer = { name: 'N', email: '', phone: '0512345678' };
  const lines = [{ sku: 'coffee', quantity: 1 }];
  const pieces = (...quantities: unknown[]) => ({
    lines: quantities.map((quantity) => ({ sku: 'coffee', quantity })),
    customer,
  });
  it.each([
    ['an unknown sku', goodOrder('tea'), 'lines[0].sku'],
    ['no lines', pieces(), 'lines'],
    ['a quantity of nothing', pieces(0), 'lines[0].quantity'],
    ['a broken quantity', pieces(1.5), 'lines[0].quantity'],
    ['a hundred pieces', pieces(100), 'lines[0].quantity'],
    ['a quantity in words', pieces('1'), 'lines[0].quantity'],
    ['too many pieces in two lines', pieces(60, 60), 'lines[1].quantity'],
    ['no phone', { lines, customer: { ...customer, phone: undefined } }, 'customer.phone'],
    ['a bad phone', { lines, customer: { ...customer, phone: '12ab' } }, 'customer.phone'],
    ['a bad email', { lines, customer: { ...customer, email: 'x@' } }, 'customer.email'],
    ['no name', { lines, customer: { ...customer, name: ' ' } }, 'customer.name'],
    ['an empty body', {}, 'lines'],
    ['a list', [], 'lines'],
  ])('refuses %s with a 422 that names the field', async (_what, body, field) => {
    const answer = await new Visitor(shop.url).postJson('/api/orders', body);
    expect(answer.status).toBe(422);
    expect(answer.headers.get('content-type')).toMatch('application/problem+json');
    const problem = (await answer.json()) as { field: string; detail: string };
    expect(problem).toMatchObject({ status: 422, code: 'invalid_order', field });
    expect(problem.detail).not.toMatch(/12ab|x@/);
  });

  it.each([
    ['a form of another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['another port of this host', { 'sec-fetch-site': 'same-site' }, 403],
    ['another origin', { origin: 'https://evil.example' }, 403],
    ['plain text', { 'content-type': 'text/plain' }, 415],
  ])('refuses an order that comes as %s', async (_what, headers, status) => {
    const answer = await new Visitor(shop.url).send('/api/orders', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(goodOrder()),
    });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toMatch('application/problem+json');
  });

  it('answers broken and oversized JSON with a problem', async () => {
    const headers = { 'content-type': 'application/json' };
    const send = (body: string) =>
      new Visitor(shop.url).send('/api/orders', { method: 'POST', headers, body });
    expect((await send('{"lines":')).status).toBe(400);
    expect((await send(`{"lines":"${'x'.repeat(20_000)}"}`)).status).toBe(413);
  });

  it('cancels an order, makes no payment link for it then, and ships nothing that is paid late', async () => {
    const { orderId, visitor } = await placeOrder(shop);
    const { sessionId, statusUrl } = await openLink(visitor, orderId);
    const cancelled = await visitor.postJson(`/api/orders/${orderId}/cancel`, {});
    expect(cancelled.status).toBe(200);
    expect(await cancelled.json()).toMatchObject({ orderId, fulfilments: 0 });
    const checkout = await visitor.postJson('/pay/checkout', { orderId });
    expect(checkout.status).toBe(409);
    await shop.control.pay(sessionId, { card: { number: '4201320111111010' } });
    await letPass(shop, 'PT10S');
    await visitor.send(statusUrl);
    const order = await (await visitor.send(`/api/orders/${orderId}`)).json();
    expect(order).toMatchObject({ state: 'paid_late', fulfilments: 0 });
    expect(await visitor.read(`/orders/${orderId}`)).not.toContain('<pay-button');
  });
});
