import { createServer } from 'node:http';
import { hostOf, type ServeShop } from './shop-host.ts';

/** Serves the routes by Node’s own server; what is not usual is done as Connect does it. */
export const serveShop: ServeShop = (payments, { proxies, mountAt = '/pay' }) => {
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
  return hostOf(server.listen(0, '127.0.0.1'));
};
