import { withDeadline } from '../flows/waiting.ts';
import { measureRoute } from '../observability/instruments.ts';
import { observe, requestIdOf, type Trigger, withActivity } from '../observability/steps.ts';
import { checkout } from './checkout.ts';
import { checkoutBodyReader } from './checkout-body.ts';
import { readableAcross } from './cors.ts';
import { healthFor } from './health.ts';
import type { Answer, EdgeRequest } from './http.ts';
import { type CountHits, createChecks } from './limits.ts';
import { createMountCheck } from './mount.ts';
import { payLinkOpened } from './pay-link.ts';
import { healthNow, live, ready } from './probes.ts';
import { isProblem, problem, problemOf } from './problem.ts';
import { readableAnswer } from './pages.ts';
import { shopperReturned } from './return.ts';
import {
  type FoundRoute,
  type Route,
  type RouteContext,
  routeFinder,
  type RouteHandler,
  type RouteName,
} from './route-table.ts';
import { paymentStatus } from './status.ts';
import { webhookArrived } from './webhook.ts';
import { performance } from 'node:perf_hooks';
import { ConfigurationError, helpAddress, nameOf } from '../errors.ts';
import { GatewayError } from '../gateway/gateway-error.ts';
import type { Logger, OnceAMinute } from '../logger.ts';

/** How long the store may take to count a request: the request itself still has to ask the store. */
const COUNT_DEADLINE_MS = 500;

/** The dependencies of the routes. */
export type EdgeParts = Omit<RouteContext, 'checks' | 'readCheckout' | 'onError'> &
  ErrorLogParts & {
    /** The token secret that signs; the store's keys for limits are made with it. */
    readonly secret: string;
  };

/** The routes, free of any framework. */
export interface Edge {
  /**
   * Answers a request, and never rejects for what a request can cause.
   *
   * @returns `null` when the path belongs to the shop.
   */
  answer(request: EdgeRequest): Promise<Answer> | null;
  /** @throws {@link ConfigurationError} `mount_mismatch` where a link's return addresses lead nowhere. */
  checkLinks(): Promise<void>;
}

const handlers: Readonly<Record<RouteName, RouteHandler>> = {
  checkout,
  link: payLinkOpened,
  returned: shopperReturned,
  status: paymentStatus,
  webhook: webhookArrived,
  health: async (request, context) => {
    await context.checks.healthPerAddress(request.address);
    return healthFor(request, healthNow(context));
  },
  live: async () => live(),
  ready,
};

/** Makes the routes: each reads, decides and answers once, and no error escapes. */
export function createEdge(parts: EdgeParts): Edge {
  const { wiring, logger, settings, flows, secret, reportError, health: dependencies } = parts;
  const countShared: CountHits = (key, hits, window) =>
    flows.run(({ clock, store }) =>
      withDeadline(clock, COUNT_DEADLINE_MS, () => store.count(key, hits, window)),
    );
  const logError = errorLog(parts);
  const note = (error: unknown, status: number): void => {
    logError(error, status);
    if (isUnexpected(error)) reportError(error, { where: 'request' });
  };
  const context: RouteContext = {
    ...parts,
    checks: createChecks(settings.limits, countShared, dependencies.now, logger, secret),
    readCheckout: checkoutBodyReader(settings.dataFields),
    onError: (error) => note(error, 503),
  };
  const find = routeFinder(wiring.routes);
  const mountCheck = createMountCheck(wiring, dependencies.now, logger);
  const shedding = settings.shedLoad ? new LoadShedding() : null;
  const answerSafely = async (request: EdgeRequest, found: FoundRoute): Promise<Answer> => {
    const { name } = found.route;
    const refusal = (await mountCheck.ofRequest(request, name)) ?? refusalOf(request, found.route);
    if (refusal !== null) return refusal;
    try {
      return shedding?.refusalOf(name) ?? (await handlers[name](request, context, found.last));
    } catch (error) {
      const answer = problemOf(error);
      note(error, answer.status);
      return answer.status === 500 ? { ...answer, error } : answer;
    }
  };
  return {
    checkLinks: () => mountCheck.ofLink(),
    answer: (request) => {
      const found = find(request.path);
      if (found === null) return null;
      return observed(request, found.route, wiring.mountPath, () => answerSafely(request, found))
        .then((answer) => readableAnswer(request, answer, wiring.publicUrl))
        .then((answer) => readableAcross(request, found.route, answer, wiring));
    },
  };
}

/** The answer to a method that a route does not take. */
function refusalOf({ method }: EdgeRequest, { methods }: Route): Answer | null {
  const allow = methods.join(', ');
  if (method === 'OPTIONS') return { status: 204, headers: { allow } };
  if (methods.includes(method)) return null;
  return problem('method_not_allowed', `Send one of: ${allow}.`, { headers: { allow } });
}

const triggers: Readonly<Record<RouteName, Trigger>> = {
  checkout: 'checkout',
  link: 'checkout',
  returned: 'return',
  status: 'status',
  webhook: 'webhook',
  health: 'call',
  live: 'call',
  ready: 'call',
};

/** The methods that telemetry names; any other one counts as `_OTHER`. */
const knownMethods: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'OPTIONS',
  'PUT',
  'DELETE',
  'PATCH',
]);

/**
 * Answers a request under the sender's request id or a new one, and reports it as a step. Names hold
 * the route's template, never the path that was sent.
 */
