import { isPaid } from '@pay-button/server-helper';
import { payments } from '#lib/server/payments.ts';
import type { PageServerLoad } from './$types';

/** What was last verified. A real shop first checks that the order is this shopper's. */
export const load: PageServerLoad = async ({ params: { orderId } }) => {
  const payment = await payments().retrieve(orderId);
  return { isPaid: isPaid(payment?.state), statusUrl: payments().statusUrl(orderId) };
};
