import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { clientOf } from '../edges/client-address.ts';
import type { Edge } from '../edges/edge.ts';
import { headersOf, textOf, type Answer, type EdgeRequest } from '../edges/http.ts';
import { collectBody, isCompressed, isFarTooLarge, type RawBody } from '../edges/raw-body.ts';
import type { Logger } from '../logger.ts';
import { countsAddresses, type EdgeSettings } from '../options/edge-settings.ts';

/**
 * The routes as a middleware. It uses nothing of Express but the path that it is mounted at, so that
 * versions 4 and 5 do the same.
 */
export function createRouter(
  edge: Edge,
  { bodyTimeoutMs, limits }: EdgeSettings,
  logger: Logger,
): RequestHandler {
  const warn = countsAddresses(limits) ? proxyWarning(logger) : () => undefined;
  return (request, response, next) => {
    const answering = edge.answer(new ExpressRequest(request, bodyTimeoutMs));
    if (answering === null) {
      next();
      return;
    }
    warn(request);
    void sendAnswer(response, answering, next);
  };
}

async function sendAnswer(
  response: Response,
  answering: Promise<Answer>,
  next: NextFunction,
): Promise<void> {
  try {
    send(response, await answering);
  } catch (error) {
    // Express 4 does not see a rejection: an error that reaches this place must not hang.
    next(error);
  }
}

/** All clients that claim by a header to be this machine count as one. */
const CLAIMED = 'forwarded loopback';

class ExpressRequest implements EdgeRequest {
  readonly original: Request;
  readonly #bodyTimeoutMs: number;

  constructor(request: Request, bodyTimeoutMs: number) {
    this.original = request;
    this.#bodyTimeoutMs = bodyTimeoutMs;
  }

  get method(): string {
    return this.original.method;
  }

  /** Limits do not count this machine, so a header that any client can write may not claim to be it. */
  get address(): string | undefined {
    const { ip, headers } = this.original;
    const isClaimed = headers['x-forwarded-for'] !== undefined && clientOf(ip) === null;
    return isClaimed && trustsEveryone(this.original) ? CLAIMED : ip;
  }

  get mount(): string {
    return this.original.baseUrl;
  }

  get path(): string {
    return this.original.path;
  }

  get query(): URLSearchParams {
    return new URLSearchParams(this.original.originalUrl.split('?').slice(1).join('?'));
  }

  header(name: string): string | undefined {
    const value = this.original.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  async readBody(limitBytes: number): Promise<RawBody> {
    const { headers, readableDidRead, destroyed } = this.original;
    const length = Number(headers['content-length'] ?? 0);
    if (isFarTooLarge(length, limitBytes)) return { kind: 'too_large' };
    if (readableDidRead) {
      return length > limitBytes ? { kind: 'too_large' } : leftByParser(this.original, limitBytes);
    }
    if (destroyed) return { kind: 'cut' };
    if (isCompressed(headers['content-encoding'])) return { kind: 'compressed' };
    return collectBody(this.original, limitBytes, this.#bodyTimeoutMs);
  }
}

/** The body that a parser left: its bytes in `rawBody` or `body`, or else its value. */
function leftByParser(
  { rawBody, body }: { readonly rawBody?: unknown; readonly body?: unknown },
  limitBytes: number,
): RawBody {
  const left = Buffer.isBuffer(rawBody) ? rawBody : body;
  const bytes = typeof left === 'string' ? Buffer.from(left) : left;
  if (Buffer.isBuffer(bytes)) {
    return bytes.byteLength > limitBytes ? { kind: 'too_large' } : { kind: 'bytes', bytes };
  }
  return bytes === undefined ? { kind: 'consumed' } : { kind: 'parsed', value: bytes };
}

function send(response: Response, answer: Answer): void {
  if (response.headersSent) return;
  response.statusCode = answer.status;
  for (const [name, value] of Object.entries(headersOf(answer))) response.setHeader(name, value);
  response.end(textOf(answer));
}

/** An address of no host (RFC 5737), further away than any number of proxies. */
const STRANGER = '192.0.2.1';
const FAR_AWAY = 1_000;

/** Whether the app trusts an address that any client may have written into a header. */
export function trustsEveryone({ app }: Request): boolean {
  const isTrusted: unknown = app?.get('trust proxy fn');
  return typeof isTrusted === 'function' && isTrusted(STRANGER, FAR_AWAY) === true;
}

/**
 * Warns once when limits by address cannot work: the app trusts no proxy and a proxy is there, or the
 * app trusts every address in a header.
 */
export function proxyWarning(logger: Logger): (request: Request) => void {
  let hasWarned = false;
  const warn = (code: string, message: string): void => {
    hasWarned = true;
    logger.warn({ code }, message);
  };
  return (request) => {
    if (hasWarned) return;
    const trust: unknown = request.app?.get('trust proxy');
    const isForwarded = request.headers['x-forwarded-for'] !== undefined;
    if (isForwarded && (trust === false || trust === undefined || trust === 0)) {
      warn(
        'untrusted_proxy',
        'A request bears X-Forwarded-For, but the app trusts no proxy: all shoppers count as one address. Set app.set("trust proxy", …) to the number or addresses of your proxies, or limits to false. See docs/errors.md#untrusted_proxy',
      );
    } else if (trustsEveryone(request)) {
      warn(
        'permissive_proxy',
        'The app trusts every X-Forwarded-For, so that anyone can pass for another address. Set app.set("trust proxy", …) to the number or addresses of your proxies. See docs/errors.md#permissive_proxy',
      );
    }
  };
}
