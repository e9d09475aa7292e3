import type { Payments } from '../index.ts';
import {
  type Answer,
  type EdgeRequest,
  partsOf,
  type PaymentsParts,
  placeBelow,
  plainPage,
  problem,
  publicMountOf,
  seeOther,
} from '../parts.ts';
import { ConfigurationError, helpAddress, nameOf } from '../errors.ts';
import { nodeRequest, placeIn, type Router, send, sendAnswer } from '../adapters/node.ts';
import {
  checkRequest,
  fetchRequest,
  type Handle,
  type HandleOptions,
  responseOf,
} from '../adapters/fetch.ts';
import type { Request } from '../optional-peers.ts';
import type { Action } from './action.ts';
import { assetAt } from './assets.ts';
import { gatewayPage, portalActionPage, portalActions } from './gateway.ts';
import { problemAnswer, problemOf, problemTexts } from './layout.ts';
import { type BackOfficeOptions, readOptions } from './options.ts';
import { orderActionPage, orderActions, orderPage } from './order.ts';
import { ordersCsv, ordersPage } from './orders.ts';
import { overviewPage } from './overview.ts';
import { reviewActionPage, reviewActions, reviewPage } from './review.ts';
import {
  type Actor,
  askedLanguage,
  createMay,
  fieldsOf,
  keepAnswers,
  languageOf,
  type Office,
  readActor,
  remembered,
  switchLanguage,
  type Visit,
} from './visit.ts';

export type {
  BackOfficeOptions,
  OfficeAction,
  OfficeActor,
  OfficeLink,
  OrderDescription,
} from './options.ts';

/** The back office as a middleware for any server on Node and, by `handle`, for fetch-style servers. */
export interface BackOffice extends Router {
  /**
   * Answers a fetch-style request below `mountPath`. The body must not have been read.
   *
   * @throws {@link ConfigurationError} `not_a_request`.
   * @example
   * app.all('/admin/payments/*', (context) => office.handle(context.req.raw, { context }));
   */
  readonly handle: Handle;
}

/**
 * Pages for the people of the shop: payments to look at and to act on, in English and Arabic. It needs
 * a sign-in of the merchant's own before it, which `actor` reads; without a name, every address answers
 * 401.
 *
 * @param payments - What `createPayments` returned.
 * @throws {@link ConfigurationError} `invalid_option`, `missing_setting`, `invalid_mount_path`, with
 * every mistake at once; `router_not_called` where it is mounted without being called.
 * @example
 * app.use(
 *   '/admin/payments',
 *   requireAdmin,
 *   backOffice(payments, { actor: (request) => request.user?.name }),
 * );
 */
export function backOffice<Asking = Request>(
  payments: Payments,
  options: BackOfficeOptions<Asking>,
): BackOffice {
  const parts = readParts(payments);
  const settings = readOptions(options);
  const { bodyTimeoutMs, publicUrl } = parts;
  const office = { payments, parts, settings, once: keepAnswers(parts.clock) };
  const answer = (request: EdgeRequest): Promise<Answer> => answerOf(office, request);
  const { mountPath } = settings;
  // As the pay router does, it finds itself by its whole public path too.
  const shopPath = new URL(publicUrl).pathname.replace(/\/$/, '');
  const mounts = [publicMountOf(shopPath, mountPath), mountPath];
  const nowhere = outside(parts, mountPath);
  const middleware: Router = (request, response, next) => {
    const place = placeIn(request, mounts);
    const answering = place && answer(nodeRequest(request, place, bodyTimeoutMs));
    if (answering !== null) void sendAnswer(response, answering, next);
    else if (next === undefined) send(response, nowhere(request.url));
    else next();
  };
  const handle = async (request: globalThis.Request, given: HandleOptions): Promise<Response> => {
    const { pathname } = new URL(request.url);
    const place = mounts.map((one) => placeBelow(pathname, one)).find((one) => one !== null);
    const answering = place && answer(fetchRequest(request, place, given, bodyTimeoutMs));
    return responseOf((await answering) ?? nowhere(pathname), request.method);
  };
  return Object.assign(middleware, {
    handle: ((request, given = {}) => {
      checkRequest(request, { call: 'office.handle', mountPath, middleware: 'office' });
      return handle(request, given);
    }) satisfies Handle,
  });
}

/**
 * The answer outside the mount. The log names what the process was asked for first, which shows a wrong
 * `mountPath`; later addresses may be any stranger's.
 */
function outside({ notices }: PaymentsParts, mountPath: string) {
  let isTold = false;
  return (url = ''): Answer => {
    // What is further down may be a secret of another route.
    const [asked] = /^(?:\/[^/?]{0,50}){0,2}/.exec(url) ?? [];
    const words = `backOffice was asked for "${asked}", which is not below its mountPath, "${mountPath}". Unless a stranger asked, give it the mountPath where your framework mounts it. See ${helpAddress('mount_mismatch')}`;
    if (!isTold) notices.warn({ code: 'mount_mismatch' }, words);
    isTold = true;
    return problem('not_found', 'There is no such address.');
  };
}

