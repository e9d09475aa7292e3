import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Payments } from '../src/index.ts';
import type { HostOptions, ShopHost } from './shop-host.ts';

export { headerOf } from './shop-host.ts';

/** Serves the routes by Node’s own server; what is not usual is done as Connect does it. */
export async function serveShop(
  payments: Payments,
  { proxies, mountAt = '/pay' }: HostOptions,
): Promise<ShopHost> {
  const router = payments.router();
  const isBare = proxies === undefined && mountAt === '/pay';
  const server = createServer(
    isBare
      ? router
      : (request, response) => {
          const { url: originalUrl = '', headers, socket } = request;
          const isBelow = mountAt !== '/pay' && originalUrl.startsWith(`${mountAt}/`);
          const url = isBelow ? originalUrl.slice(mountAt.length) : originalUrl;
          const ip =
            proxies && headers['x-forwarded-for']
              ? headers['x-forwarded-for']
              : socket.remoteAddress;
          router(Object.assign(request, { originalUrl, url, ip }), response);
        },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
