import { operations, type OperationName } from './operations.ts';
import type { TransportRequest } from './transport.ts';

/** One call as a method describes it. */
export interface Call {
  readonly operation: OperationName;
  /** Takes the place of `{id}` in the path. */
  readonly id?: string;
  /** Names need no encoding; values get it. */
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** What must show in no error, besides the credentials. */
  readonly secrets?: readonly string[];
}

/** Where requests go. */
export interface Addresses {
  /** The base URL's path, ending in `/v1`. */
  readonly basePath: string;
  /** Paths that take the place of the table's. */
  readonly paths: ReadonlyMap<OperationName, string>;
}

const JSON_TYPE = 'application/json';

/** The request of a call, with the credential's header. */
export function requestOf(
  call: Call,
  { basePath, paths }: Addresses,
  credential: Readonly<Record<string, string>>,
  signal: AbortSignal,
): TransportRequest {
  const { method, path } = operations[call.operation];
  const ownPath = paths.get(call.operation) ?? path;
  const { id, query } = call;
  const filled = id === undefined ? ownPath : ownPath.replace('{id}', () => encodeURIComponent(id));
  const target = `${basePath}${filled}${queryText(query)}`;
  if (call.body === undefined) {
    return { method, path: target, headers: { accept: JSON_TYPE, ...credential }, signal };
  }
  const headers = { accept: JSON_TYPE, 'content-type': JSON_TYPE, ...credential };
  return { method, path: target, headers, body: JSON.stringify(call.body), signal };
}

function queryText(query: Call['query']): string {
  if (query === undefined) return '';
  const pairs = Object.entries(query).map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`,
  );
  return `?${pairs.join('&')}`;
}
