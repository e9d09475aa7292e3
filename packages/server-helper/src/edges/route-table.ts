import type { Clock } from '../clock.ts';
import type { ReportError } from '../error-reports.ts';
import type { PaymentFlows } from '../flows/payment-flows.ts';
import type { DriftCounter } from '../gateway/drift.ts';
import type { EdgeSettings } from '../options/settings.ts';
import type { Routes } from '../options/payments-options.ts';
import type { Wiring } from '../options/wiring.ts';
import type { Store } from '../stores/store.ts';
import type { CheckoutBody } from './checkout-body.ts';
import type { HealthDependencies } from './health.ts';
import type { Answer, EdgeRequest } from './http.ts';
import type { Checks } from './limits.ts';
import type { Tokens } from './tokens.ts';

/** The part of a flow's context that limits and idempotency keys use. */
interface StoredCounts {
  readonly store: Pick<Store<unknown>, 'bind' | 'count'>;
  readonly clock: Clock;
}

/** The use cases behind the routes. */
export type EdgeFlows = Pick<
  PaymentFlows<unknown>,
  | 'backlog'
  | 'confirmOrder'
  | 'ensureLink'
  | 'hint'
  | 'isStoreStuck'
  | 'isWritable'
  | 'noteTransactions'
> & {
  run<T>(work: (context: StoredCounts) => Promise<T>): Promise<T>;
};

/** The dependencies of the route handlers. */
export interface RouteContext {
  readonly flows: EdgeFlows;
  readonly tokens: Tokens;
  readonly wiring: Wiring;
  readonly settings: EdgeSettings;
  readonly checks: Checks;
  readonly readCheckout: (value: unknown) => CheckoutBody;
  /** Counts what the gateway's notifications have that is not expected. */
  readonly drift: Pick<DriftCounter, 'note' | 'notification'>;
  readonly health: Omit<HealthDependencies, 'readBacklog' | 'isWritable'>;
  readonly reportError: ReportError;
  /** Logs an error that a route handles itself, and reports one that it did not expect. */
  readonly onError: (error: unknown) => void;
}

/** The routes by name. */
export type RouteName =
  | 'checkout'
  | 'link'
  | 'returned'
  | 'status'
  | 'webhook'
  | 'health'
  | 'live'
  | 'ready';

/** Answers a request; `last` is the path's last segment, where the route's template varies there. */
export type RouteHandler = (
  request: EdgeRequest,
  context: RouteContext,
  last: string,
) => Promise<Answer>;

/** One address and its methods. */
export interface Route {
  readonly name: RouteName;
  /** Its path below the mount, with `:token` and `:key` where a segment varies. */
  readonly template: string;
  readonly methods: readonly string[];
}

/** The route of a path. */
export interface FoundRoute {
  readonly route: Route;
  readonly last: string;
}

const asking = ['GET', 'HEAD'];
const sending = ['POST'];

/** The routes by their paths in lower case, with `:` for a last segment that varies. */
export function routeTable(routes: Required<Routes>): ReadonlyMap<string, Route> {
  const table = new Map<string, Route>();
  const add = (
    name: RouteName,
    path: string | false,
    tail: string,
    methods: readonly string[],
  ): void => {
    if (path === false) return;
    const key = tail === '' ? path : `${path}/:`;
    table.set(key.toLowerCase(), { name, template: `${path}${tail}`, methods });
  };
  add('checkout', routes.checkout, '', sending);
  add('link', routes.link, '/:token', [...asking, ...sending]);
  add('returned', `${routes.return}/success`, '/:token', [...asking, ...sending]);
  add('returned', `${routes.return}/failure`, '/:token', [...asking, ...sending]);
  add('status', routes.status, '/:token', asking);
  add('webhook', routes.webhook, '', sending);
  add('webhook', routes.webhook, '/:key', sending);
  add('health', routes.health, '', asking);
  add('live', routes.live, '', asking);
  add('ready', routes.ready, '', asking);
  return table;
}

/**
 * Makes the search for the route of a path below the mount; it gives `null` for a path of the shop's.
 * As in Express, letter case and one slash at the end make no difference. A token is taken as sent,
 * since no token of ours needs an encoding.
 */
export function routeFinder(routes: Required<Routes>): (path: string) => FoundRoute | null {
  const table = routeTable(routes);
  return (path) => {
    const trimmed = path.endsWith('/') ? path.slice(0, -1) : path;
    const whole = table.get(trimmed.toLowerCase());
    if (whole !== undefined) return { route: whole, last: '' };
    const cut = trimmed.lastIndexOf('/') + 1;
    const last = trimmed.slice(cut);
    const route = table.get(`${trimmed.slice(0, cut).toLowerCase()}:`);
    return route === undefined || last === '' ? null : { route, last };
  };
}
