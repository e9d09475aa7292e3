/**
 * One shop in a process of its own. Tells its port to the process that started it, then answers each
 * message with what it has taken so far.
 */
import type { AddressInfo } from 'node:net';
import { floorShop } from './floor-shop.ts';
import { postgresFloor, sqliteFloor } from './floor-tables.ts';
import type { ShopName, StoreName } from './names.ts';
import { ourShop } from './our-shop.ts';
import { stripeShop } from './stripe-shop.ts';

/** What a process has taken since it began. */
export interface Taken {
  readonly cpuMicroseconds: number;
  /** What is alive after a collection; read only when asked for, since collecting takes time. */
  readonly heapBytes?: number;
  /** What the system gave the process, SQLite's pages among it. */
  readonly residentBytes?: number;
}

type Parameters = [ShopName?, StoreName?, string?, string?, 'watches'?];
const [shopName = '', storeName = '', gatewayOrigin = '', address = '', background = ''] =
  process.argv.slice(2) as Parameters;
const table = storeName === 'PostgreSQL' ? postgresFloor : sqliteFloor;
const shopByHand = shopName === 'stripe-node' ? stripeShop : floorShop;
const app =
  shopName === 'ours'
    ? await ourShop(gatewayOrigin, storeName || 'SQLite', address, background === 'watches')
    : shopByHand(gatewayOrigin, await table(address));

const server = app.listen(0, '127.0.0.1', () => {
  process.send?.((server.address() as AddressInfo).port);
});
server.keepAliveTimeout = 0;
process.on('message', ({ heap }: { readonly heap: boolean }) => {
  // Time in our code and time in the system's on our behalf.
  const [own = 0, systems = 0] = Object.values(process.cpuUsage());
  if (heap) globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  const memory = heap ? { heapBytes: heapUsed, residentBytes: rss } : {};
  process.send?.({ cpuMicroseconds: own + systems, ...memory } satisfies Taken);
});
process.once('disconnect', () => process.exit());
