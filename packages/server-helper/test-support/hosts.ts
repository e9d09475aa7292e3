import type { IncomingMessage } from 'node:http';
import { serveShop as serveByHono } from './hono-host.ts';
import { serveShop as serveByNode } from './node-host.ts';
import { expressHost, expressVersions, type ServeShop } from './shop-host.ts';

interface Host {
  readonly name: string;
  readonly serve: ServeShop;
  /** A header of the request that `loadOrder` is given. */
  readonly headerOf: (request: unknown, name: string) => unknown;
}

const headerOfNode: Host['headerOf'] = (request, name) =>
  (request as IncomingMessage).headers[name];

/** Each way to serve the routes; the first is that of `Shop`. */
export const hosts: readonly Host[] = [
  ...expressVersions.map(([name, express]) => ({
    name,
    serve: expressHost(express),
    headerOf: headerOfNode,
  })),
  { name: 'node:http', serve: serveByNode, headerOf: headerOfNode },
  {
    name: 'Hono, by payments.handle',
    serve: serveByHono,
    headerOf: (request, name) => (request as Request).headers.get(name),
  },
];
