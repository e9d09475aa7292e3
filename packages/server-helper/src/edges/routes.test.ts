import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { sendJson } from '../../test-support/scripted-gateway.ts';
import { startShop } from '../../test-support/shop-of-test.ts';
import { expectProblem, type Shop, type ShopOptions } from '../../test-support/shop.ts';
import { payPathOf } from '../../test-support/pay-links.ts';

const [SECRET, FORMER] = ['5f1c0a7be2d94f36a8c07d11e93b42f6', 'e93b42f65f1c0a7be2d94f36a8c07d11'];

const start = (payments: ShopOptions['payments'] = {}): Promise<Shop> => startShop({ payments });
const order = { orderId: '1001' };
const pathOf = (url: unknown): string => new URL(String(url)).pathname;

describe('the routes', () => {
  it('are each where they were renamed to, the return and the status in the addresses too', async () => {
    const told = { return: '/back/from-gateway', status: '/state' };
    const others = { checkout: '/start', webhook: '/hook', health: '/alive', link: '/go' };
    const shop = await start({ routes: { ...told, ...others } });
    const { json: link } = await shop.post('/pay/start', order);
    expect(link['statusUrl']).toMatch(/^https:\/\/shop\.example\/pay\/state\//);
    const { successUrl, failureUrl } = shop.gateway.creates[0]!.body as Record<string, string>;
    expect(successUrl).toMatch(/^https:\/\/shop\.example\/pay\/back\/from-gateway\/success\//);
    for (const path of [pathOf(successUrl), pathOf(failureUrl), payPathOf(shop)]) {
      expect((await shop.send(path)).status).toBe(303);
    }
    for (const path of [pathOf(link['statusUrl']), '/pay/alive']) {
      expect((await shop.send(path)).status).toBe(200);
    }
    for (const [path, status] of [
      ['/pay/hook', 200],
      ['/pay/hook/key', 200],
      ['/pay/checkout', 404],
      ['/pay/webhook', 404],
      ['/pay/webhook/key', 404],
    ] as const) {
      expect([path, (await shop.post(path, order)).status]).toEqual([path, status]);
    }
    expect((await shop.send('/pay/health')).status).toBe(404);
    expect((await shop.send('/pay/link/x')).status).toBe(404);
  });

  it('are not there where they were left out, and the link tells no status address', async () => {
    const routes = { status: false, webhook: false, health: false, link: false } as const;
    const shop = await start({ routes });
    const link = await shop.post('/pay/checkout', order);
    expect(Object.keys(link.json)).toEqual(['redirectUrl']);
    for (const path of ['/pay/webhook', '/pay/webhook/key']) {
      expect((await shop.post(path, order)).status).toBe(404);
    }
    for (const path of ['/pay/health', '/pay/status/x', '/pay/link/x']) {
      expect((await shop.send(path)).status).toBe(404);
    }
    const off = expect.objectContaining({ code: 'link_route_off' }) as Error;
    expect(() => shop.payments.payLink('1001')).toThrow(off);
    const without = await start({ routes: { checkout: false } });
    expect((await without.post('/pay/checkout', order)).status).toBe(404);
  });

  it('know an address that a former secret signed, until that secret is dropped', async () => {
    const first = await start({ tokenSecrets: [FORMER] });
    const { status, success } = await first.open();
    const sent = [status, success, payPathOf(first)];
    for (const former of [[FORMER], []]) {
      const shop = await start({ tokenSecrets: [SECRET, ...former] });
      await shop.open();
      const replies = await Promise.all(sent.map((path) => shop.send(path)));
      const statuses = replies.map((reply) => reply.status);
      expect(statuses).toEqual(former.length > 0 ? [200, 303, 303] : [404, 404, 404]);
      expect(payPathOf(shop)).not.toBe(sent[2]);
    }
  });

  it.each([
    ['/pay/checkout', 'POST'],
    ['/pay/link/x', 'GET, HEAD, POST'],
    ['/pay/return/success/x', 'GET, HEAD, POST'],
    ['/pay/status/x', 'GET, HEAD'],
    ['/pay/webhook', 'POST'],
    ['/pay/webhook/key', 'POST'],
    ['/pay/health', 'GET, HEAD'],
    ['/pay/health/live', 'GET, HEAD'],
  ])('answer at %s any other method with 405 and %s', async (path, allow) => {
    const shop = await start();
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      if (allow.includes(method)) continue;
      const reply = await shop.send(path, { method });
      expectProblem(reply, 405, 'method_not_allowed');
      expect(reply.headers.allow).toBe(allow);
    }
    const asked = await shop.send(path, { method: 'OPTIONS' });
    expect([asked.status, asked.headers.allow, asked.text]).toEqual([204, allow, '']);
  });
});

describe('a gateway that refuses the key', () => {
  /** Asks a shop for a link twice, and gives what stood on the console by then. */
  async function askTwice(payments?: ShopOptions['payments']) {
    const error = vi.spyOn(console, 'error').mockReturnValue();
    onTestFinished(() => error.mockRestore());
    const shop = await start(payments);
    const refusal = { statusCode: 401, message: 'Invalid API key', error: 'Unauthorized' };
    shop.gateway.script = (_request, response) => sendJson(response, 401, refusal);
    await shop.checkout(order);
    await shop.checkout(order);
    return { shop, error };
  }

  it('is told to a shop without a logger on the console, once a minute, with the fix’s address', async () => {
    const { shop, error } = await askTwice({ logger: undefined as never });
    const line =
      /errors\.md#unauthorized; .*doctor.* \(code unauthorized\) \(said Invalid API key\)$/;
    expect(error.mock.calls).toEqual([[expect.stringMatching(line)]]);
    shop.later(61_000);
    await shop.checkout(order);
    expect(error).toHaveBeenCalledTimes(2);
  });

  it('is told to a logger each time, and not to the console', async () => {
    const { shop, error } = await askTwice();
    expect(shop.logged.filter((line) => line.includes('errors.md#unauthorized'))).toHaveLength(2);
    expect(error).not.toHaveBeenCalled();
  });
});
