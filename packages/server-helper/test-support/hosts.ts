import { createServer, type IncomingMessage, type Server } from 'node:http';
import { serve } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import { Hono } from 'hono';
import { expressHost, expressVersions, hostOf, type ServeShop } from './shop-host.ts';

interface Host {
  readonly name: string;
  readonly serve: ServeShop;
  /** A header of the request that `loadOrder` is given. */
  readonly headerOf: (request: unknown, name: string) => unknown;
}

const headerOf: Host['headerOf'] = (from, name) => (from as IncomingMessage).headers[name];

const headerOfFetch: Host['headerOf'] = (from, name) => (from as Request).headers.get(name);

/** Serves the routes by Node’s own server; what is not usual is done as Connect does it. */
const serveByNode: ServeShop = (payments, { proxies, mountAt = '/pay' }) => {
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

/** Serves the routes by a Hono app, which calls `payments.handle`, on its own server for Node. */
export const serveByHono: ServeShop = (payments, { mountAt = '/pay', proxies }) => {
  const app = new Hono();
  app.all(`${mountAt}/*`, (context) => {
    const told = proxies === undefined ? undefined : context.req.header('x-forwarded-for');
    const address = told ?? getConnInfo(context).remote.address;
    return payments.handle(context.req.raw, { address });
  });
  return hostOf(serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server);
};

/** Each way to serve the routes; the first is that of `Shop`. */
export const hosts: readonly Host[] = [
  ...expressVersions.map(([name, app]) => ({ name, serve: expressHost(app), headerOf })),
  { name: 'node:http', serve: serveByNode, headerOf },
  { name: 'Hono, by payments.handle', serve: serveByHono, headerOf: headerOfFetch },
];
