import type { DatabaseSync } from 'node:sqlite';
import { type Payments, paymentsFromEnv } from '@pay-button/server-helper';

const orders = new Map([['1001', { amount: '115.00', phone: '0501234567' }]]);

let held: Payments | undefined;

/** One for the whole process, made when it is first needed: a build has no settings. */
export function payments(): Payments {
  held ??= paymentsFromEnv<DatabaseSync, Request>({
    // The price comes from the shop's own record, never from the browser.
    loadOrder: (orderId) => {
      const order = orders.get(orderId);
      return order && { orderId, amount: order.amount, customer: { phone: order.phone } };
    },
    // In the very commit that records the payment, in the same file: exactly once.
    inTransaction: (tx, event) => {
      tx.exec('CREATE TABLE IF NOT EXISTS shipments (order_id TEXT)');
      if (event.type === 'paid') tx.prepare('INSERT INTO shipments VALUES (?)').run(event.orderId);
    },
    pages: { success: '/order/:orderId', pending: '/order/:orderId', failure: '/' },
    logger: console,
  });
  return held;
}
