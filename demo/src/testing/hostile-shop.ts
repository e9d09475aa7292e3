import express from 'express';
import { expect, onTestFinished, vi } from 'vitest';
import { faultsOfRoutes, routesOfApps } from '../../../contract/hostile-requests.ts';
import { openTestShop, placeOrder } from './test-shop.ts';

/** What is wrong with the answers of each route to hostile requests of strangers, all or some. */
export async function hostileFaults(every: number): Promise<readonly string[]> {
  const uses = vi.spyOn(express.Router.prototype, 'use');
  onTestFinished(() => uses.mockRestore());
  const shop = await openTestShop();
  onTestFinished(() => shop.close());
  const { orderId } = await placeOrder(shop);
  const all = routesOfApps(uses.mock.contexts);
  const listed = all.filter(({ path }) => !path.startsWith('/_sandbox'));
  const some = ['/admin/shop-orders/:orderId', '/api/admin/sales', '/qa/report', '/basket/add'];
  expect(listed.map(({ path }) => path)).toEqual(expect.arrayContaining(some));
  const routes = listed.map((one) => ({ ...one, path: one.path.replaceAll(/:\w+/g, orderId) }));
  // The order's shopper is someone else, and so is the admin.
  const secrets = [shop.adminToken, 'noura@example.com', '0512345678'];
  return faultsOfRoutes(routes, { port: shop.port, secrets, every });
}
