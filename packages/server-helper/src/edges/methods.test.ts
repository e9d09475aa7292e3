import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectProblem, Shop } from '../../test-support/shop.ts';

const routes = [
  ['/pay/checkout', 'POST'],
  ['/pay/link/x', 'GET, HEAD, POST'],
  ['/pay/return/success/x', 'GET, HEAD, POST'],
  ['/pay/return/failure/x', 'GET, HEAD, POST'],
  ['/pay/status/x', 'GET, HEAD'],
  ['/pay/webhook', 'POST'],
  ['/pay/webhook/key', 'POST'],
  ['/pay/health', 'GET, HEAD'],
  ['/pay/health/live', 'GET, HEAD'],
  ['/pay/health/ready', 'GET, HEAD'],
] as const;

describe('methods', () => {
  let shop: Shop;
  beforeEach(async () => void (shop = await Shop.start()));
  afterEach(() => shop.close());

  it.each(routes)('%s answers any other method with 405 and %s', async (path, allow) => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      if (allow.includes(method)) continue;
      const reply = await shop.send(path, { method });
      expectProblem(reply, 405, 'method_not_allowed');
      expect(reply.headers.allow).toBe(allow);
    }
    const asked = await shop.send(path, { method: 'OPTIONS' });
    expect([asked.status, asked.headers.allow, asked.text]).toEqual([204, allow, '']);
  });

  it('HEAD is answered like GET, without a body', async () => {
    const { status } = await shop.open();
    for (const path of [status, '/pay/health']) {
      const [get, head] = [await shop.send(path), await shop.send(path, { method: 'HEAD' })];
      expect([head.status, head.text]).toEqual([get.status, '']);
      expect(head.headers['content-type']).toBe(get.headers['content-type']);
    }
  });
});
