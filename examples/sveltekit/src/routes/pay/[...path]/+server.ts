import { payments } from '#lib/server/payments.ts';
import type { RequestHandler } from './$types';

/** Every method of every payment route. */
export const fallback: RequestHandler = ({ request, getClientAddress }) =>
  payments().handle(request, { address: getClientAddress() });
