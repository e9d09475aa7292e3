import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { headersOf, textOf, type Answer } from '../edges/answer.ts';
import { clientOf } from '../edges/client-address.ts';
import type { Edge } from '../edges/edge.ts';
import type { EdgeRequest, RawBody } from '../edges/edge-request.ts';
import { countsAddresses, type EdgeSettings } from '../options/edge-settings.ts';
import type { Logger } from '../logger.ts';
import { readNodeBody } from './node-body.ts';
import { believesAnyone, proxyWarning } from './proxy-warning.ts';

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
