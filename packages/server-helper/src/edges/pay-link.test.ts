import { beforeEach, describe, expect, it } from 'vitest';
import { openPayLink, payPathOf } from '../../test-support/pay-links.ts';
import { sendJson, statusRow } from '../../test-support/scripted-gateway.ts';
import { startShop } from '../../test-support/shop-of-test.ts';
import { expectProblem, type Shop, type ShopOptions } from '../../test-support/shop.ts';

const THANKS = 'https://shop.example/thanks/1001';

let shop: Shop;
/** What `loadOrder` was given, of each call. */
let given: unknown[][];

async function start({ payments, ...options }: ShopOptions = {}): Promise<void> {
  given = [];
  const loadOrder = (...asked: [orderId: string, ...unknown[]]) => {
    given.push(asked);
    return shop.orders.get(asked[0]) ?? null;
  };
  shop = await startShop({ ...options, payments: { loadOrder, ...payments } });
}
beforeEach(() => start());

/** Where the pay link leads, as status and address. */
async function opened(): Promise<readonly [number, string | undefined]> {
  const { status, headers } = await openPayLink(shop);
  return [status, headers.location];
}

/** How often the gateway was asked about a link. */
const asked = (): number => shop.gateway.seen.filter(({ path }) => path.endsWith('/status')).length;

/** Opens the pay link once. @returns the hosted page that it led to, and what gives its session rows. */
async function openedOnce() {
  const [, hosted = ''] = await opened();
  const has = (...rows: readonly unknown[]): void => {
    shop.gateway.rows.set(new URL(hosted).searchParams.get('sessionId') ?? '', rows);
  };
  return { hosted, has };
}

describe('the address that leads to a payment link', () => {
  it('is the same at each call, another for each order, and below the router', async () => {
    const { payments } = shop;
    const address = payments.payLink('1001');
    expect(address).toMatch(/^https:\/\/shop\.example\/pay\/link\/[A-Za-z0-9_-]{60,}$/);
    expect(payments.payLink('1001')).toBe(address);
    expect(payments.payLink('1002')).not.toBe(address);
    const refusal = expect.objectContaining({ code: 'invalid_order' }) as Error;
    expect(() => payments.payLink('../1001')).toThrow(refusal);
  });

  it('gives the link that the shop’s own page gave, and asks loadOrder without a request', async () => {
    const { session } = await shop.open();
    for (const accept of ['text/html', '*/*']) {
      const { status, headers } = await openPayLink(shop, { cookie: 'a stranger', accept });
      expect([status, headers.location]).toEqual([303, expect.stringContaining(session)]);
      const kept = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };
      expect(headers).toMatchObject(kept);
      expect(given.at(-1)).toEqual(['1001', undefined, {}]);
    }
    expect(shop.gateway.creates).toHaveLength(1);
  });

  it('asks about an earlier link before it makes another, as the checkout does', async () => {
    const { session } = await shop.open();
    shop.gateway.rows.set(session, [statusRow()]);
    shop.reprice('99.00');
    shop.later();
    const reply = await openPayLink(shop);
    expect([reply.status, reply.text]).toEqual([409, expect.stringContaining('being reviewed')]);
    expect(shop.gateway.creates).toHaveLength(1);
  });

  it('leads to the waiting page where the money came after the order was cancelled', async () => {
    const { session } = await shop.open();
    await shop.payments.cancel('1001');
    await shop.finds(session, {});
    expect(await opened()).toEqual([303, 'https://shop.example/wait/1001']);
  });

  it('does not say that nothing was charged while the gateway is silent about an earlier link', async () => {
    await shop.open();
    shop.gateway.answerStatus(500);
    shop.reprice('99.00');
    shop.later();
    const replies = [await openPayLink(shop), await shop.checkout({ orderId: '1001' })];
    for (const { status, text } of replies)
      expect([status, text]).toEqual([502, expect.stringContaining('No new payment was started')]);
  });

  it('leads nowhere with a token of another purpose, of no order or of another secret, all alike', async () => {
    const { status, success } = await shop.open();
    const token = (path: string): string => path.split('/').at(-1) ?? '';
    const own = token(payPathOf(shop));
    const changed = [own.slice(1), `${own}A`, `${own.slice(0, -4)}AAAA`, 'x'];
    const others = [token(status), token(success), ...changed];
    const replies = await Promise.all(others.map((one) => shop.send(`/pay/link/${one}`)));
    for (const reply of replies) expectProblem(reply, 404, 'not_found');
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    const page = await openPayLink(shop, {}, '/pay/link/x');
    expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(given).toHaveLength(1);
  });

  it('is refused too many requests for an order, and previews count for none', async () => {
    await start({ payments: { limits: { checkoutsPerOrder: 2 } } });
    const preview = { 'user-agent': 'WhatsApp/2.2' };
    for (let looks = 0; looks < 5; looks += 1) await openPayLink(shop, preview);
    const replies = [await openPayLink(shop), await openPayLink(shop), await openPayLink(shop)];
    expect(replies.map(({ status }) => status)).toEqual([303, 303, 429]);
    expect(replies[2]?.text).toMatch(/Wait a minute.*انتظر دقيقة/);
  });

  it('is refused too many requests of an address before its token is read', async () => {
    const limits = { checkoutsPerAddress: 2 };
    await start({ proxies: 1, payments: { limits } });
    const from = { 'x-forwarded-for': '203.0.113.9' };
    const statuses = [];
    for (const path of ['/pay/link/x', payPathOf(shop), '/pay/link/x', payPathOf(shop)]) {
      statuses.push((await openPayLink(shop, from, path)).status);
    }
    expect(statuses).toEqual([404, 303, 429, 429]);
  });
});

