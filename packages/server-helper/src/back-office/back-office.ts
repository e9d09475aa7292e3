import { ConfigurationError, invalidOption } from '../errors.ts';
import type { Payments } from '../create-payments.ts';
import { problem } from '../edges/problem.ts';
import { placeBelow } from '../edges/http.ts';
import { nodeRequest, placeIn, type Router, send, sendAnswer } from '../adapters/node.ts';
import {
  checkRequest,
  fetchRequest,
  type Handle,
  type HandleOptions,
  responseOf,
} from '../adapters/fetch.ts';
import type { Request } from '../optional-peers.ts';
import { publicMountOf } from '../options/wiring.ts';
import { partsOf, type PaymentsParts } from '../payments-parts.ts';
import { createAnswer } from './answer.ts';
import { createFormTokens } from './form-token.ts';
import { Repeats } from './repeats.ts';
import { type BackOfficeOptions, readOptions } from './options.ts';

export type { OfficeLink } from './header-links.ts';
export type { BackOfficeOptions, OfficeAction, OfficeActor, OrderDescription } from './options.ts';

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
  const { bodyTimeoutMs, publicUrl, tokenSecrets } = parts;
  const answer = createAnswer({
    payments,
    parts,
    settings,
    forms: createFormTokens(tokenSecrets),
    repeats: new Repeats(parts.clock),
  });
  const { mountPath } = settings;
  // As the pay router does, it finds itself by its whole public path too.
  const shopPath = new URL(publicUrl).pathname.replace(/\/$/, '');
  const mounts = [publicMountOf(shopPath, mountPath), mountPath];
  const middleware: Router = (request, response, next) => {
    const place = placeIn(request, mounts);
    if (place !== null) {
      const answering = answer(nodeRequest(request, place, bodyTimeoutMs));
      void sendAnswer(response, answering, next);
    } else if (next === undefined) {
      send(response, nowhere());
    } else {
      next();
    }
  };
  const handle = async (request: globalThis.Request, given: HandleOptions): Promise<Response> => {
    const { pathname } = new URL(request.url);
    const place = mounts.map((one) => placeBelow(pathname, one)).find((one) => one !== null);
    const answering = place && answer(fetchRequest(request, place, given, bodyTimeoutMs));
    return responseOf((await answering) ?? nowhere(), request.method);
  };
  return Object.assign(middleware, {
    handle: ((request, given = {}) => {
      checkRequest(request, { call: 'office.handle', mountPath, middleware: 'office' });
      return handle(request, given);
    }) satisfies Handle,
  });
}

const nowhere = () => problem('not_found', 'There is no such address.');

/** The parts of what `createPayments` made. */
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
  throw invalidOption({
    setting: 'backOffice.payments',
    what: 'backOffice was given no payments that createPayments made.',
    why: 'It reads them and acts on them; a copy or a double of them lacks the parts for that.',
    fix: 'Write backOffice(payments, options) with the very object that createPayments returned.',
  });
}
