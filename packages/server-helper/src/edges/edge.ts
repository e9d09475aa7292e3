import { ConfigurationError, nameOf } from '../errors.ts';
import { withDeadline } from '../flows/deadline.ts';
import type { PaymentFlows } from '../flows/payment-flows.ts';
import { bindRequestKey } from '../flows/store-access.ts';
import { GatewayError } from '../gateway/gateway-error.ts';
import type { Logger } from '../logger.ts';
import type { Tokens } from './tokens.ts';
import type { Wiring } from '../options/wiring.ts';
import type { Answer, EdgeRequest } from './http.ts';
import { checkout } from './checkout.ts';
import type { EdgeSettings } from '../options/edge-settings.ts';
import { health, type HealthDependencies } from './health.ts';
import { type FoundRoute, observedRoute, routeFinder, type RouteHandlers } from './route-table.ts';
import { createChecks, type Checks } from './limits.ts';
import { LoadShedding } from './load-shedding.ts';
import { problem, problemOf } from './problem.ts';
import { readableAnswer } from './problem-page.ts';
import { shopperReturned } from './return.ts';
import type { CountHits } from './shared-limiter.ts';
import { paymentStatus } from './status.ts';
import { webhookArrived } from './webhook.ts';

/** A request is not kept longer by what only counts it: it still has to ask the store. */
const COUNT_DEADLINE_MS = 500;

/** What the routes are thin over. */
export interface EdgeParts<Tx> {
  readonly flows: PaymentFlows<Tx>;
  readonly tokens: Tokens;
  readonly wiring: Wiring;
  readonly settings: EdgeSettings;
  /** Makes the store's keys of what is counted; the token secret that signs. */
  readonly secret: string;
  readonly logger: Logger;
  readonly health: Omit<HealthDependencies, 'readBacklog' | 'isWritable'>;
}

/** The routes, free of any framework. */
export interface Edge {
  /**
   * Answers a request, and never rejects for what a request can cause.
   *
   * @returns `null` when the path is none of ours.
   */
  answer(request: EdgeRequest): Promise<Answer> | null;
}

/** Makes the routes: each reads, decides and answers once, and no error escapes. */
export function createEdge<Tx>(parts: EdgeParts<Tx>): Edge {
  const find = routeFinder(parts.wiring.routes, handlersOf(parts));
  const { wiring, logger, settings } = parts;
  const shedding = settings.shedLoad ? new LoadShedding() : null;
  return {
    answer: (request) => {
      const found = find(request.path);
      if (found === null) return null;
      const { mountPath, publicUrl } = wiring;
      return observedRoute(request, found.route, mountPath, () =>
        answerSafely(request, found, mountPath, logger, shedding),
      ).then((answer) => readableAnswer(request, answer, publicUrl));
    },
  };
}

function handlersOf<Tx>(parts: EdgeParts<Tx>): RouteHandlers {
  const { flows, tokens, wiring, settings, logger } = parts;
  const checks = checksOf(parts);
  const confirmOrder = flows.confirmOrder.bind(flows);
  const onError = (error: unknown): void => logAnswer(logger, error, 503);
  const checkoutDependencies = {
    publicOrigin: wiring.publicOrigin,
    checks,
    bindKey: (key: string, subject: string, keptMs: number) =>
      flows.run((context) => bindRequestKey(context, key, subject, keptMs)),
    ensureLink: flows.ensureLink.bind(flows),
  };
  const returnDependencies = { tokens, wiring, confirmOrder, onError };
  const statusDependencies = { tokens, checks, confirmOrder };
  const signature = settings.webhookSignature;
  const webhookDependencies = { checks, signature, hint: flows.hint.bind(flows), onError };
  const healthDependencies = {
    ...parts.health,
    readBacklog: () => flows.backlog(),
    isWritable: () => flows.isWritable(),
  };
  return {
    checkout: (request) => checkout(request, checkoutDependencies),
    returned: (_request, token) => shopperReturned(token, returnDependencies),
    status: (request, token) => paymentStatus(request, token, statusDependencies),
    webhook: (request) => webhookArrived(request, webhookDependencies),
    health: () => health(healthDependencies),
  };
}

function checksOf<Tx>(parts: EdgeParts<Tx>): Checks {
  const {
    flows,
    settings,
    secret,
    logger,
    health: { now },
  } = parts;
  const countShared: CountHits = (key, hits, window) =>
    flows.run((context) =>
      withDeadline(context.clock, COUNT_DEADLINE_MS, () =>
        context.store.countHits(key, hits, window),
      ),
    );
  return createChecks({ limits: settings.limits, countHits: countShared, now, logger, secret });
}

async function answerSafely(
  request: EdgeRequest,
  { route, last }: FoundRoute,
  mountPath: string,
  logger: Logger,
  shedding: LoadShedding | null,
): Promise<Answer> {
  if (request.mount.toLowerCase() !== mountPath.toLowerCase()) {
    const detail = `The routes met a request at "${request.mount}", but mountPath is "${mountPath}".`;
    logger.error({ code: 'mount_mismatch' }, detail);
    return problem('mount_mismatch', 'The shop’s payments are not set up correctly.');
  }
  const { allow } = route;
  if (request.method === 'OPTIONS') return { status: 204, headers: { allow } };
  if (!route.methods.has(request.method)) {
    return problem('method_not_allowed', `Send one of: ${allow}.`, { headers: { allow } });
  }
  try {
    return shedding?.refusalOf(route.name) ?? (await route.handle(request, last));
  } catch (error) {
    const answer = problemOf(error);
    logAnswer(logger, error, answer.status);
    return answer;
  }
}

/** Refusals that a shopper can cause are no events for an operator. */
function logAnswer(logger: Logger, error: unknown, status: number): void {
  if (status < 500) return;
  if (error instanceof GatewayError) {
    const { code, operation, outcome, httpStatus, gatewayMessages } = error;
    const gatewayRequestId = error.requestId;
    const fields = { code, operation, outcome, httpStatus, gatewayMessages, gatewayRequestId };
    logger.error(fields, 'the gateway gave no payment link');
    return;
  }
  // A wiring mistake's own words say how to mend it; those of other errors could quote anything.
  const words = error instanceof ConfigurationError ? `: ${error.message}` : '';
  const fields = { error: nameOf(error), status };
  logger.error(fields, `a request could not be answered well${words}`);
}
