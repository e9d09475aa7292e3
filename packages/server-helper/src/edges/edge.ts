import { ConfigurationError, helpAddress, nameOf } from '../errors.ts';
import { inTime, withDeadline } from '../flows/waiting.ts';
import { GatewayError } from '../gateway/gateway-error.ts';
import { type Attributes, measure, observe, requestIdOf, withActivity } from '../telemetry.ts';
import { checkout } from './checkout.ts';
import { healthFor, type HealthParts, live, ready } from './health.ts';
import type { Answer, EdgeRequest } from './http.ts';
import { type CountHits, createChecks, LoadShedding } from './limits.ts';
import { createMountCheck } from './addresses.ts';
import { isProblem, problem, problemOf, readableAnswer } from './problem.ts';
import * as routes from './routes.ts';
import { payLinkOpened, paymentStatus, shopperReturned } from './shopper.ts';
import { webhookArrived } from './webhook.ts';

/** How long the store may take to count a request: the request itself still has to ask the store. */
const COUNT_DEADLINE_MS = 500;

/** While the store answers nothing, a shopper waits for so long at most, and one in this time asks it again. */
const STUCK_PAUSE_MS = 1_000;
const stuck = problem('store_unavailable', 'The payments store does not answer.', {
  retryAfterS: 5,
});

/** What a shopper or an element repeats. Webhooks and returns are always taken. */
const repeated: ReadonlySet<routes.RouteName> = new Set(['checkout', 'link', 'status']);

export type EdgeParts = Omit<routes.RouteContext, 'checks' | 'onError'> & {
  /** The first makes the store's keys for limits. */
  readonly tokenSecrets: readonly string[];
};

export type Edge = ReturnType<typeof createEdge>;

/**
 * Makes the routes: each reads, decides and answers once. `answer` never rejects for what a request
 * can cause, and gives `null` when the path belongs to the shop. `checkLinks` throws
 * {@link ConfigurationError} `mount_mismatch` where a link's return addresses lead nowhere.
 */
export function createEdge(parts: EdgeParts) {
  const { wiring, logger, settings, flows, health, reportError } = parts;
  const [secret = ''] = parts.tokenSecrets;
  const now = (): number => health.clock.now();
  const countShared: CountHits = (key, hits, window) =>
    flows.run(({ clock, store }) =>
      withDeadline(clock, COUNT_DEADLINE_MS, () => store.count(key, hits, window)),
    );
  const logError = errorLog(parts);
  const note = (error: unknown, status: number): void => {
    logError(error, status);
    // Neither a refusal nor an error whose code and log line say everything.
    if (problemOf(error).status === 500) reportError(error, { where: 'request' });
  };
  const context: routes.RouteContext = {
    ...parts,
    checks: createChecks(settings.limits, countShared, now, logger, secret),
    onError: (error) => note(error, 503),
  };
  const find = routes.routeFinder(wiring.routes);
  const mountCheck = createMountCheck(wiring, now, logger);
  const { waits } = health.flows;
  const shedding = settings.shedLoad ? new LoadShedding() : null;
  let askedAt = -Infinity;
  /** A request that would wait for seconds behind others is refused at once; the work of one that waits goes on. */
  const unlessStuck = async (work: () => Promise<Answer>): Promise<Answer> => {
    if (waits.isStuck?.() && Math.abs(now() - askedAt) < STUCK_PAUSE_MS) return stuck;
    if (waits.isStuck?.()) askedAt = now();
    const answer = work();
    for (;;) {
      const early = await inTime(health.clock, STUCK_PAUSE_MS, () => answer);
      if (early !== null || waits.isStuck?.()) return early ?? stuck;
    }
  };
  const answerSafely = async (request: EdgeRequest, found: routes.FoundRoute): Promise<Answer> => {
    const { name } = found.route;
    const refusal = (await mountCheck.ofRequest(request, name)) ?? refusalOf(request, found.route);
    if (refusal !== null) return refusal;
    try {
      const tooMuch = shedding?.refusalOf(name, waits.waitMs?.());
      if (tooMuch) return tooMuch;
      const work = () => handlers[name](request, context, found.last);
      return await (repeated.has(name) ? unlessStuck(work) : work());
    } catch (error) {
      const answer = problemOf(error);
      note(error, answer.status);
      return answer.status === 500 ? { ...answer, error } : answer;
    }
  };
  return {
    checkLinks: () => mountCheck.ofLink(),
    answer: (request: EdgeRequest): Promise<Answer> | null => {
      const found = find(request.path);
      if (found === null) return null;
      return observed(request, found.route, wiring.mountPath, () => answerSafely(request, found))
        .then((answer) => readableAnswer(request, answer, wiring.publicUrl))
        .then((answer) => routes.readableAcross(request, found.route, answer, wiring));
    },
  };
}

