import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse } from 'node:querystring';
import { readingOf } from '../readings/readings.ts';
import { addPaymentOperations } from './payments.ts';
import { addPortalOperations } from './portal.ts';
import { serveOperation } from './serve.ts';
import type { CallAddress, Operation, Serve } from './serve.ts';
import { basePaths } from '../sandbox-parts.ts';
import type { SandboxParts } from '../sandbox-parts.ts';

export function gatewayRoutes(parts: SandboxParts): RouteTable {
  const table = new RouteTable();
  const add = <Input>(operation: Operation<Input>): void => {
    const reading = readingOf(parts.profile, operation.name);
    const method = reading.method ?? operation.method;
    const path = reading.path?.replace('{id}', ':id') ?? operation.path;
    for (const environment of ['staging', 'production'] as const) {
      const serve = serveOperation(parts, environment, { ...operation, method });
      table.add(method, basePaths[environment] + path, serve);
    }
  };
  addPaymentOperations(parts, add);
  addPortalOperations(parts, add);
  return table;
}

const recordSuffix = '/:id';
const recordSegment = ':id';
const noQuery = parse('');

/**
 * Routes by exact method and path: one lookup for each call, however many routes there are. A path
 * that ends in `/:id` matches any one segment in that place.
 */
export class RouteTable {
  readonly #routes = new Map<string, Serve>();
  /** The routes with the record inside the path; only a profile makes such. */
  readonly #inner: {
    readonly method: string;
    readonly parts: readonly string[];
    readonly serve: Serve;
  }[] = [];

  add(method: string, path: string, serve: Serve): void {
    if (path.includes(recordSegment) && !path.endsWith(recordSuffix)) {
      this.#inner.push({ method, parts: path.split('/'), serve });
    } else {
      this.#routes.set(`${method} ${path}`, serve);
    }
  }

  /** The answer under way, or null where no route fits. */
  serve(request: IncomingMessage, response: ServerResponse): Promise<void> | null {
    const { method = '', url = '' } = request;
    const mark = url.indexOf('?');
    const path = mark === -1 ? url : url.slice(0, mark);
    const query = mark === -1 ? noQuery : parse(url.slice(mark + 1));
    const exact = this.#routes.get(`${method} ${path}`);
    if (exact !== undefined) return exact(request, response, { path, query, recordId: '' });
    const end = path.lastIndexOf('/');
    const recordId = decoded(path.slice(end + 1));
    const ofRecord = this.#routes.get(`${method} ${path.slice(0, end)}${recordSuffix}`);
    if (ofRecord !== undefined && recordId !== '') {
      return ofRecord(request, response, { path, query, recordId });
    }
    return this.#serveInner(request, response, { path, query, recordId });
  }

  #serveInner(
    request: IncomingMessage,
    response: ServerResponse,
    address: CallAddress & { readonly path: string },
  ): Promise<void> | null {
    const segments = address.path.split('/');
    for (const { method, parts, serve } of this.#inner) {
      const recordId = decoded(segments[parts.indexOf(recordSegment)] ?? '');
      const fits =
        method === request.method &&
        parts.length === segments.length &&
        parts.every((part, index) => part === recordSegment || part === segments[index]);
      if (fits && recordId !== '') return serve(request, response, { ...address, recordId });
    }
    return null;
  }
}

/** A segment that cannot be decoded names no record. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
