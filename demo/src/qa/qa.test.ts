import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  asAdmin,
  letPass,
  openLink,
  openTestShop,
  paidOrder,
  payOrder,
  placeOrder,
  Visitor,
} from '../testing/test-shop.ts';

const shop = await openTestShop();
afterAll(() => shop.close());

const card = { number: '4201320111111010' };

async function stateOf(visitor: Visitor, orderId: string): Promise<unknown> {
  const answer = await visitor.send(`/api/orders/${orderId}`);
  return ((await answer.json()) as { state: string }).state;
}

/** The webhooks that the shop has at the sandbox. */
const subscribed = async () => (await asAdmin(shop, 'GET', '/webhooks')).body['webhooks'];

/** Uses a tool of the drawer on the front page, and returns the address that it leads to. */
async function use(tool: string, fields: Record<string, string> = {}): Promise<string | null> {
  const answer = await new Visitor(shop.url).postForm(`/qa/${tool}`, { back: '/', ...fields });
  expect(answer.status).toBe(303);
  return answer.headers.get('location');
}

describe('the drawer', () => {
  it('declines the next payment, once', async () => {
    expect(await use('apply', { outcome: 'insufficient_funds', fault: '' })).toBe('/?qa=outcome');
    const { orderId, visitor } = await placeOrder(shop);
    const { sessionId } = await openLink(visitor, orderId);
    const failed = { decidedBy: 'next', transaction: { transactionStatus: 'FAILED' } };
    expect(await shop.control.pay(sessionId, { card })).toMatchObject(failed);
    const second = await shop.control.pay(sessionId, { card });
    expect(second).toMatchObject({ transaction: { paymentStatus: 'APPROVED' } });
  });

  it('sets named faults, and shows them', async () => {
    await use('apply', { outcome: '', fault: 'status-lag' });
    expect((await shop.control.faults()).profile).toBe('status-lag');
    expect(await new Visitor(shop.url).read('/')).toMatch(/<option value="status-lag" selected/);
    await use('apply', { outcome: '', fault: 'healthy' });
    expect((await shop.control.faults()).faults).toEqual([]);
  });

  it('moves both clocks by two days, so that a link expires and a new one can be made', async () => {
    const { orderId, visitor } = await placeOrder(shop);
    const before = await openLink(visitor, orderId);
    expect(await use('clock')).toBe('/?qa=leapt');
    expect(await stateOf(visitor, orderId)).toBe('expired');
    expect((await openLink(visitor, orderId)).sessionId).not.toBe(before.sessionId);
  });

  it('replays the last webhook, and ships nothing twice', async () => {
    const { orderId, visitor } = await payOrder(shop);
    // Only the webhook tells the shop of it so early.
    await expect.poll(() => stateOf(visitor, orderId), { timeout: 15_000 }).toBe('paid');
    const location = await use('replay-webhook', { order: orderId, back: `/orders/${orderId}` });
    expect(location).toBe(`/orders/${orderId}?qa=replayed`);
    const order = await (await visitor.send(`/api/orders/${orderId}`)).json();
    expect(order).toMatchObject({ fulfilments: 1 });
    expect(await use('replay-webhook', { order: 'NOSUCHORDER2' })).toBe('/?qa=none');
  });

  it('empties the sandbox, after which an order can be paid and the webhooks come again', async () => {
    const { orderId, visitor } = await placeOrder(shop);
    await openLink(visitor, orderId);
    const resets = ['reset', 'reset', 'reset'].map((action) => use(action));
    expect(await Promise.all(resets)).toEqual(resets.map(() => '/?qa=emptied'));
    expect(await subscribed()).toHaveLength(1);
    const { sessionId } = await openLink(visitor, orderId);
    await shop.control.pay(sessionId, { card });
    await letPass(shop, 'PT10S');
    // No browser returns and no page polls: only the webhook can cause a status check so early.
    await expect.poll(() => stateOf(visitor, orderId), { timeout: 15_000 }).toBe('paid');
  });

  it('leads nowhere but to a page of the shop', async () => {
    for (const back of ['//evil.example', 'https://evil.example', '/\\evil.example', '/?x', '']) {
      expect(await use('apply', { outcome: '', fault: '', back })).toBe('/?qa=applied');
    }
  });
});

