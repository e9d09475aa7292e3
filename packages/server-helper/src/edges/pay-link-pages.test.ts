import { afterEach, describe, expect, it } from 'vitest';
import { openPayLink } from '../../test-support/pay-links.ts';
import { Shop, type Reply } from '../../test-support/shop.ts';

let shop: Shop;
afterEach(() => shop.close());

const open = (headers?: Readonly<Record<string, string>>): Promise<Reply> =>
  openPayLink(shop, headers);

describe('what cannot be paid now', () => {
  it('is a page in words, with the checkout’s status and without scripts', async () => {
    shop = await Shop.start();
    await shop.open();
    await shop.payments.cancel('1001');
    const reply = await open();
    expect(reply.status).toBe(409);
    expect(reply.text).toContain('This order was cancelled.');
    expect(reply.text).not.toMatch(/<script|1001/);
    expect(reply.headers['content-security-policy']).toMatch(
      /^default-src 'none'; base-uri 'none'; style-src 'sha256-[^']+'; frame-ancestors 'none'$/,
    );
    expect(reply.headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'content-type': 'text/html; charset=utf-8',
    });
  });

  it.each([
    ['ar-SA,ar;q=0.9', 'ar', ['تم إلغاء هذا الطلب.'], ['This order']],
    ['en-GB,en;q=0.9', 'en', ['This order was cancelled.'], ['تم إلغاء']],
    ['en;q=0.3, ar;q=0.8', 'ar', ['تم إلغاء هذا الطلب.', 'This order was cancelled.'], []],
    ['fr-FR,fr;q=0.9', 'en', ['This order was cancelled.', 'تم إلغاء هذا الطلب.'], []],
    ['ar;q=0, en', 'en', ['This order was cancelled.'], ['تم إلغاء']],
  ])('is said to a browser that asks for %s in %s first', async (header, first, has, lacks) => {
    shop = await Shop.start();
    await shop.open();
    await shop.payments.cancel('1001');
    const { text } = await open({ 'accept-language': header });
    expect(text).toContain(`<html lang="${first}" dir="${first === 'ar' ? 'rtl' : 'ltr'}">`);
    expect(has.map((words) => text.indexOf(words))).toEqual(
      has.map((words) => text.indexOf(words)).toSorted((one, other) => one - other),
    );
    for (const words of has) expect(text).toContain(words);
    for (const words of lacks) expect(text).not.toContain(words);
  });

  it.each([
    ['an order that is gone', 404, 'There is no such order', () => shop.orders.clear()],
    [
      'a gateway that is away',
      502,
      'did not answer',
      () => void (shop.gateway.script = (_request, response) => void response.destroy()),
    ],
    ['a store that is away', 503, 'not possible right now', () => void (shop.isStoreDown = true)],
  ])('is %s: %i', async (_what, status, words, happens) => {
    shop = await Shop.start();
    happens();
    const reply = await open();
    expect(reply.status).toBe(status);
    expect(reply.text).toContain(words);
  });
});
