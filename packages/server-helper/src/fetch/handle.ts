import { Readable } from 'node:stream';
import type { Edge } from '../edges/edge.ts';
import { headersOf, textOf, type Answer, type EdgeRequest } from '../edges/http.ts';
import { problem } from '../edges/problem.ts';
import { collectBody, isCompressed, isFarTooLarge, type RawBody } from '../edges/raw-body.ts';
import type { Logger } from '../logger.ts';
import { countsAddresses, type EdgeSettings } from '../options/edge-settings.ts';

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

/** Warns once that all shoppers count as one address, where a request comes without one. */
function addressWarning(logger: Logger): (options: HandleOptions) => void {
  let hasWarned = false;
  return ({ address }) => {
    if (hasWarned || address !== undefined) return;
    hasWarned = true;
    logger.warn(
      { code: 'unknown_address' },
      'payments.handle was not given the shopper’s address: all such shoppers count as one. Hand it { address }, or set the limits by address to false. See docs/errors.md#unknown_address',
    );
  };
}

interface Place {
  readonly mount: string;
  readonly path: string;
}

/** A path with more segments is not searched for a route below a wrong mount. */
const MAX_SEGMENTS = 12;

/**
 * Splits a path at the mount. A path outside the mount is split at every slash: where its end is one of
 * the routes, the mount is wrong, and the edge reports that.
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

  get query(): URLSearchParams {
    return new URL(this.#request.url).searchParams;
  }

  header(name: string): string | undefined {
    return this.#request.headers.get(name) ?? undefined;
  }

  async readBody(limitBytes: number): Promise<RawBody> {
    const { headers, bodyUsed, body } = this.#request;
    if (bodyUsed) return { kind: 'consumed' };
    if (isFarTooLarge(Number(headers.get('content-length') ?? 0), limitBytes)) {
      return { kind: 'too_large' };
    }
    if (isCompressed(headers.get('content-encoding'))) return { kind: 'compressed' };
    if (body === null) return { kind: 'bytes', bytes: Buffer.alloc(0) };
    const stream = Readable.from(body, { objectMode: false });
    const read = await collectBody(stream, limitBytes, this.#bodyTimeoutMs);
    if (read.kind !== 'bytes') stream.destroy();
    return read;
  }
}

function responseOf(answer: Answer, method: string): Response {
  const text = method === 'HEAD' ? null : (textOf(answer) ?? null);
  return new Response(text, { status: answer.status, headers: { ...headersOf(answer) } });
}
