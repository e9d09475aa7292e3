import { Readable } from 'node:stream';
import { collectBody, isCompressed, isFarTooLarge } from '../edges/body.ts';
import type { Edge } from '../edges/edge.ts';
import { ConfigurationError, helpAddress } from '../errors.ts';
import {
  type Answer,
  type EdgeRequest,
  headersOf,
  type Place,
  placeAt,
  placeBelow,
  textOf,
} from '../edges/http.ts';
import { problem } from '../edges/problem.ts';
import type { Logger } from '../logger.ts';
import { countsAddresses, type EdgeSettings } from '../options/settings.ts';

/** What a fetch-style framework knows beside the request. */
export interface HandleOptions {
  /**
   * Given to `loadOrder` in place of the request, such as Hono's context.
   * @defaultValue the request itself
   */
  readonly context?: unknown;
  /**
   * The shopper's address, for limits by address: from the connection, or from your proxy.
   * @defaultValue unknown, and counted as one with all that are
   */
  readonly address?: string | undefined;
}

/** Answers a fetch-style request. */
export type Handle = {
  // A method, to which one that asks for a `context` can be given.
  handle(request: Request, options?: HandleOptions): Promise<Response>;
}['handle'];

/** The routes as one function from a request to a response, for Hono, Next.js and the like. */
export function createHandle(
  edge: Edge,
  mountPath: string,
  { bodyTimeoutMs, limits }: EdgeSettings,
  logger: Logger,
): Handle {
  let warns = countsAddresses(limits);
  const answer = async (request: Request, options: HandleOptions): Promise<Response> => {
    if (warns && options.address === undefined) {
      warns = false;
      const words = `payments.handle was not given the shopper’s address: all such shoppers count as one. Hand it { address }, or set the limits by address to false. See ${helpAddress('unknown_address')}`;
      logger.warn({ code: 'unknown_address' }, words);
    }
    const { pathname } = new URL(request.url);
    const below = placeBelow(pathname, mountPath);
    // Outside the mount: where what is behind a slash is a route, the mount is wrong, and the edge says so.
    const slashes = below === null ? [...pathname.matchAll(/\//g)].slice(0, MAX_SEGMENTS) : [];
    const places = slashes.map(({ index }) => placeAt(pathname, index));
    for (const place of below === null ? places : [below]) {
      const answering = edge.answer(fetchRequest(request, place, options, bodyTimeoutMs));
      if (answering !== null) return responseOf(await answering, request.method);
    }
    return responseOf(problem('not_found', 'There is no such address.'), request.method);
  };
  // Not async: a framework that awaits no handler, as Express 4, sees what is thrown at once.
  return (request, options = {}) => {
    checkRequest(request);
    return answer(request, options);
  };
}

/**
 * Checks that the framework gave a request of the Fetch standard, and says what to write where it gave
 * something else.
 *
 * @param handler - How it is written in code; the `middleware` is the same for a server on Node.
 * @throws {@link ConfigurationError} `not_a_request`.
 */
export function checkRequest(
  given: unknown,
  { call = 'payments.handle', mountPath = '/pay', middleware = 'payments.router()' } = {},
): void {
  if (isRequest(given)) return;
  const { req, request, headers } = Object(given) as Readonly<Record<string, unknown>>;
  const write = isRequest(Object(req).raw)
    ? `In Hono write app.all("${mountPath}/*", (context) => ${call}(context.req.raw)).`
    : isRequest(request)
      ? `Its field request is one: write ({ request }) => ${call}(request).`
      : typeof (headers ?? '') === 'object'
        ? `A request of Node’s own, as in Express, is for app.use("${mountPath}", ${middleware}).`
        : `Write ${call}(request), with the request that your framework gives its handlers.`;
  throw new ConfigurationError(
    'not_a_request',
    `${call} was given no Request of the Fetch standard. ${write}`,
  );
}

/** Frameworks bring their own classes of requests. */
function isRequest(given: unknown): boolean {
  const { url, method, headers } = Object(given) as Readonly<Record<string, unknown>>;
  const isAsked = typeof url === 'string' && typeof method === 'string';
  return isAsked && typeof Object(headers).get === 'function';
}

/** A path with more segments is not searched for a route below a wrong mount. */
const MAX_SEGMENTS = 12;

export const fetchRequest = (
  request: Request,
  { mount, path }: Place,
  { context = request, address }: HandleOptions,
  bodyTimeoutMs: number,
): EdgeRequest => ({
  method: request.method,
  mount,
  path,
  original: context,
  address,
  get query() {
    return new URL(request.url).searchParams;
  },
  header: (name) => request.headers.get(name) ?? undefined,
  readBody: async (limitBytes) => {
    const { headers, bodyUsed, body } = request;
    if (bodyUsed) return { kind: 'consumed' };
    if (isFarTooLarge(Number(headers.get('content-length') ?? 0), limitBytes)) {
      return { kind: 'too_large' };
    }
    if (isCompressed(headers.get('content-encoding'))) return { kind: 'compressed' };
    if (body === null) return { kind: 'bytes', bytes: Buffer.alloc(0) };
    const stream = Readable.from(body, { objectMode: false });
    const read = await collectBody(stream, limitBytes, bodyTimeoutMs);
    if (read.kind !== 'bytes') stream.destroy();
    return read;
  },
});

export function responseOf(answer: Answer, method: string): Response {
  const { status, stream } = answer;
  const pieces = stream && Readable.toWeb(Readable.from(stream, { objectMode: false }));
  const body =
    method === 'HEAD' ? null : ((pieces as ReadableStream | undefined) ?? textOf(answer));
  return new Response(body ?? null, { status, headers: { ...headersOf(answer) } });
}
