import { payments } from '../../../lib/payments.ts';

/** The store speaks to PostgreSQL, which the edge runtime cannot. */
export const runtime = 'nodejs';

export const GET = (request: Request): Promise<Response> => payments().handle(request);
export const POST = GET;
