import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createPayments } from '../index.ts';
import { someOptions } from '../../test-support/some-options.ts';
import { startShop } from '../../test-support/shop-of-test.ts';

const asJson = { 'content-type': 'application/json' };

describe('payments.handle', () => {
  const checkout = (url = 'https://any.example/pay/checkout'): Request =>
    new Request(url, { method: 'POST', headers: asJson, body: '{"orderId":"1001"}' });

  it('gives loadOrder the context that it was handed, and must be handed one of its type', async () => {
    const shoppers: unknown[] = [];
    const payments = createPayments({
      ...someOptions(),
      loadOrder: (_orderId, context: { readonly shopper: string } | undefined) => (
        shoppers.push(context?.shopper),
        null
      ),
    });
    await payments.handle(checkout(), { context: { shopper: 'Noura' } });
    // @ts-expect-error: without a context loadOrder would be given the request
    await payments.handle(checkout());
    // @ts-expect-error: loadOrder takes another context
    await payments.handle(checkout(), { context: { user: 'Noura' } });
    // @ts-expect-error: loadOrder would be given a request of Node's
    payments.router();
    expect(shoppers).toEqual(['Noura', undefined, undefined]);
    await payments.close();
  });

  it('takes the type of loadOrder’s request from how loadOrder is written', async () => {
    const cookies: unknown[] = [];
    const payments = createPayments({
      ...someOptions(),
      loadOrder: (_orderId, request: Request | undefined) => (
        cookies.push(request?.headers.get('cookie')),
        null
      ),
    });
    const request = checkout();
    request.headers.set('cookie', 'mine');
    expect((await payments.handle(request)).status).toBe(404);
    await expect(payments.ensureLink('1001')).rejects.toThrow();
    expect(cookies).toEqual(['mine', undefined]);
    // @ts-expect-error: loadOrder would be given a request of Node's
    payments.router();
    await payments.close();
  });

  it.each([
    ['Hono’s context', { req: { raw: checkout('https://any.example/') } }, /context\.req\.raw/],
    ['a request in an event', { request: checkout() }, '({ request }) => payments.handle(request)'],
    [
      'a request of Node’s own',
      Object.assign(new IncomingMessage(new Socket()), { method: 'POST', url: '/pay/checkout' }),
      /app\.use\("\/pay", payments\.router\(\)\)/,
    ],
    ['nothing', undefined, /payments\.handle\(request\)/],
  ])('that is given %s says at once what to write', async (_what, given, words) => {
    const shop = await startShop();
    const call = (): unknown => shop.payments.handle(given as never);
    expect(call).toThrow(expect.objectContaining({ code: 'not_a_request' }));
    expect(call).toThrow(words);
  });

  const elsewhere = ['/elsewhere/checkout', '/api/pay/checkout', '/checkout'];
  it.each(elsewhere)('says that %s is not below the mount', async (path) => {
    const shop = await startShop();
    const answer = await shop.payments.handle(checkout(`https://any.example${path}`));
    expect(answer.status).toBe(500);
    expect(await answer.json()).toMatchObject({ code: 'mount_mismatch' });
    expect(shop.logged.join()).toContain('mountPath is \\"/pay\\"');
  });

  const noRoutes = ['/', '/pay', '/pay/nothing', '/pay/status', '/a/b/c/d', '//'];
  it.each(noRoutes)('answers 404 where there is no route: %s', async (path) => {
    const shop = await startShop();
    const answer = await shop.payments.handle(new Request(`https://any.example${path}`));
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ code: 'not_found' });
  });

  it('says that the body was read before it came', async () => {
    const shop = await startShop();
    const request = checkout();
    await request.text();
    const answer = await shop.payments.handle(request);
    expect(await answer.json()).toMatchObject({ status: 500, code: 'body_already_read' });
  });
});
