import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPayLink, payPathOf } from '../../test-support/pay-links.ts';
import { Shop, type Reply } from '../../test-support/shop.ts';

let shop: Shop;
/** How often `loadOrder` was called. */
let asked: number;

beforeEach(async () => {
  asked = 0;
  const loadOrder = (orderId: string) => {
    asked += 1;
    return shop.orders.get(orderId);
  };
  shop = await Shop.start({ payments: { loadOrder } });
});
afterEach(() => shop.close());

const pathOf = (): string => payPathOf(shop);
const open = (
  headers: Readonly<Record<string, string>>,
  path?: string,
  method?: string,
): Promise<Reply> => openPayLink(shop, headers, path, method);

describe('a program that only looks at the address', () => {
  it.each([
    ['WhatsApp, and Signal', 'WhatsApp/2.23.20.0'],
    ['WhatsApp’s servers, and iMessage', 'facebookexternalhit/1.1 Facebot Twitterbot/1.0'],
    ['Slack', 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)'],
    ['Telegram', 'TelegramBot (like TwitterBot)'],
    ['Teams', 'Mozilla/5.0 (Windows NT 6.1) SkypeUriPreview Preview/0.5'],
    ['Outlook', 'Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0)'],
    ['a search', 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'],
    ['Facebook', 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)'],
    ['Meta', 'meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/crawler)'],
    ['Baidu', 'Mozilla/5.0 (compatible; Baiduspider/2.0)'],
    ['Embedly', 'Mozilla/5.0 (compatible; Embedly/0.2; +http://support.embed.ly/)'],
    ['Iframely', 'Iframely/1.3.1 (+https://iframely.com/docs/about)'],
    ['Gmail', 'Mozilla/5.0 (Windows NT 5.1) Firefox/11.0 (via ggpht.com GoogleImageProxy)'],
    ['Yahoo', 'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html'],
    ['an older Outlook', 'Mozilla/4.0 (compatible; ms-office; MSOffice 16)'],
  ])('as %s does, makes no link, and learns nothing of the order', async (_who, agent) => {
    const reply = await open({ 'user-agent': agent });
    expect([reply.status, reply.headers['content-type']]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    expect(reply.headers['x-robots-tag']).toBe('noindex, nofollow');
    expect(reply.text).not.toMatch(/1001|115/);
    expect(shop.gateway.seen).toHaveLength(0);
    expect(asked).toBe(0);
    expect(await shop.payments.retrieve('1001')).toBeNull();
  });

  it('by HEAD makes no link either', async () => {
    const reply = await open({}, pathOf(), 'HEAD');
    expect([reply.status, reply.text]).toEqual([200, '']);
    expect((await open({}, '/pay/link/x', 'HEAD')).status).toBe(404);
    expect(shop.gateway.seen).toHaveLength(0);
  });

  it.each([
    { 'sec-purpose': 'prefetch;prerender' },
    { purpose: 'prefetch' },
    { 'x-moz': 'prefetch' },
    { 'x-purpose': 'preview' },
  ])('ahead of a person (%o) gets an answer that no browser keeps', async (headers) => {
    const reply = await open(headers);
    expect([reply.status, reply.text]).toEqual([503, '']);
    expect(shop.gateway.seen).toHaveLength(0);
    expect((await open({})).status).toBe(303);
  });

  it('that was a person all the same pays by the page’s button', async () => {
    const agent = { 'user-agent': 'Mozilla/5.0 (Linux) SomeReader/1.0 (bot)' };
    const page = await open(agent);
    expect(page.text).toContain('<form method="post">');
    expect(page.text).toContain('<button>Continue to payment</button>');
    const reply = await open(agent, pathOf(), 'POST');
    expect(reply.status).toBe(303);
    expect(reply.headers.location).toMatch(/\/checkout\?sessionId=/);
  });

  it('is no telephone of a maker called Cubot', async () => {
    const agent = 'Mozilla/5.0 (Linux; Android 13; CUBOT P60) Chrome/126.0 Mobile Safari/537.36';
    expect((await open({ 'user-agent': agent })).status).toBe(303);
  });

  it('without a name of its own makes one link, however often it looks', async () => {
    for (let looks = 0; looks < 30; looks += 1) {
      expect((await shop.send(pathOf(), {})).status).toBe(303);
    }
    expect(shop.gateway.creates).toHaveLength(1);
  });
});
