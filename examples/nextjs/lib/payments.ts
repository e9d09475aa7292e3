import { createPayments, type Payments, postgresStore } from '@pay-button/server-helper';
import pg from 'pg';

const env = (name: string): string => process.env[name] ?? '';
const orders = new Map([['1001', { amount: '115.00', phone: '0501234567' }]]);

const held: { payments?: Payments } = {};

/**
 * One for the whole process, made when it is first needed: `next build` imports every route, and has
 * no settings. Several processes share it through the database.
 */
export function payments(): Payments {
  held.payments ??= createPayments({
    gateway: {
      environment: 'staging',
      baseUrl: env('GATEWAY_BASE_URL'),
      apiKey: env('GATEWAY_API_KEY'),
    },
    publicUrl: env('PUBLIC_URL'),
    tokenSecrets: [env('PAY_TOKEN_SECRET')],
    store: postgresStore({ pool: new pg.Pool({ connectionString: env('DATABASE_URL') }) }),
    // The price comes from the shop's own record. `request` is the fetch-style Request.
    loadOrder: (orderId) => {
      const order = orders.get(orderId);
      return order && { orderId, amount: order.amount, customer: { phone: order.phone } };
    },
    // In the very commit that records the payment, whichever process makes it: exactly once.
    inTransaction: async (tx, event) => {
      if (event.type !== 'paid') return;
      await tx.query('CREATE TABLE IF NOT EXISTS shipments (order_id text)');
      await tx.query('INSERT INTO shipments VALUES ($1)', [event.orderId]);
    },
    pages: { success: '/thanks?order=:orderId', pending: '/thanks?order=:orderId', failure: '/' },
  });
  return held.payments;
}
