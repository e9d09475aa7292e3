import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { collectBody, isCompressed, isFarTooLarge } from '../edges/body.ts';
import type { Edge } from '../edges/edge.ts';
import { clientOf } from '../edges/limits.ts';
import { problem } from '../edges/problem.ts';
import { ConfigurationError, helpAddress, throwFindings } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { aSwitch, group } from '../option-rules.ts';
import { countsAddresses, type EdgeSettings } from '../options/settings.ts';
import type { Wiring } from '../options/wiring.ts';
import {
  type Answer,
  type EdgeRequest,
  headersOf,
  type Place,
  placeBelow,
  type RawBody,
  textOf,
} from '../edges/http.ts';

/**
 * A middleware for any server on Node: Express, Connect, Fastify, Koa, NestJS. A framework may mount
 * it at `mountPath` or at no path. Without `next` it is a whole listener for `createServer` of
 * `node:http`, and answers 404 to what is no route.
 *
 * @example
 * app.use('/pay', payments.router());
 */
export type Router = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: (error?: unknown) => void,
) => void;

/** Options of `payments.router()`. */
export interface RouterOptions {
  /**
   * Whether the exception behind a 500 is also handed to Express's error handlers, by `next(error)`,
   * when the shopper's answer is sent whole. The handlers must not answer: `response.headersSent` is
   * true. The connection ends with that answer, since Express's own last handler closes it.
   *
   * @defaultValue `false`: `onError` gets the exception
   */
  readonly passErrors?: boolean;
}

/** The routes as a middleware, which finds them where a mount was taken off the address or none was. */
export function createRouter(
  edge: Edge,
  { mountPath, publicMount }: Pick<Wiring, 'mountPath' | 'publicMount'>,
  { bodyTimeoutMs, limits }: EdgeSettings,
  logger: Logger,
  options: RouterOptions = {},
): Router {
  if (isRequest(options)) {
    throw new ConfigurationError(
      'router_not_called',
      'payments.router was mounted without being called, so it was given a request. Write app.use("/pay", payments.router()), with the brackets.',
    );
  }
  throwFindings(rules(options, 'router'));
  const { passErrors = false } = options;
  let mayWarn = countsAddresses(limits);
  const warn = (request: FramedRequest): void => {
    const isUntrusted = 'x-forwarded-for' in request.headers && trustsNobody(request);
    if (!isUntrusted && !trustsEveryone(request)) return;
    mayWarn = false;
    const code = isUntrusted ? 'untrusted_proxy' : 'permissive_proxy';
    logger.warn({ code }, `${proxyFaults[code]} See ${helpAddress(code)}`);
  };
  return (request, response, next) => {
    if (typeof Object(response).setHeader !== 'function') {
      throw new ConfigurationError(
        'not_a_request',
        'payments.router() was given no request and response of Node’s own. Hono, Next.js and other fetch-style frameworks take payments.handle(request); Fastify takes app.use("/pay", payments.router()) under @fastify/middie.',
      );
    }
    const place = placeIn(request, [publicMount, mountPath]);
    const answering = place && edge.answer(nodeRequest(request, place, bodyTimeoutMs));
    if (answering !== null) {
      if (mayWarn) warn(request);
      void sendAnswer(response, answering, next, passErrors);
    } else if (next === undefined) {
      send(response, problem('not_found', 'There is no such address.'));
    } else {
      next();
    }
  };
}

const rules = group({ passErrors: aSwitch });

const isRequest = (given: unknown): boolean =>
  typeof given === 'object' && given !== null && 'method' in given && 'headers' in given;

/** Why limits by address cannot work; the first of these faults is reported once. */
const proxyFaults = {
  untrusted_proxy:
    'A request bears X-Forwarded-For, but the app trusts no proxy: all shoppers count as one address. In Express set app.set("trust proxy", …) to the number or addresses of your proxies; elsewhere give the request its shopper’s address as request.ip before the router; or set limits to false.',
  permissive_proxy:
    'The app trusts every X-Forwarded-For, so that anyone can pass for another address. Set app.set("trust proxy", …) to the number or addresses of your proxies.',
} as const;

/** Whether no header moves the shopper's address away from the connection's. */
function trustsNobody({ app, ip, socket, headers }: FramedRequest): boolean {
  if (app !== undefined) return !app.get('trust proxy');
  // Of a shopper on the proxy's own machine the header and the connection say the same.
  return ip === undefined || (ip === socket.remoteAddress && ip !== headers['x-forwarded-for']);
}

/** Sends an answer when it is decided; an error of the sending goes to the framework. */
export async function sendAnswer(
  response: ServerResponse,
  answering: Promise<Answer>,
  next: Parameters<Router>[2],
  passErrors = false,
): Promise<void> {
  try {
    const answer = await answering;
    const { error } = answer;
    // When the answer is sent: a handler that met the error before could answer in its place.
    if (passErrors && error !== undefined && next !== undefined && !response.headersSent) {
      response.setHeader('connection', 'close');
      response.once('close', () => next(error));
    }
    send(response, answer);
  } catch (error) {
    // Express 4 does not see a rejection: an error that reaches this place must not hang.
    if (next === undefined) response.destroy();
    else next(error);
  }
}

