import { type Environs, type Order, paymentsFromEnv } from '@pay-button/server-helper';
import compression from 'compression';
import express from 'express';
import { adminApi } from './admin/api.ts';
import { adminPages } from './admin/pages.ts';
import { ownFiles, ownHostsOnly, payElements, publicAddress, securityHeaders } from './http.ts';
import { pageErrors, pagesRouter } from './pages/routes.ts';
import type { QaTools } from './qa/console.ts';
import { QaKit } from './qa/kit.ts';
import { apiRouter } from './shop/api.ts';
import type { ShopDatabase } from './shop/database.ts';
import { findOwnOrder, payableOrder, type Shop } from './shop/orders.ts';

/** What a shop is made of. */
interface ShopOptions<Tx> extends Omit<Shop, 'database' | 'payments' | 'now'> {
  /** Orders and payments, in one database. */
  readonly database: ShopDatabase<Tx>;
  /** The kit's variables: the gateway, the secret of the return addresses, the shop's address. */
  readonly env: Environs;
  /** Testers' tools when the gateway is the sandbox; `null` when the gateway is real. */
  readonly qa: QaTools | null;
}

/**
 * A shop whose work in the background has not begun. `start` begins it; the server must listen by then,
 * since the sandbox sends webhooks.
 */
export type BuiltShop = ReturnType<typeof createShop>;

/**
 * Puts the shop together. This is the whole integration: give the kit the order, the work to do when
 * an order is paid, and the shop's pages; then mount its router.
 */
export function createShop<Tx>(options: ShopOptions<Tx>) {
  const { database, publicUrl, warn, qa: tools } = options;

  const payments = paymentsFromEnv<Tx>(
    {
      gateway: { environment: 'staging' },
      mountPath: '/pay',
      store: database.payments,
      // The price comes from the shop's own record, and only the shopper who ordered may pay.
      loadOrder: async (orderId, request): Promise<Order | null> => {
        const order = request
          ? await findOwnOrder({ database }, orderId, request)
          : await database.findOrder(orderId);
        return order && (qa === null ? payableOrder(order) : qa.payableOrder(order, request));
      },
      // Ships in the very commit that records the payment: never without it, never twice.
      inTransaction: (tx, event) => (event.type === 'paid' ? database.ship(tx, event) : undefined),
      pages: { success: '/thanks/:orderId', pending: '/wait/:orderId', failure: '/retry/:orderId' },
      ...(tools === null ? {} : { clock: tools.clock }),
      logger: {
        info: () => undefined,
        warn: (fields, message) => warn(message, fields),
        error: (fields, message) => warn(message, fields),
      },
    },
    options.env,
  );

  const now = tools === null ? Date.now : () => tools.clock.now();
  const sound: Shop = { ...options, payments, now };
  const qa = tools === null ? null : new QaKit(tools, sound);
  const shop = qa?.shop ?? sound;

  const app = express();
  app.disable('x-powered-by');
  app.set('secure cookies', publicUrl.startsWith('https:'));
  app.use(compression());
  app.use(securityHeaders(publicUrl, options.gatewayOrigins), ownHostsOnly(publicUrl));
  qa?.mount(app);
  app.use('/pay', payElements());
  app.use('/pay', payments.router());
  app.use('/api/admin', adminApi(shop));
  app.use('/api', apiRouter(shop));
  app.use(publicAddress(publicUrl), ownFiles(publicUrl, now));
  app.use('/admin', adminPages(shop));
  app.use(pagesRouter(shop, qa?.compareSources));
  // Express would answer an error of an asset or a header with a page that names our files.
  app.use(pageErrors(warn));
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