/** A route that looks at the store is counted by address. */
const counted =
  (answer: (request: EdgeRequest, parts: HealthParts) => Promise<Answer>): routes.RouteHandler =>
  async (request, { checks, health }) => {
    await checks.healthPerAddress(request.address);
    return answer(request, health);
  };

const handlers: Readonly<Record<routes.RouteName, routes.RouteHandler>> = {
  checkout,
  link: payLinkOpened,
  return: shopperReturned,
  status: paymentStatus,
  webhook: webhookArrived,
  health: counted(healthFor),
  live: async () => live(),
  ready: counted(ready),
};

function refusalOf({ method }: EdgeRequest, { methods }: routes.Route): Answer | null {
  const allow = methods.join(', ');
  if (method === 'OPTIONS') return { status: 204, headers: { allow } };
  if (methods.includes(method)) return null;
  return problem('method_not_allowed', `Send one of: ${allow}.`, { headers: { allow } });
}

/** The methods that telemetry names; any other one counts as `_OTHER`. */
const knownMethods = new Set('GET HEAD POST OPTIONS PUT DELETE PATCH'.split(' '));

/**
 * Answers a request under the sender's request id or a new one, and reports it as a step. Names hold
 * the route's template, never the path that was sent.
 */
async function observed(
  request: EdgeRequest,
  { trigger, template }: routes.Route,
  mountPath: string,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const requestId = requestIdOf(request.header('x-request-id'));
  const method = knownMethods.has(request.method) ? request.method : '_OTHER';
  const route = `${mountPath}${template}`;
  const details = { 'http.request.method': method, 'http.route': route };
  const result = ({ status }: Answer) => ({ 'http.response.status_code': status });
  const measured = (ms: number, found: Attributes): void => measure('route', ms, found);
  const step = { name: `${method} ${route}`, details, result, measure: measured };
  const answer = await withActivity({ requestId, trigger }, () => observe('route', step, work));
  const headers = { ...answer.headers, 'x-request-id': requestId };
  const { json, status } = answer;
  // The body holds the id only where the fault is ours. Refusals stay alike to the letter, so that
  // none reveals which orders there are.
  const named = status >= 500 && isProblem(json) ? { json: { ...json, requestId } } : {};
  return { ...answer, ...named, headers };
}

/**
 * Logs errors, but no answer that is a refusal, which a shopper can cause at will. A gateway that
 * gives no link reaches the console of a shop without a logger, once a minute and code: otherwise a
 * wrong key would show itself to shoppers only.
 */
function errorLog({ logger, notices, once }: EdgeParts) {
  return (error: unknown, status: number): void => {
    if (status < 500) return;
    if (error instanceof GatewayError) {
      const { code, operation, outcome, httpStatus, gatewayMessages } = error;
      const gatewayRequestId = error.requestId;
      const fields = { code, operation, outcome, httpStatus, gatewayMessages, gatewayRequestId };
      const words = `the gateway gave no payment link: ${error.message}. See ${helpAddress(code)}; npx pay-button doctor checks the key and the address.`;
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
