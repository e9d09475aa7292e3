import { payments } from '../lib/payments.server.ts';

interface Asked {
  readonly request: Request;
}

/** Every GET of a payment route. */
export const loader = ({ request }: Asked): Promise<Response> => payments().handle(request);

/** Every POST. */
export const action = loader;
