import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Express, type Request } from 'express';
import type { Payments } from '../src/index.ts';

/** The shop's server around the routes; tests of other frameworks put theirs in this one's place. */
export interface ShopHost {
  readonly port: number;
  close(): void;
}

export interface HostOptions {
  /** Sets up the app before the routes are mounted: body parsers, say. Express only. */
  readonly prepare?: (app: Express) => void;
  readonly mountAt?: string;
  /** How many proxies name the shopper's address; `true` for any sender of the header. */
  readonly proxies?: number | boolean | string | (() => boolean);
  /** Mounts the routes below this path of an app of their own, which `mountAt` mounts. Express only. */
  readonly within?: string;
  /** Adds to the app after the routes were mounted. Express only. */
  readonly finish?: (app: Express) => void;
}

/** Serves the routes by Express. */
export async function serveShop(
  payments: Payments,
  { prepare, mountAt = '/pay', proxies, within, finish }: HostOptions,
): Promise<ShopHost> {
  const app = express();
  if (proxies !== undefined) app.set('trust proxy', proxies);
  prepare?.(app);
  const inner = express();
  if (within !== undefined) inner.use(within, payments.router());
  app.use(mountAt, within === undefined ? payments.router() : inner);
  finish?.(app);
  const server = app.listen(0, '127.0.0.1');
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
export function headerOf(request: unknown, name: keyof IncomingHttpHeaders): unknown {
  return (request as Request | undefined)?.headers[name];
}
