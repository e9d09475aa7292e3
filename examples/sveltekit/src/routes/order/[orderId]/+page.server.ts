import { payments } from '#lib/server/payments.ts';
import type { PageServerLoad } from './$types';

/** A real shop first checks that the order is this shopper's. */
export const load: PageServerLoad = ({ params }) => ({
  statusUrl: payments().statusUrl(params.orderId),
});
