import express from 'express';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { faultsOf, HostileClient, requestsTo } from '../../contract/hostile-requests.ts';
import { routesOfApps, type ListedRoute } from '../../contract/routes-of-apps.ts';
import { openTestShop, placeOrder, type TestShop } from './testing/test-shop.ts';

let shop: TestShop;
let orderId: string;
let routes: readonly ListedRoute[];
beforeAll(async () => {
  const uses = vi.spyOn(express.Router.prototype, 'use');
  shop = await openTestShop();
  ({ orderId } = await placeOrder(shop));
  routes = routesOfApps(uses.mock.contexts).filter(({ path }) => !path.startsWith('/_sandbox'));
  uses.mockRestore();
});
afterAll(() => shop.close());

it(
  'answers hostile requests of strangers to each route as it should',
  { timeout: 300_000 },
  async () => {
    expect(routes.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        '/admin/shop-orders/:orderId',
        '/api/admin/sales',
        '/qa/report',
        '/basket/add',
      ]),
    );
    // The order's shopper is someone else, and so is the admin.
    const secrets = [shop.adminToken, 'noura@example.com', '0512345678'];
    const client = new HostileClient(shop.port);
    const faults: string[] = [];
    await Promise.all(
      routes.map(async ({ method, path }) => {
        for (const request of requestsTo(method, path.replaceAll(/:\w+/g, orderId))) {
          const answer = await client.send(request);
          const of = `${request.method} ${request.path} ${JSON.stringify(request.headers)}`;
          faults.push(...faultsOf(answer, secrets).map((fault) => `${of}: ${fault}`));
        }
      }),
    );
    client.close();
    expect(faults).toEqual([]);
  },
);