it.each([
  ['was expired by hand', (sessionId: string) => shop.control.expire(sessionId)],
  ['went when the sandbox was emptied', () => shop.control.reset()],
  ['ended when the clock moved', () => shop.control.advanceClock({ by: 'PT48H' })],
])('a session that the sandbox ended is replaced if it %s without the drawer', async (_, end) => {
  const { orderId, visitor } = await placeOrder(shop);
  const before = await openLink(visitor, orderId);
  await end(before.sessionId);
  expect((await openLink(visitor, orderId)).sessionId).not.toBe(before.sessionId);
  await expect.poll(subscribed).toHaveLength(1);
});

it('a webhook that makes no sense is taken as the kit takes it', async () => {
  const send = (body: string, more: Record<string, string> = {}) => {
    const headers = { 'content-type': 'application/json', ...more };
    return new Visitor(shop.url).send('/pay/webhook', { method: 'POST', headers, body });
  };
  for (const body of ['{"broken', '[]', '"text"', 'null', '{"status":"Approved"}']) {
    for (const more of [{}, { 'x-sandbox-delivery': 'd-1' }]) {
      const answer = await send(body, more);
      expect([answer.status, await answer.json()], body).toEqual([200, {}]);
    }
  }
  expect((await send('x'.repeat(70_000))).status).toBe(413);
});

it('the bug report shows the timeline of the shopper’s own order, and nothing about the shopper', async () => {
  const { orderId, visitor } = await paidOrder(shop);
  const path = `/qa/report?page=/orders/${orderId}`;
  const report = await visitor.read(path);
  expect(report).toContain(`State: paid, shipped 1 time(s)`);
  expect(report).toContain('createPaymentLink 201');
  expect(report).not.toMatch(/Noura|0512345678|noura@|4201320111111010/);
  expect(await new Visitor(shop.url).read(path)).not.toContain('State: paid');
});

describe('the personas', () => {
  it('each begin with a page that is there', async () => {
    const page = await new Visitor(shop.url).read('/personas');
    const links = [...page.matchAll(/href="(\/personas\/[\w-]+)"/g)].map(([, link]) => link ?? '');
    expect(links).toHaveLength(15);
    for (const link of links) {
      const visitor = new Visitor(shop.url);
      const start = (await visitor.send(link)).headers.get('location') ?? '';
      expect(start).toContain('persona=');
      if (!start.startsWith('/admin')) expect((await visitor.send(start)).status).toBe(200);
    }
    await shop.control.setProfile('healthy');
    await shop.control.reset();
  });

  it('begin with a person who opens their link, and not as a picture of another site', async () => {
    const open = (site: string, dest: string) =>
      new Visitor(shop.url).send('/personas/slow', {
        headers: { 'sec-fetch-site': site, 'sec-fetch-dest': dest },
      });
    for (const part of ['image', 'iframe', 'empty', 'script'])
      expect((await open('cross-site', part)).status, part).toBe(403);
    expect((await shop.control.faults()).profile).toBe('healthy');
    expect((await open('cross-site', 'document')).status).toBe(303);
    expect((await open('same-origin', 'empty')).status).toBe(303);
    await shop.control.setProfile('healthy');
  });
});

it('with a real gateway there is no sandbox, tool, persona or bug switch', async () => {
  const { baseUrl, apiKey } = await shop.control.info();
  const other = await openTestShop({ GATEWAY_BASE_URL: baseUrl, GATEWAY_API_KEY: apiKey });
  onTestFinished(() => other.close());
  expect(other.sandboxUrl).toBe('');
  const visitor = new Visitor(other.url);
  const page = await visitor.read('/?bug=trusts-the-redirect');
  expect(page).not.toMatch(/qa-drawer|\/qa|persona/);
  expect(visitor.cookies.has('shop_bug')).toBe(false);
  for (const path of ['/personas', '/personas/happy', '/bugs', '/qa/report']) {
    expect((await visitor.send(path)).status, path).toBe(404);
  }
  expect((await visitor.postForm('/qa/reset', {})).status).toBe(404);
});