/** Sends a decided answer, unless something else has answered. */
export function send(response: ServerResponse, answer: Answer): void {
  if (response.headersSent) return;
  response.statusCode = answer.status;
  for (const [name, value] of Object.entries(headersOf(answer))) {
    // The shop's own middleware may have set cookies on the answer.
    if (name === 'set-cookie') response.appendHeader(name, value);
    else response.setHeader(name, value);
  }
  if (answer.stream === undefined || response.req.method === 'HEAD') {
    response.end(textOf(answer));
    return;
  }
  // A stream that fails, or a reader who leaves, ends the connection: no part passes for the whole.
  pipeline(Readable.from(answer.stream), response).catch(() => undefined);
}

/** What frameworks put on Node's own request; each of them some of it. */
export interface FramedRequest extends IncomingMessage {
  /** Express: the path that the router is mounted at, taken off `url`. */
  readonly baseUrl?: string;
  /** Express, Connect, middie: `url` before a mount was taken off. */
  readonly originalUrl?: string;
  /** The shopper's address, as the framework found it behind its proxies. */
  readonly ip?: string;
  readonly app?: { get(setting: string): unknown };
  readonly body?: unknown;
  readonly rawBody?: unknown;
}

/**
 * Splits a request's path at the mount that a framework took off. A path that is still whole is split
 * at one of `mounts`, and is the shop's own when it is below none. The path of the mount itself,
 * without a slash behind it, is empty below it.
 */
export function placeIn(
  { url = '/', originalUrl = url, baseUrl }: FramedRequest,
  mounts: readonly string[],
): Place | null {
  const path = pathOf(url);
  const whole = pathOf(originalUrl);
  const mount = baseUrl ?? (whole.endsWith(path) ? whole.slice(0, -path.length) : whole);
  if (mount !== '') return { mount, path: whole === mount ? '' : path };
  return mounts.map((one) => placeBelow(path, one)).find((place) => place !== null) ?? null;
}

/** A proxy may write the whole address behind the method, and RFC 9112 has every server take that. */
const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/[^/?]*/i;

const pathOf = (url: string): string => url.replace(ORIGIN, '').split('?', 1)[0] ?? '';

export const nodeRequest = (
  request: FramedRequest,
  { mount, path }: Place,
  bodyTimeoutMs: number,
): EdgeRequest => ({
  method: request.method ?? 'GET',
  mount,
  path,
  original: request,
  address: addressOf(request),
  get query() {
    return new URLSearchParams((request.url ?? '').split('?').slice(1).join('?'));
  },
  header: (name) => {
    const value = request.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  },
  readBody: async (limitBytes) => {
    const { headers, readableDidRead, destroyed } = request;
    const length = Number(headers['content-length'] ?? 0);
    if (isFarTooLarge(length, limitBytes)) return { kind: 'too_large' };
    if (readableDidRead) {
      return length > limitBytes ? { kind: 'too_large' } : leftByParser(request, limitBytes);
    }
    if (destroyed) return { kind: 'cut' };
    if (isCompressed(headers['content-encoding'])) return { kind: 'compressed' };
    return collectBody(request, limitBytes, bodyTimeoutMs);
  },
});

/** All clients that claim by a header to be this machine count as one. */
const CLAIMED = 'forwarded loopback';

/** Limits do not count this machine, so a header that any client can write may not claim to be it. */
function addressOf(request: FramedRequest): string | undefined {
  const { ip = request.socket.remoteAddress, headers } = request;
  const isClaimed = headers['x-forwarded-for'] !== undefined && clientOf(ip) === null;
  return isClaimed && trustsEveryone(request) ? CLAIMED : ip;
}

/** The body that a parser left: its bytes in `rawBody` or `body`, or else its value. */
function leftByParser(
  { rawBody, body }: { readonly rawBody?: unknown; readonly body?: unknown },
  limitBytes: number,
): RawBody {
  const left = rawBody instanceof Uint8Array || typeof rawBody === 'string' ? rawBody : body;
  if (left instanceof Uint8Array || typeof left === 'string') {
    const bytes = Buffer.from(left);
    return bytes.byteLength > limitBytes ? { kind: 'too_large' } : { kind: 'bytes', bytes };
  }
  return left === undefined ? { kind: 'consumed' } : { kind: 'parsed', value: left };
}

/** An address of no host (RFC 5737), further away than any number of proxies. */
const STRANGER = '192.0.2.1';
const FAR_AWAY = 1_000;

/** Whether the app trusts an address that any client may have written into a header. */
export function trustsEveryone({ app }: FramedRequest): boolean {
  const isTrusted: unknown = app?.get('trust proxy fn');
  return typeof isTrusted === 'function' && isTrusted(STRANGER, FAR_AWAY) === true;
}
