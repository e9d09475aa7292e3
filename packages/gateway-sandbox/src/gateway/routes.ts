import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse, unescape } from 'node:querystring';
import { readingOf } from '../readings/readings.ts';
import { addPaymentOperations } from './payments.ts';
import { addPortalOperations } from './portal.ts';
import { serveOperation, type AddOperation, type Serve } from './serve.ts';
import { basePaths } from '../tenants.ts';
import type { SandboxParts } from '../sandbox-parts.ts';

export function gatewayRoutes(parts: SandboxParts): RouteTable {
  const table = new RouteTable();
  const add: AddOperation = (operation) => {
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

const noQuery = parse('');

/** Routes by exact method and path: a payment's call is one lookup, however many routes there are. */
export class RouteTable {
  readonly #exact = new Map<string, Serve>();
  readonly #ofRecords: { method: string; pattern: RegExp; serve: Serve }[] = [];

  add(method: string, path: string, serve: Serve): void {
    if (!path.includes(':id')) {
      this.#exact.set(`${method} ${path}`, serve);
      return;
    }
    const literal = path.replaceAll(/[^\w/:-]/g, String.raw`\$&`);
    const pattern = new RegExp(`^${literal.replace(':id', '([^/]+)')}$`);
    this.#ofRecords.push({ method, pattern, serve });
  }

  /** The answer under way, or null where no route fits. */
  serve(request: IncomingMessage, response: ServerResponse): Promise<void> | null {
    const { method = '', url = '' } = request;
    const mark = url.indexOf('?');
    const path = mark === -1 ? url : url.slice(0, mark);
    const query = mark === -1 ? noQuery : parse(url.slice(mark + 1));
    const exact = this.#exact.get(`${method} ${path}`);
    if (exact !== undefined) return exact(request, response, { path, query, recordId: '' });
    const route = this.#ofRecords.find((one) => one.method === method && one.pattern.test(path));
    if (route === undefined) return null;
    // It takes a segment that cannot be decoded too, which then names no record.
    const recordId = unescape(route.pattern.exec(path)?.[1] ?? '');
    return route.serve(request, response, { path, query, recordId });
  }
}
