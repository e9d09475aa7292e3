import type { DatabaseSync } from 'node:sqlite';
import { paymentsFromEnv } from '@pay-button/server-helper';

const orders = new Map([['1001', { amount: '115.00', phone: '0501234567' }]]);

/** The whole of the integration but one line: the framework's own is in the file beside this one. */
export const payments = paymentsFromEnv<DatabaseSync>({
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

payments.start();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void payments.close().then(() => process.exit()));
}