describe('a pay link that is opened again', () => {
  it('thanks who has paid and was never heard of, and asks for no more money', async () => {
    const { has } = await openedOnce();
    expect(asked()).toBe(0);
    has(statusRow());
    expect(await opened()).toEqual([303, THANKS]);
    expect(await shop.state()).toBe('paid');
  });

  it('says that a person looks at it where the money is not the order’s', async () => {
    const { has } = await openedOnce();
    has(statusRow({ amount: '1.00' }));
    const reply = await openPayLink(shop, { accept: 'application/json' });
    expectProblem(reply, 409, 'in_review');
  });

  it('leads to the same page while nothing was paid, and asks no more often than a return does', async () => {
    const { hosted, has } = await openedOnce();
    for (let looks = 0; looks < 5; looks += 1) expect(await opened()).toEqual([303, hosted]);
    expect(asked()).toBe(1);
    // What a shopper did since the answer is not lost: the next tick asks for them.
    has(statusRow());
    shop.later();
    await shop.payments.tick();
    expect(await shop.state()).toBe('paid');
    expect(await opened()).toEqual([303, THANKS]);
    expect(asked()).toBe(2);
  });

  it('asks once about a link that it does not offer again, before it makes another', async () => {
    const { hosted } = await openedOnce();
    shop.reprice('99.00');
    expect(await opened()).not.toEqual([303, hosted]);
    expect([asked(), shop.gateway.creates.length]).toEqual([1, 2]);
  });

  it('leads to the same page where the gateway does not answer', async () => {
    const { hosted } = await openedOnce();
    shop.gateway.script = (_request, response) => sendJson(response, 503, {});
    expect(await opened()).toEqual([303, hosted]);
    expect(asked()).toBeGreaterThan(0);
  });

  it('says that it is tried again where the shop’s own part fails', async () => {
    const inTransaction = () => {
      throw new Error('the shelf is empty');
    };
    await start({ payments: { inTransaction, onError: () => undefined } });
    const { has } = await openedOnce();
    has(statusRow());
    expect(await opened()).toEqual([503, undefined]);
  });
});

