import type { APIRoute } from 'astro';
import { payments } from '../../lib/payments.ts';

/** Every method of every payment route. */
export const ALL: APIRoute = ({ request, clientAddress }) =>
  payments().handle(request, { address: clientAddress });
