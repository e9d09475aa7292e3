import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import { Hono } from 'hono';
import type { Payments } from '../src/index.ts';
import type { HostOptions, ShopHost } from './shop-host.ts';

/** Serves the routes by a Hono app on its own server for Node. */
export async function serveShop(
  payments: Payments,
  { mountAt = '/pay', proxies }: HostOptions,
): Promise<ShopHost> {
  const app = new Hono();
  app.all(`${mountAt}/*`, (context) => {
    const told = proxies === undefined ? undefined : context.req.header('x-forwarded-for');
    const address = told ?? getConnInfo(context).remote.address;
    return payments.handle(context.req.raw, { address });
  });
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server;
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A header of what this framework gives `loadOrder`. */
export function headerOf(request: unknown, name: string): unknown {
  return (request as Request | undefined)?.headers.get(name) ?? undefined;
}
