import { createPayments, type GatewayClientOptions, type Order } from '@pay-button/server-helper';
import compression from 'compression';
import express, { type Express } from 'express';
import { adminApi } from './admin/admin-api.ts';
import { adminPages } from './admin/admin-pages.ts';
import { apiRouter } from './api/api-router.ts';
import type { BugId } from './bugs/bugs.ts';
import type { ShopDatabase } from './database/shop-database.ts';
import { assets, payElements } from './http/assets.ts';
import type { Warn } from './http/problem.ts';
import { ownHostsOnly } from './http/own-hosts.ts';
import { publicAddress } from './http/same-site.ts';
import { securityText } from './http/security-text.ts';
import { securityHeaders } from './http/security-headers.ts';
import { findOwnOrder, payableOrder } from './orders/orders.ts';
import { pageErrors, pagesRouter } from './pages/pages-router.ts';
import { QaKit } from './qa/qa-kit.ts';
import type { QaTools } from './qa/sandbox-watch.ts';

/** The parts of a shop. */
interface ShopOptions<Tx> {
  /** Orders and payments, in one database. */
  readonly database: ShopDatabase<Tx>;
  readonly gateway: GatewayClientOptions;
  /** The shop's address as shoppers see it. */
  readonly publicUrl: string;
  /** Signs the addresses that we hand out; 32 characters or more. */
  readonly tokenSecret: string;
  /** Where the gateway's hosted pages live, for the browser's `form-action` rule. */
  readonly gatewayOrigins: readonly string[];
  /** Opens the admin's pages and API. */
  readonly adminToken: string;
  /** Testers' tools when the gateway is the sandbox; `null` when the gateway is real. */
  readonly qa: (QaTools & { readonly bug: BugId | undefined }) | null;
  readonly warn: Warn;
}

/** A shop whose background work has not started. */
export interface Shop {
  readonly app: Express;
  /** Starts the work in the background. The server must listen by then: the sandbox sends webhooks. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Puts the shop together. This is the whole integration: give the kit the order, the work to do when
 * an order is paid, and the shop's pages; then mount its router.
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
      if (order !== null && request) await qa?.testConsole.dropDeadLink(orderId);
      return order && { ...payableOrder(qa?.priced(order) ?? order), ...qa?.pageFor(request) };
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
  app.use(compression());
  app.use(securityHeaders(publicUrl, options.gatewayOrigins), ownHostsOnly(publicUrl));
  qa?.mount(app);
  app.use('/pay', payElements());
  app.use('/pay', payments.router());
  const parts = { ...options, payments, now, ...qa?.hooks };
  app.use('/api/admin', adminApi(parts));
  app.use('/api', apiRouter(parts));
  app.use(publicAddress(publicUrl), assets(), securityText(publicUrl, now));
  app.use('/admin', adminPages(parts));
  app.use(pagesRouter({ ...parts, showsTestCard: qa !== null }));
  // Express would answer an error of an asset or a header with a page that names our files.
  app.use(pageErrors(options.warn));
  return {
    app,
    start: async () => {
      await qa?.testConsole.open();
      payments.start();
    },
    close: async () => {
      await qa?.testConsole.close();
      await payments.close();
    },
  };
}
