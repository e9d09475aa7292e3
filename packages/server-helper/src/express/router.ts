import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { type Answer, type EdgeRequest, headersOf, type RawBody, textOf } from '../edges/http.ts';
import { clientOf } from '../edges/client-address.ts';
import type { Edge } from '../edges/edge.ts';
import { countsAddresses, type EdgeSettings } from '../options/edge-settings.ts';
import type { Logger } from '../logger.ts';
import { readNodeBody } from './node-body.ts';

/**
 * The routes as what `app.use` takes. It needs nothing of Express but the path that it mounts at,
 * so that versions 4 and 5 do the same.
 */
export function createRouter(
  edge: Edge,
  { bodyTimeoutMs, limits }: EdgeSettings,
  logger: Logger,
): RequestHandler {
  const warn = countsAddresses(limits) ? proxyWarning(logger) : () => undefined;
  return (request, response, next) => {
    const answering = edge.answer(new ExpressRequest(request, bodyTimeoutMs));
    if (answering === null) next();
    else {
      warn(request);
      void sendAnswer(response, answering, next);
    }
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
    // Express 4 does not see a rejection: what still fails here must not hang.
    next(error);
  }
}

/** All who say by a header that they are this machine count as one. */
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

  /** This machine is not counted, so it is not believed of a header that anyone may have written. */
  get address(): string | undefined {
    const { ip, headers } = this.original;
    const isClaimed = headers['x-forwarded-for'] !== undefined && clientOf(ip) === null;
    return isClaimed && believesAnyone(this.original) ? CLAIMED : ip;
  }

  get mount(): string {
    return this.original.baseUrl;
  }

  get path(): string {
    return this.original.path;
  }

  header(name: string): string | undefined {
    const value = this.original.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  async readBody(limitBytes: number): Promise<RawBody> {
    return readNodeBody(this.original, limitBytes, this.#bodyTimeoutMs);
  }
}

function send(response: Response, answer: Answer): void {
  if (response.headersSent) return;
  response.statusCode = answer.status;
  const headers = headersOf(answer);
  for (const name in headers) response.setHeader(name, headers[name] ?? '');
  response.end(textOf(answer));
}

/** An address that belongs to no host (RFC 5737), so far away that no number of proxies reaches it. */
const STRANGER = '192.0.2.1';
const FAR_AWAY = 1_000;

/** Whether the app believes an address that anyone may have written into a header. */
export function believesAnyone({ app }: Request): boolean {
  const isTrusted: unknown = app?.get('trust proxy fn');
  return typeof isTrusted === 'function' && isTrusted(STRANGER, FAR_AWAY) === true;
}

/**
 * Tells once when limits by address cannot do what they are for: a proxy names the shopper and the
 * app does not believe it, or the app believes whatever anyone writes.
 */
export function proxyWarning(logger: Logger): (request: Request) => void {
  let isTold = false;
  const tell = (code: string, message: string): void => {
    isTold = true;
    logger.warn({ code }, message);
  };
  return (request) => {
    if (isTold) return;
    const trust: unknown = request.app?.get('trust proxy');
    const isForwarded = request.headers['x-forwarded-for'] !== undefined;
    if (isForwarded && (trust === false || trust === undefined || trust === 0)) {
      tell(
        'untrusted_proxy',
        'A request bears X-Forwarded-For, but the app trusts no proxy: all shoppers count as one address. Set app.set("trust proxy", …) to the number or addresses of your proxies, or limits to false. See docs/errors.md#untrusted_proxy',
      );
    } else if (believesAnyone(request)) {
      tell(
        'permissive_proxy',
        'The app trusts every X-Forwarded-For, so that anyone can pass for another address. Set app.set("trust proxy", …) to the number or addresses of your proxies. See docs/errors.md#permissive_proxy',
      );
    }
  };
}
