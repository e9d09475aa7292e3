import { type Answer, type EdgeRequest, headersOf, type RawBody, textOf } from '../edges/http.ts';
import type { Edge } from '../edges/edge.ts';
import { problem } from '../edges/problem.ts';
import { countsAddresses, type EdgeSettings } from '../options/edge-settings.ts';
import type { Logger } from '../logger.ts';
import { readFetchBody } from './fetch-body.ts';

/** What a fetch-style framework knows besides the request. */
export interface HandleOptions {
  /**
   * What `loadOrder` is given in the request's place, such as Hono's context.
   * @defaultValue the request itself
   */
  readonly context?: unknown;
  /**
   * The shopper's address, for limits by address: from the connection, or from your proxy.
   * @defaultValue unknown, and not counted
   */
  readonly address?: string | undefined;
}

/** Answers a fetch-style request. */
export type Handle = (request: Request, options?: HandleOptions) => Promise<Response>;

/** The routes as one function from a request to a response, for Hono, Next.js and the like. */
export function createHandle(
  edge: Edge,
  mountPath: string,
  { bodyTimeoutMs, limits }: EdgeSettings,
  logger: Logger,
): Handle {
  const warn = countsAddresses(limits) ? addressWarning(logger) : () => undefined;
  return async (request, options = {}) => {
    warn(options);
    for (const place of placesOf(new URL(request.url).pathname, mountPath)) {
      const answering = edge.answer(new FetchRequest(request, place, options, bodyTimeoutMs));
      if (answering !== null) return responseOf(await answering, request.method);
    }
    return responseOf(problem('not_found', 'There is no such address.'), request.method);
  };
}

/** Tells once that limits by address are off, where nobody says which address asks. */
function addressWarning(logger: Logger): (options: HandleOptions) => void {
  let isTold = false;
  return ({ address }) => {
    if (isTold || address !== undefined) return;
    isTold = true;
    logger.warn(
      { code: 'unknown_address' },
      'payments.handle was not told the shopper’s address, so that limits by address count nobody. Hand it { address }, or set those limits to false. See docs/errors.md#unknown_address',
    );
  };
}

interface Place {
  readonly mount: string;
  readonly path: string;
}

/** A path with more segments than this is not looked at for a route of ours below a wrong mount. */
const MAX_SEGMENTS = 12;

/**
 * Splits a path at the mount. A path that is not below it is split at every slash: when its end is a
 * route of ours, the mount is wrong, and the edge says so.
 */
function placesOf(pathname: string, mountPath: string): readonly Place[] {
  const placeAt = (cut: number): Place => ({
    mount: pathname.slice(0, cut),
    path: pathname.slice(cut),
  });
  const isBelow = pathname.toLowerCase().startsWith(`${mountPath}/`.toLowerCase());
  if (isBelow) return [placeAt(mountPath.length)];
  const segments = pathname.split('/').slice(1, MAX_SEGMENTS);
  let cut = 0;
  return segments.map((segment) => {
    const place = placeAt(cut);
    cut += segment.length + 1;
    return place;
  });
}

class FetchRequest implements EdgeRequest {
  readonly method: string;
  readonly mount: string;
  readonly path: string;
  readonly original: unknown;
  readonly address: string | undefined;
  readonly #request: Request;
  readonly #bodyTimeoutMs: number;

  constructor(
    request: Request,
    { mount, path }: Place,
    { context = request, address }: HandleOptions,
    bodyTimeoutMs: number,
  ) {
    this.method = request.method;
    this.mount = mount;
    this.path = path;
    this.original = context;
    this.address = address;
    this.#request = request;
    this.#bodyTimeoutMs = bodyTimeoutMs;
  }

  header(name: string): string | undefined {
    return this.#request.headers.get(name) ?? undefined;
  }

  readBody(limitBytes: number): Promise<RawBody> {
    return readFetchBody(this.#request, limitBytes, this.#bodyTimeoutMs);
  }
}

function responseOf(answer: Answer, method: string): Response {
  const text = method === 'HEAD' ? null : (textOf(answer) ?? null);
  return new Response(text, { status: answer.status, headers: { ...headersOf(answer) } });
}