async function observed(
  request: EdgeRequest,
  route: Route,
  mountPath: string,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const requestId = requestIdOf(request.header('x-request-id'));
  const method = knownMethods.has(request.method) ? request.method : '_OTHER';
  const template = `${mountPath}${route.template}`;
  const answer = await withActivity({ requestId, trigger: triggers[route.name] }, () =>
    observe(
      'route',
      {
        name: `${method} ${template}`,
        details: { 'http.request.method': method, 'http.route': template },
        result: ({ status }) => ({ 'http.response.status_code': status }),
        measure: measureRoute,
      },
      work,
    ),
  );
  const headers = { ...answer.headers, 'x-request-id': requestId };
  const { json, status } = answer;
  // The body holds the id only where the fault is ours. Refusals stay alike to the letter, so that
  // none reveals which orders there are.
  return status >= 500 && isProblem(json)
    ? { ...answer, headers, json: { ...json, requestId } }
    : { ...answer, headers };
}

/** Neither a refusal nor an error whose code and log line say everything. */
const isUnexpected = (error: unknown): boolean => problemOf(error).status === 500;

/** From then on a turn of the event loop is late and takes no further poll. */
const POLLS_MS = 100;

/** From then on a turn takes no further checkout. A checkout needs several turns. */
const CHECKOUTS_MS = 200;

/** A process that waited for work for longer than this has nothing left of the turn before. */
const REST_MS = 1;

/** Turns are late for this long before anything is refused. */
const LATE_FOR_MS = 1_000;

/** Turns are late no more when none was for this long. */
const CALM_MS = 2_000;

/** When the element asks again, in seconds. */
const RETRY_AFTER_SECONDS = 5;

/**
 * Refuses requests while the process cannot answer all that arrive, so that those it takes are
 * answered in time: status polls first, because a refused poll is only repeated later, and checkouts
 * when every poll is refused already. Webhooks and returns are always taken: each is one write.
 *
 * The sign of too much is a late event loop. A turn of the loop takes all the requests that arrived
 * during the turn before it, and goes on with those of earlier turns. A process that is merely busy
 * has done so after some milliseconds; where requests arrive faster than they are answered, each turn
 * has more to do than the last one. So each turn takes requests for a time only, and refuses the
 * others that it has.
 */
export class LoadShedding {
  #isInTurn = false;
  #turnBeganAt = -Infinity;
  #idleMsAtEnd = -Infinity;
  #lateSince = 0;
  #lateAt = -Infinity;
  #checkoutRefusedAt = -Infinity;

  /** The refusal of a request, or `null` when it is to be answered. */
  refusalOf(route: RouteName): Answer | null {
    const now = performance.now();
    const turnMs = this.#turnMs(now);
    if (turnMs > POLLS_MS) {
      if (now - this.#lateAt > CALM_MS) this.#lateSince = now;
      this.#lateAt = now;
    }
    const isLate = now - this.#lateAt <= CALM_MS;
    if (!isLate || this.#lateAt - this.#lateSince < LATE_FOR_MS) return null;
    if ((route === 'checkout' || route === 'link') && turnMs > CHECKOUTS_MS) {
      this.#checkoutRefusedAt = now;
      return overloaded();
    }
    const checkoutsAreRefused = now - this.#checkoutRefusedAt <= CALM_MS;
    if (route === 'status' && (turnMs > POLLS_MS || checkoutsAreRefused)) return overloaded();
    return null;
  }

  /**
   * How long this turn lasts: since the turn before had taken its last request, or, where the process
   * has rested since then, since its own first request.
   */
  #turnMs(now: number): number {
    if (!this.#isInTurn) {
      this.#isInTurn = true;
      if (idleMs() - this.#idleMsAtEnd > REST_MS) this.#turnBeganAt = now;
      // It runs when this turn has taken its last request.
      setImmediate(() => {
        this.#isInTurn = false;
        this.#turnBeganAt = performance.now();
        this.#idleMsAtEnd = idleMs();
      });
    }
    return now - this.#turnBeganAt;
  }
}

/** How long the event loop has waited for something to do, ever. */
const idleMs = (): number => performance.eventLoopUtilization().idle;

const overloaded = (): Answer =>
  problem('overloaded', `Nothing was charged. Try again in ${RETRY_AFTER_SECONDS} s.`, {
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
  });

/** Where errors of the routes are written. */
export interface ErrorLogParts {
  readonly logger: Logger;
  /** The logger itself, or the console where the shop has none. */
  readonly notices: Pick<Logger, 'error'>;
  readonly once: OnceAMinute;
}

/**
 * Logs errors, but no answer that is a refusal, which a shopper can cause at will. A gateway that
 * gives no link reaches the console of a shop without a logger, once a minute and code: otherwise a
 * wrong key would show itself to shoppers only.
 */
export function errorLog({ logger, notices, once }: ErrorLogParts) {
  return (error: unknown, status: number): void => {
    if (status < 500) return;
    if (error instanceof GatewayError) {
      const { code, operation, outcome, httpStatus, gatewayMessages } = error;
      const gatewayRequestId = error.requestId;
      const fields = { code, operation, outcome, httpStatus, gatewayMessages, gatewayRequestId };
      const words = `the gateway gave no payment link. See ${helpAddress(code)}; npx pay-button doctor checks the key and the address.`;
      logger.error(fields, words);
      if (notices !== logger && once.lets(`link ${code}`)) {
        notices.error({ code, said: gatewayMessages.join(' ') || 'no words' }, words);
      }
      return;
    }
    // The message of a configuration error says how to mend it; another message could quote anything.
    const words = error instanceof ConfigurationError ? `: ${error.message}` : '';
    const fields = { error: nameOf(error), status };
    logger.error(fields, `a request could not be answered well${words}`);
  };
}
