import type { Server } from 'node:http';
import { serve } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import { Hono } from 'hono';
import { hostOf, type ServeShop } from './shop-host.ts';

/** Serves the routes by a Hono app, which calls `payments.handle`, on its own server for Node. */
export const serveShop: ServeShop = (payments, { mountAt = '/pay', proxies }) => {
  const app = new Hono();
  app.all(`${mountAt}/*`, (context) => {
    const told = proxies === undefined ? undefined : context.req.header('x-forwarded-for');
    const address = told ?? getConnInfo(context).remote.address;
    return payments.handle(context.req.raw, { address });
  });
  return hostOf(serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server);
};
