/**
 * Our shop in a process of its own, with its background work and the time-outs of
 * docs/security-model.md. Tells its port to the process that started it, then answers each message: a
 * heap's size, or a new price of an order.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { StoreName } from '../engine/names.ts';
import { orderOf } from '../engine/orders.ts';
import { ourShop } from '../engine/our-shop.ts';

/** A request of the measurement to the shop's process. */
export type ShopMessage = { readonly heap: true } | { readonly repriced: string };

const [storeName = 'SQLite', gatewayOrigin = '', address = ''] = process.argv.slice(2);
/** Orders that cost 115.00 by now, and 99.50 before. */
const repriced = new Set<string>();
const isCheap = (orderId: string): boolean => orderId.startsWith('two-') && !repriced.has(orderId);
const loadOrder = (orderId: string): ReturnType<typeof orderOf> => ({
  ...orderOf(orderId),
  ...(isCheap(orderId) ? { amount: '99.50' } : {}),
});
const app = await ourShop(gatewayOrigin, storeName as StoreName, address, true, loadOrder);
const timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
  keepAliveTimeout: 65_000,
};
const server = createServer(timeouts, app);
server.maxConnections = 2_000;
server.listen({ port: 0, host: '127.0.0.1', backlog: 2_000 }, () => {
  process.send?.((server.address() as AddressInfo).port);
});
process.on('message', (message: ShopMessage) => {
  if ('repriced' in message) repriced.add(message.repriced);
  else globalThis.gc?.();
  process.send?.(process.memoryUsage().heapUsed);
});
process.once('disconnect', () => process.exit());
