import { isPaid } from '@pay-button/server-helper';

/** What was last verified. A real shop first checks that the order is this shopper's. */
export default defineEventHandler(async (event) => {
  const orderId = String(getQuery(event).order);
  const payment = await usePayments().retrieve(orderId);
  return { isPaid: isPaid(payment?.state), statusUrl: usePayments().statusUrl(orderId) };
});
