import { once } from 'node:events';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import express5, { type Express } from 'express';
import type { Payments } from '../src/index.ts';

/** The shop's server around the routes. */
export interface ShopHost {
  readonly port: number;
  close(): void;
}

export interface HostOptions {
  /** Sets up the app before the routes are mounted: body parsers, say. Express only. */
  readonly prepare?: (app: Express) => void;
  readonly mountAt?: string;
  /** Express only. @defaultValue one that is free */
  readonly port?: number;
  /** How many proxies name the shopper's address; `true` for any sender of the header. */
  readonly proxies?: number | boolean | string | (() => boolean);
  /** Mounts the routes below this path of an app of their own, which `mountAt` mounts. Express only. */
  readonly within?: string;
  /** Adds to the app after the routes were mounted. Express only. */
  readonly finish?: (app: Express) => void;
}

/** Serves the routes by one framework. */
export type ServeShop = (payments: Payments, options: HostOptions) => Promise<ShopHost>;

/** The host of a server that is to listen, or does. */
export async function hostOf(server: Server): Promise<ShopHost> {
  if (!server.listening) await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Serves the routes by a version of Express. */
export const expressHost =
  (express: typeof express5): ServeShop =>
  (payments, { prepare, mountAt = '/pay', port = 0, proxies, within, finish }) => {
    const app = express();
    if (proxies !== undefined) app.set('trust proxy', proxies);
    prepare?.(app);
    const inner = express();
    if (within !== undefined) inner.use(within, payments.router());
    app.use(mountAt, within === undefined ? payments.router() : inner);
    finish?.(app);
    return hostOf(app.listen(port, '127.0.0.1'));
  };

/** Express 4 brings no types; what the tests use of it is as in Express 5. */
const express4 = createRequire(import.meta.url)('express4') as typeof express5;

/** The versions of Express that a shop may have. */
export const expressVersions = [
  ['Express 5', express5],
  ['Express 4', express4],
] as const;
