import { createPayments, type GatewayClientOptions, type Order } from '@pay-button/server-helper';
import express, { type Express } from 'express';
import { adminApi } from './admin/admin-api.ts';
import { adminPages } from './admin-pages/admin-pages.ts';
import { apiRouter } from './api/api-router.ts';
import type { BugId } from './bugs/bugs.ts';
import type { ShopDatabase } from './database/shop-database.ts';
import { assets, payElements } from './http/assets.ts';
import { publicAddress } from './http/public-address.ts';
import { securityHeaders } from './http/security-headers.ts';
import type { Warn } from './http/warn.ts';
import { findOwnOrder, payableOrder } from './orders/orders.ts';
import { pagesRouter } from './pages/pages-router.ts';
import { QaKit } from './qa/qa-kit.ts';
import type { QaTools } from './qa/qa-tools.ts';

/** What a shop is made of. */
export interface ShopOptions<Tx> {
  /** Orders and payments, in one database. */
  readonly database: ShopDatabase<Tx>;
  readonly gateway: GatewayClientOptions;
  /** The shop's address as shoppers see it. */
  readonly publicUrl: string;
  /** Signs the addresses that we hand out; 32 characters or more. */
  readonly tokenSecret: string;
  /** Where the gateway's hosted pages live, for the browser's `form-action` rule. */
  readonly gatewayOrigins: readonly string[];
  /** What an admin proves to be one with. */
  readonly adminToken: string;
  /** Testers' tools, when the gateway is the sandbox; `null` when it is a real one. */
  readonly qa: (QaTools & { readonly bug: BugId | undefined }) | null;
  readonly warn: Warn;
}

/** A shop that has not opened its door yet. */
export interface Shop {
  readonly app: Express;
  /** Starts the work in the background. The webhooks of the sandbox find an open door by then. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Puts the shop together. This is the whole integration: tell the kit how to find an order, what to
 * do when one is paid, and where shoppers go; then mount its router.
 */
export function createShop<Tx>(options: ShopOptions<Tx>): Shop {
  const { database, publicUrl, qa: tools } = options;

  const payments = createPayments({
    gateway: options.gateway,
    publicUrl,
    mountPath: '/pay',
    tokenSecrets: [options.tokenSecret],
    store: database.payments,
    // The price comes from the shop's own record, and only the shopper who ordered may pay.
    loadOrder: async (orderId, request): Promise<Order | null> => {
      const order = request
        ? await findOwnOrder({ database }, orderId, request)
        : await database.findOrder(orderId);
      if (order !== null) await qa?.desk.letGoOfDeadLink(orderId);
      return order && payableOrder(qa?.priced(order) ?? order);
    },
    // Ships in the very commit that records the payment: never without it, never twice.
    inTransaction: (tx, event) => (event.type === 'paid' ? database.ship(tx, event) : undefined),
    pages: { success: '/thanks/:orderId', pending: '/wait/:orderId', failure: '/retry/:orderId' },
    ...(tools === null ? {} : { clock: tools.clock }),
    logger: {
      info: () => undefined,
      warn: (fields, message) => options.warn(message, fields),
      error: (fields, message) => options.warn(message, fields),
    },
  });

  const now = tools === null ? Date.now : () => tools.clock.now();
  const qa =
    tools === null ? null : new QaKit(tools, { ...options, payments, now, bug: tools.bug });

  const app = express();
  app.disable('x-powered-by');
  app.set('secure cookies', publicUrl.startsWith('https:'));
  app.use(securityHeaders(publicUrl, options.gatewayOrigins));
  qa?.mount(app);
  app.use('/pay', payElements());
  app.use('/pay', payments.router());
  const parts = { ...options, payments, now, ...qa?.seams };
  app.use('/api/admin', adminApi(parts));
  app.use('/api', apiRouter(parts));
  app.use(publicAddress(publicUrl), assets());
  app.use('/admin', adminPages(parts));
  app.use(pagesRouter({ ...parts, showsTestCard: qa !== null }));
  return {
    app,
    start: async () => {
      await qa?.desk.open();
      payments.start();
    },
    close: async () => {
      await qa?.desk.close();
      await payments.close();
    },
  };
}
