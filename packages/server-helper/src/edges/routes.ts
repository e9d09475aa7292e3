import type { Clock } from '../clock.ts';
import type { Reports } from '../flows/background/tick.ts';
import type { PaymentFlows } from '../flows/payment-flows.ts';
import type { DriftCounter } from '../gateway/diagnostics.ts';
import type { Routes } from '../options/payments-options.ts';
import type { EdgeSettings } from '../options/settings.ts';
import { addressesBelow, type Wiring } from '../options/wiring.ts';
import type { Store } from '../stores/store.ts';
import type { Trigger } from '../telemetry.ts';
import type { Tokens } from './addresses.ts';
import type { HealthParts } from './health.ts';
import type { Answer, EdgeRequest } from './http.ts';
import type { Checks } from './limits.ts';

export type EdgeFlows = Pick<
  PaymentFlows<unknown>,
  'confirmOrder' | 'ensureLink' | 'hint' | 'noteTransactions'
> & {
  /** Work with the part of a flow's context that limits and idempotency keys use. */
  run<T>(
    work: (context: {
      readonly store: Pick<Store<unknown>, 'bind' | 'count'>;
      readonly clock: Clock;
    }) => Promise<T>,
  ): Promise<T>;
};

export interface RouteContext extends Reports {
  readonly flows: EdgeFlows;
  readonly tokens: Tokens;
  readonly wiring: Wiring;
  readonly settings: EdgeSettings;
  readonly checks: Checks;
  /** Counts what the gateway's notifications have that is not expected. */
  readonly drift: Pick<DriftCounter, 'note' | 'notification'>;
  readonly health: HealthParts;
  /** Logs an error that a route handles itself, and reports one that it did not expect. */
  readonly onError: (error: unknown) => void;
}

export type RouteName = keyof Routes;

/** Answers a request; `last` is the path's last segment, where the route's template varies there. */
export type RouteHandler = (
  request: EdgeRequest,
  context: RouteContext,
  last: string,
) => Promise<Answer>;

export interface Route {
  readonly name: RouteName;
  /** Its path below the mount, with `:token` and `:key` where a segment varies. */
  readonly template: string;
  readonly methods: readonly string[];
  /** What a question to the gateway is put down to. */
  readonly trigger: Trigger;
}

const asking = ['GET', 'HEAD'];
const both = [...asking, 'POST'];

const kinds: Readonly<Record<RouteName, Pick<Route, 'methods' | 'trigger'>>> = {
  checkout: { methods: ['POST'], trigger: 'checkout' },
  link: { methods: both, trigger: 'checkout' },
  return: { methods: both, trigger: 'return' },
  status: { methods: asking, trigger: 'status' },
  webhook: { methods: ['POST'], trigger: 'webhook' },
  health: { methods: asking, trigger: 'call' },
  live: { methods: asking, trigger: 'call' },
  ready: { methods: asking, trigger: 'call' },
};

/** The routes by their paths in lower case, with `:` for a last segment that varies. */
export const routeTable = (routes: Required<Routes>): ReadonlyMap<string, Route> =>
  new Map(
    addressesBelow(routes).map(([name, template]) => [
      template.replace(/\/:\w+$/, '/:').toLowerCase(),
      { name, template, ...kinds[name] },
    ]),
  );

export type FoundRoute = NonNullable<ReturnType<ReturnType<typeof routeFinder>>>;

/**
 * Makes the search for the route of a path below the mount; it gives `null` for a path of the shop's.
 * As in Express, letter case and one slash at the end make no difference. A token is taken as sent,
 * since no token of ours needs an encoding.
 */
export function routeFinder(routes: Required<Routes>) {
  const table = routeTable(routes);
  return (path: string) => {
    const trimmed = path.endsWith('/') ? path.slice(0, -1) : path;
    const whole = table.get(trimmed.toLowerCase());
    if (whole !== undefined) return { route: whole, last: '' };
    const cut = trimmed.lastIndexOf('/') + 1;
    const last = trimmed.slice(cut);
    const route = table.get(`${trimmed.slice(0, cut).toLowerCase()}:`);
    return route === undefined || last === '' ? null : { route, last };
  };
}

/** The routes that a page's script asks. Browsers reach the return by a navigation, the gateway the webhook. */
const askedByScripts: ReadonlySet<RouteName> = new Set(['checkout', 'status']);

/** Whether a page of a listed front end sent the request. No page can forge `Origin`. */
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
            'access-control-max-age': '600', // Seconds that a browser may keep this.
          }
        : { 'access-control-expose-headers': 'retry-after, x-request-id' }),
    },
  };
}
