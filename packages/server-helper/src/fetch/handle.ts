import { headersOf, textOf, type Answer } from '../edges/answer.ts';
import type { Edge } from '../edges/edge.ts';
import type { EdgeRequest, RawBody } from '../edges/edge-request.ts';
import { problem } from '../edges/problem.ts';
import { readFetchBody } from './fetch-body.ts';

/** What a fetch-style framework knows besides the request. */
export interface HandleOptions {
  /**
   * What `loadOrder` is given in the request's place, such as Hono's context.
   * @defaultValue the request itself
   */
  readonly context?: unknown;
}

/** Answers a fetch-style request. */
export type Handle = (request: Request, options?: HandleOptions) => Promise<Response>;

/** The routes as one function from a request to a response, for Hono, Next.js and the like. */
export function createHandle(edge: Edge, mountPath: string, bodyTimeoutMs: number): Handle {
  return async (request, { context = request } = {}) => {
    for (const place of placesOf(new URL(request.url).pathname, mountPath)) {
      const answering = edge.answer(new FetchRequest(request, place, context, bodyTimeoutMs));
      if (answering !== null) return responseOf(await answering, request.method);
    }
    return responseOf(problem('not_found', 'There is no such address.'), request.method);
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
  readonly #request: Request;
  readonly #bodyTimeoutMs: number;

  constructor(request: Request, { mount, path }: Place, original: unknown, bodyTimeoutMs: number) {
    this.method = request.method;
    this.mount = mount;
    this.path = path;
    this.original = original;
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