describe('what cannot be paid now', () => {
  it('is a page in words, with the checkout’s status and without scripts', async () => {
    await shop.open();
    await shop.payments.cancel('1001');
    const reply = await openPayLink(shop);
    const text = expect.stringContaining('This order was cancelled.');
    expect(reply).toMatchObject({ status: 409, text });
    expect(reply.text).not.toMatch(/<script|1001/);
    expect(reply.headers['content-security-policy']).toMatch(
      /^default-src 'none'; base-uri 'none'; style-src 'sha256-[^']+'; frame-ancestors 'none'$/,
    );
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8');
  });

  const [english, arabic] = ['This order was cancelled.', 'تم إلغاء هذا الطلب.'];
  it.each([
    ['ar-SA,ar;q=0.9', 'ar', [arabic]],
    ['en-GB,en;q=0.9', 'en', [english]],
    ['en;q=0.3, ar;q=0.8', 'ar', [arabic, english]],
    ['fr-FR,fr;q=0.9', 'en', [english, arabic]],
    ['ar;q=0, en', 'en', [english]],
  ])('is said to a browser that asks for %s in %s first', async (header, first, words) => {
    await shop.open();
    await shop.payments.cancel('1001');
    const { text } = await openPayLink(shop, { 'accept-language': header });
    expect(text).toContain(`<html lang="${first}" dir="${first === 'ar' ? 'rtl' : 'ltr'}">`);
    const [, main = ''] = text.split('<main>');
    const said = [...main.matchAll(new RegExp(`${english}|${arabic}`, 'g'))];
    expect(said.map(([found]) => found)).toEqual(words);
  });

  it.each<[string, number, string, () => void]>([
    ['an order that is gone', 404, 'There is no such order', () => shop.orders.clear()],
    ['a gateway that is away', 502, 'did not answer', () => shop.gateway.answer({ '': 'hang up' })],
    ['a store that is away', 503, 'not possible right now', () => void (shop.isStoreDown = true)],
  ])('is %s: %i', async (_what, status, words, happens) => {
    happens();
    const reply = await openPayLink(shop);
    expect([reply.status, reply.text]).toEqual([status, expect.stringContaining(words)]);
  });
});

describe('a program that only looks at the address', () => {
  it('makes no link, and learns nothing of the order, whichever program looks', async () => {
    for (const agent of [
      'WhatsApp/2.23.20.0',
      'facebookexternalhit/1.1 Facebot Twitterbot/1.0',
      'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
      'TelegramBot (like TwitterBot)',
      'Mozilla/5.0 (Windows NT 6.1) SkypeUriPreview Preview/0.5',
      'Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0)',
      'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
      'meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/crawler)',
      'Mozilla/5.0 (compatible; Baiduspider/2.0)',
      'Mozilla/5.0 (compatible; Embedly/0.2; +http://support.embed.ly/)',
      'Iframely/1.3.1 (+https://iframely.com/docs/about)',
      'Mozilla/5.0 (Windows NT 5.1) Firefox/11.0 (via ggpht.com GoogleImageProxy)',
      'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html',
      'Mozilla/4.0 (compatible; ms-office; MSOffice 16)',
    ]) {
      const { status, headers, text } = await openPayLink(shop, { 'user-agent': agent });
      expect([agent, status, headers['content-type'], headers['x-robots-tag']]).toEqual([
        agent,
        200,
        'text/html; charset=utf-8',
        'noindex, nofollow',
      ]);
      expect(text).not.toMatch(/1001|115/);
    }
    const head = await openPayLink(shop, {}, payPathOf(shop), 'HEAD');
    expect([head.status, head.text]).toEqual([200, '']);
    expect((await openPayLink(shop, {}, '/pay/link/x', 'HEAD')).status).toBe(404);
    expect([shop.gateway.seen, given]).toEqual([[], []]);
    expect(await shop.payments.retrieve('1001')).toBeNull();
  });

  it.each([
    { 'sec-purpose': 'prefetch;prerender' },
    { purpose: 'prefetch' },
    { 'x-moz': 'prefetch' },
    { 'x-purpose': 'preview' },
  ])('ahead of a person (%o) gets an answer that no browser keeps', async (headers) => {
    const reply = await openPayLink(shop, headers);
    expect([reply.status, reply.text, shop.gateway.seen]).toEqual([503, '', []]);
    expect((await opened())[0]).toBe(303);
  });

  it('that was a person all the same pays by the page’s button', async () => {
    const agent = { 'user-agent': 'Mozilla/5.0 (Linux) SomeReader/1.0 (bot)' };
    const page = await openPayLink(shop, agent);
    expect(page.text).toMatch(/<form method="post">.*<button>Continue to payment<\/button>/);
    const { status, headers } = await openPayLink(shop, agent, payPathOf(shop), 'POST');
    const location = expect.stringContaining('/checkout?sessionId=');
    expect([status, headers]).toMatchObject([303, { location }]);
  });

  it('is no telephone of a maker called Cubot', async () => {
    const agent = 'Mozilla/5.0 (Linux; Android 13; CUBOT P60) Chrome/126.0 Mobile Safari/537.36';
    expect((await openPayLink(shop, { 'user-agent': agent })).status).toBe(303);
  });
});