function readParts(payments: unknown): PaymentsParts {
  const given = typeof payments === 'object' && payments !== null ? payments : {};
  const parts = partsOf(given);
  if (parts !== undefined) return parts;
  if ('method' in given && 'headers' in given) {
    throw new ConfigurationError(
      'router_not_called',
      'backOffice was mounted without being called, so it was given a request. Write app.use("/admin/payments", requireAdmin, backOffice(payments, { actor })).',
    );
  }
  throw new ConfigurationError('invalid_option', {
    setting: 'backOffice.payments',
    what: 'backOffice was given no payments that createPayments made.',
    why: 'It reads them and acts on them; a copy or a double of them lacks the parts for that.',
    fix: 'Write backOffice(payments, options) with the very object that createPayments returned.',
  });
}

/** Answers a request below the mount; never rejects for what a request can cause. */
async function answerOf(office: Office, request: EdgeRequest): Promise<Answer> {
  const actor = await readActor(office, request);
  if (actor === null) return unauthorized(request);
  const visit = visitOf(office, request, actor);
  try {
    return remembering(visit, await answerTo(visit));
  } catch (error) {
    return failed(visit, error);
  }
}

/** Says nothing but that a name is missing, whatever the address is. */
function unauthorized(request: EdgeRequest): Answer {
  const { en, ar } = problemTexts;
  const text = { en: en.unauthorized.title, ar: ar.unauthorized.title };
  return plainPage(request, { status: 401, text });
}

function visitOf(office: Office, request: EdgeRequest, actor: Actor): Visit {
  const address = request.path.slice(1);
  return {
    office,
    request,
    actor: actor.text,
    language: languageOf(request),
    base: '../'.repeat(address.split('/').length - 1) || './',
    address,
    query: fieldsOf(request.query),
    may: createMay(office, actor),
  };
}

async function answerTo(visit: Visit): Promise<Answer> {
  const { request, address } = visit;
  const isSent = request.method === 'POST';
  if (!isSent && request.method !== 'GET' && request.method !== 'HEAD') {
    return problemAnswer(visit, 'method_not_allowed', { headers: { allow: 'GET, HEAD, POST' } });
  }
  if (request.path === '') return toFolder(request);
  if (address === 'language') return switchLanguage(request);
  const route = assetAt(address) ?? routeOf(address);
  if (route === null) return problemAnswer(visit, 'not_found');
  if (!('answer' in route)) return route;
  return isSent && !route.takesForms
    ? problemAnswer(visit, 'method_not_allowed', { headers: { allow: 'GET, HEAD' } })
    : route.answer(visit);
}

/** Relative addresses need the slash behind the mount. This one is relative to the mount's folder. */
function toFolder({ mount, query }: EdgeRequest): Answer {
  const search = query.toString();
  return seeOther(`./${mount.split('/').at(-1)}/${search === '' ? '' : `?${search}`}`);
}

/** Keeps a language that an address asked for. */
function remembering({ request }: Visit, answer: Answer): Answer {
  const asked = askedLanguage(request);
  if (asked === null || answer.headers?.['set-cookie'] !== undefined) return answer;
  return { ...answer, headers: { ...answer.headers, ...remembered(asked, request.mount || '/') } };
}

/** The reader gets no detail of an exception that is not ours; the merchant's log gets it whole. */
function failed(visit: Visit, error: unknown): Promise<Answer> {
  const { logger, reportError } = visit.office.parts;
  const name = problemOf(error) ?? 'failed';
  if (name === 'failed') reportError(error, { where: 'request' });
  if (name === 'failed' || name === 'store_unavailable')
    logger.error({ error: nameOf(error) }, 'a page of the back office could not be shown');
  return problemAnswer(visit, name);
}

interface Route {
  /** Whether it takes the forms of our pages by POST. */
  readonly takesForms: boolean;
  answer(visit: Visit): Promise<Answer>;
}

const page = (answer: Route['answer']): Route => ({ takesForms: false, answer });

const pages: Readonly<Record<string, Route>> = {
  '': page(overviewPage),
  orders: page(ordersPage),
  'orders.csv': page(ordersCsv),
  review: page(reviewPage),
  gateway: page(gatewayPage),
};

/** The route of an address below the mount; `null` where there is none. */
function routeOf(address: string): Route | null {
  const known = address.replace(/\/$/, '');
  if (Object.hasOwn(pages, known)) return pages[known] ?? null;
  const [folder, given = '', name, ...more] = known.split('/');
  if (more.length > 0) return null;
  if (folder === 'orders') return orderRoute(decoded(given), name);
  if (name !== undefined) return null;
  if (folder === 'review') return actionRoute(reviewActions, given, reviewActionPage);
  return folder === 'gateway' ? actionRoute(portalActions, given, portalActionPage) : null;
}

function actionRoute<Subject>(
  actions: readonly Action<Subject>[],
  name: string,
  answer: (visit: Visit, action: Action<Subject>) => Promise<Answer>,
): Route | null {
  const action = actions.find((one) => one.name === name);
  return action ? { takesForms: true, answer: (visit) => answer(visit, action) } : null;
}

function orderRoute(id: string, name: string | undefined): Route | null {
  if (id === '') return null;
  return name === undefined
    ? page((visit) => orderPage(visit, id))
    : actionRoute(orderActions, name, (visit, action) => orderActionPage(visit, id, action));
}

/** A segment of an address; empty where it cannot be decoded. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}
