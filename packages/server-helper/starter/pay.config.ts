import { defineConfig } from '@pay-button/server-helper';

/** The orders of this shop. Read yours from your own database instead. */
export const orders = new Map([
  ['1001', { what: 'A box of dates', amount: '115.00', phone: '0501234567' }],
  ['1002', { what: 'A bag of coffee', amount: '49.90', phone: '0501234567' }],
  ['1003', { what: 'A jar of honey', amount: '230.00', phone: '0501234567' }],
]);

// shop.ts and `npx pay-button` share these options. What they lack comes from .env.
export default defineConfig({
  // The price comes from here alone, never from the browser. Answer null for an order that is not
  // this shopper's: look at the request, which is absent where no shopper asks.
  loadOrder: (orderId) => {
    const order = orders.get(orderId);
    return order && { orderId, amount: order.amount, customer: { phone: order.phone } };
  },
  // At least once each, only for what the gateway has confirmed.
  on: {
    paid: ({ orderId }) => console.log(`ship order ${orderId}`),
    review: ({ orderId, reason }) => console.warn(`look at order ${orderId}: ${reason}`),
  },
  pages: { success: '/thanks/:orderId', pending: '/thanks/:orderId', failure: '/' },
});
