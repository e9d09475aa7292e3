import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPayLink, payPathOf } from '../../test-support/pay-links.ts';
import { statusRow } from '../../test-support/scripted-gateway.ts';
import { expectProblem, Shop, type Reply, type ShopOptions } from '../../test-support/shop.ts';

let shop: Shop;
/** What `loadOrder` was given, of each call. */
let given: unknown[][];

async function start(options: ShopOptions = {}): Promise<void> {
  given = [];
  const { payments, ...others } = options;
  shop = await Shop.start({
    ...others,
    payments: {
      loadOrder: (...asked) => {
        given.push(asked);
        return shop.orders.get(asked[0]) ?? null;
      },
      ...payments,
    },
  });
}
afterEach(() => shop.close());

const pathOf = (): string => payPathOf(shop);
const open = (headers?: Readonly<Record<string, string>>, path?: string): Promise<Reply> =>
  openPayLink(shop, headers, path);

describe('the address that leads to a payment link', () => {
  beforeEach(() => start());

  it('is the same at each call, another for each order, and below the router', () => {
    const address = shop.payments.payLink('1001');
    expect(address).toMatch(/^https:\/\/shop\.example\/pay\/link\/[A-Za-z0-9_-]{60,}$/);
    expect(shop.payments.payLink('1001')).toBe(address);
    expect(shop.payments.payLink('1002')).not.toBe(address);
  });

  it('sends a person to the hosted page, each time to the same one', async () => {
    const replies = [await open(), await open(), await open({ accept: '*/*' })];
    for (const reply of replies) {
      expect(reply.status).toBe(303);
      expect(reply.headers.location).toBe(replies[0]?.headers.location);
      expect(reply.headers.location).toMatch(/\/checkout\?sessionId=/);
      expect(reply.headers).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      });
    }
    expect(shop.gateway.creates).toHaveLength(1);
  });

  it('gives the link that the shop’s own page gave, and asks loadOrder without a request', async () => {
    const { session } = await shop.open();
    const { headers } = await open({ cookie: 'a stranger' });
    expect(headers.location).toContain(session);
    expect(given.at(-1)).toEqual(['1001', undefined, {}]);
  });

  it('sends a person whose order is paid to the thanks page, and asks for no more money', async () => {
    const { session, success } = await shop.open();
    shop.gateway.rows.set(session, [statusRow()]);
    await shop.send(success);
    const { status, headers } = await open();
    expect([status, headers.location]).toEqual([303, 'https://shop.example/thanks/1001']);
    expect(shop.gateway.creates).toHaveLength(1);
  });

  it('asks about an earlier link before it makes another, as the checkout does', async () => {
    const { session } = await shop.open();
    shop.gateway.rows.set(session, [statusRow()]);
    shop.reprice('99.00');
    shop.later();
    const reply = await open();
    expect(reply.status).toBe(409);
    expect(reply.text).toContain('being reviewed');
    expect(shop.gateway.creates).toHaveLength(1);
  });

  it('leads nowhere with a token of another purpose, of no order or of another secret, all alike', async () => {
    const { status, success } = await shop.open();
    const token = (path: string): string => path.split('/').at(-1) ?? '';
    const own = token(pathOf());
    const bad = [
      token(status),
      token(success),
      own.slice(1),
      `${own}A`,
      `${own.slice(0, -4)}AAAA`,
      'x',
    ];
    const replies = await Promise.all(
      bad.map((one) => shop.send(`/pay/link/${one}`, { headers: { accept: 'application/json' } })),
    );
    for (const reply of replies) expectProblem(reply, 404, 'not_found');
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    const page = await open({}, '/pay/link/x');
    expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(given).toHaveLength(1);
  });

  it('refuses what is no order’s id', () => {
    expect(() => shop.payments.payLink('../1001')).toThrow(
      expect.objectContaining({ code: 'invalid_order' }) as Error,
    );
  });
});

describe('too many requests', () => {
  it('for an order are refused, and previews count for none', async () => {
    await start({ payments: { limits: { checkoutsPerOrder: 2 } } });
    for (let looks = 0; looks < 5; looks += 1) await open({ 'user-agent': 'WhatsApp/2.2' });
    const statuses = [await open(), await open(), await open()].map(({ status }) => status);
    expect(statuses).toEqual([303, 303, 429]);
  });

  it('of an address are refused before its token is read', async () => {
    await start({ proxies: 1, payments: { limits: { checkoutsPerAddress: 2 } } });
    const from = { 'x-forwarded-for': '203.0.113.9' };
    const statuses = [];
    for (const path of ['/pay/link/x', pathOf(), '/pay/link/x', pathOf()]) {
      statuses.push((await open(from, path)).status);
    }
    expect(statuses).toEqual([404, 303, 429, 429]);
  });
});

describe('the route', () => {
  const [SECRET, FORMER] = ['5f1c0a7be2d94f36a8c07d11e93b42f6', 'e93b42f65f1c0a7be2d94f36a8c07d11'];

  it('is where it was renamed to', async () => {
    await start({ payments: { routes: { link: '/go' } } });
    expect(pathOf()).toMatch(/^\/pay\/go\//);
    expect((await open()).status).toBe(303);
    expect((await shop.send('/pay/link/x')).status).toBe(404);
  });

  it('that was left out is not there, and its address is refused with a code', async () => {
    await start({ payments: { routes: { link: false } } });
    expect(() => shop.payments.payLink('1001')).toThrow(
      expect.objectContaining({ code: 'link_route_off' }) as Error,
    );
    const unserved = await shop.send('/pay/link/x');
    expect([unserved.status, unserved.headers['content-type']]).toEqual([
      404,
      'text/html; charset=utf-8',
    ]);
  });

  it('knows an address that a former secret signed, until that secret is dropped', async () => {
    await start({ payments: { tokenSecrets: [FORMER] } });
    const sent = pathOf();
    const statuses: number[] = [];
    for (const tokenSecrets of [[SECRET, FORMER], [SECRET]]) {
      await shop.close();
      await start({ payments: { tokenSecrets } });
      statuses.push((await open({}, sent)).status);
      expect(pathOf()).not.toBe(sent);
    }
    expect(statuses).toEqual([303, 404]);
  });
});
