import type { Wiring } from '../options/wiring.ts';
import type { Answer, EdgeRequest } from './http.ts';
import type { Route, RouteName } from './route-table.ts';

/** The routes that a page's script asks. Browsers reach the return by a navigation, the gateway the webhook. */
const askedByScripts: ReadonlySet<RouteName> = new Set(['checkout', 'status']);

/** How long a browser may keep the answer to its preflight request, in seconds. */
const KEEP_S = '600';

/**
 * Whether a page of a listed front end sent the request. No page can forge `Origin`.
 */
export const isOfFrontEnd = (request: EdgeRequest, { frontEnds }: Wiring): boolean =>
  frontEnds.has(request.header('origin') ?? '');

/** The answer as a page of a front end may read it, with cookies; the answer itself for any other. */
export function readableAcross(
  request: EdgeRequest,
  { name, methods }: Route,
  answer: Answer,
  wiring: Wiring,
): Answer {
  if (wiring.frontEnds.size === 0 || !askedByScripts.has(name)) return answer;
  // Caches keep answers to different origins apart, also the answers that name none.
  const vary = { ...answer.headers, vary: 'Origin' };
  if (!isOfFrontEnd(request, wiring)) return { ...answer, headers: vary };
  return {
    ...answer,
    headers: {
      ...vary,
      'access-control-allow-origin': request.header('origin') ?? '',
      'access-control-allow-credentials': 'true',
      ...(request.method === 'OPTIONS'
        ? {
            'access-control-allow-methods': methods.join(', '),
            'access-control-allow-headers': 'content-type, idempotency-key',
            'access-control-max-age': KEEP_S,
          }
        : { 'access-control-expose-headers': 'retry-after, x-request-id' }),
    },
  };
}
