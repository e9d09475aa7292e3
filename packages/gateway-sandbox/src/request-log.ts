import { STATUS_CODES } from 'node:http';
import { defaultTenant } from './domain/tenant.ts';
import type { Environment } from './domain/transaction.ts';
import { redacted, redactReply, withoutCardNumbers } from './redaction.ts';

const rememberedRequests = 1000;

/** One request to the gateway, with everything secret or personal left out. */
export interface LoggedRequest {
  readonly id: string;
  /** ISO 8601, the tenant's clock. */
  readonly at: string;
  readonly operation: string | null;
  readonly environment: Environment;
  readonly method: string;
  readonly path: string;
  readonly status: number | null;
  readonly merchantOrderId: string | null;
  readonly sessionId: string | null;
  readonly decidedBy: string;
  readonly tier: string;
  readonly request: Readonly<Record<string, string | number | boolean | null>>;
  /** The place and the kind of each fault that was injected into the call. */
  readonly faults: readonly string[];
  /** Real time from the head of the request to the end of the answer, in whole milliseconds. */
  readonly durationMs: number;
}

/** A filter of requests. Absent fields filter nothing. */
export interface RequestQuery {
  readonly operation?: string | undefined;
  readonly merchantOrderId?: string | undefined;
  readonly status?: number | undefined;
}

/** The last items of each tenant, oldest first, in memory only. */
export class Recent<Item> {
  readonly #most: number;
  readonly #items = new Map<string, Item[]>();
  readonly #forgotten = new Set<string>();

  constructor(most: number) {
    this.#most = most;
  }

  add(tenant: string, item: Item): void {
    const items = this.#items.get(tenant) ?? [];
    items.push(item);
    if (items.length > this.#most) {
      items.shift();
      this.#forgotten.add(tenant);
    }
    this.#items.set(tenant, items);
  }

  list(tenant: string): readonly Item[] {
    return this.#items.get(tenant) ?? [];
  }

  /** False once the oldest items were dropped to make room. */
  isComplete(tenant: string): boolean {
    return !this.#forgotten.has(tenant);
  }

  clear(tenant: string): void {
    this.#items.delete(tenant);
    this.#forgotten.delete(tenant);
  }
}

/** Called with each request, once it was answered. */
export type RequestListener = (tenant: string, entry: LoggedRequest) => void;

export class RequestLog extends Recent<LoggedRequest> {
  /** The whole answers of the operations: only `redactReply` of one may leave the process. */
  readonly #replies = new WeakMap<LoggedRequest, unknown>();
  readonly #listeners = new Set<RequestListener>();
  #count = 0;

  constructor() {
    super(rememberedRequests);
  }

  nextId(): string {
    this.#count += 1;
    return `req-${String(this.#count).padStart(6, '0')}`;
  }

  /** Remembers a request and, unless a fault held it back, the answer. */
  override add(tenant: string, entry: LoggedRequest, reply: unknown = null): void {
    super.add(tenant, entry);
    this.#replies.set(entry, reply);
    for (const listener of this.#listeners) listener(tenant, entry);
  }

  /** A request that is no operation of the gateway; it belongs to no tenant, so the first one logs it. */
  addOther(
    about: Pick<LoggedRequest, 'at' | 'id' | 'method' | 'path' | 'status' | 'decidedBy' | 'tier'>,
  ): void {
    this.add(defaultTenant, {
      operation: null,
      environment: about.path.startsWith('/production/') ? 'production' : 'staging',
      merchantOrderId: null,
      sessionId: null,
      request: {},
      faults: [],
      durationMs: 0,
      ...about,
      path: withoutCardNumbers(about.path).slice(0, 200),
    });
  }

  override list(tenant: string, query: RequestQuery = {}): readonly LoggedRequest[] {
    const wanted = Object.entries(query).filter(([, value]) => value !== undefined);
    return super
      .list(tenant)
      .filter((entry) => wanted.every(([name, value]) => Reflect.get(entry, name) === value));
  }

  /** What of the answer to a request may be shown. */
  replyTo(entry: LoggedRequest): unknown {
    return redactReply(this.#replies.get(entry));
  }

  /** Calls `listener` for every request from now on; the answer ends that. */
  watch(listener: RequestListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

/** An action of a browser on the sandbox's pages, for the inspector's timeline. */
export interface Visit {
  /** Epoch milliseconds, the tenant's clock. */
  readonly at: number;
  readonly kind:
    | 'page-opened'
    | 'payment-sent'
    | 'challenge-shown'
    | 'challenge-answered'
    | 'sent-to-shop';
  /** The session's id, or the challenge's. */
  readonly id: string;
}

/** Requests as an HTTP archive (HAR 1.2), for a browser's network panel and other viewers. */
export function harOf(
  log: RequestLog,
  requests: readonly LoggedRequest[],
  { url, version }: { readonly url: string; readonly version: string },
): object {
  const entries = requests.map((entry) => harEntry(entry, log.replyTo(entry), url));
  const creator = { name: 'pay-gateway-sandbox', version };
  return { log: { version: '1.2', creator, entries } };
}

/** Status 0: the caller saw none, because a fault broke the connection. */
function harEntry(entry: LoggedRequest, answer: unknown, url: string): object {
  const { method, path, request, operation, status, durationMs } = entry;
  const isQuestion = method === 'GET';
  const given = Object.entries(isQuestion ? request : {}).filter(([, value]) => value !== null);
  const hasBody = !isQuestion && operation !== null;
  const mimeType = 'application/json';
  const text = answer === null ? '' : JSON.stringify(answer);
  const common = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1, bodySize: -1 };
  return {
    startedDateTime: entry.at,
    time: durationMs,
    request: {
      method,
      url: url + path + queryOf(given),
      headers: hasBody ? [{ name: 'content-type', value: mimeType }] : [],
      queryString: given.map(([name, value]) => ({ name, value: String(value) })),
      ...(hasBody ? { postData: { mimeType, text: JSON.stringify(request) } } : {}),
      ...common,
    },
    response: {
      status: status ?? 0,
      statusText: STATUS_CODES[status ?? 0] ?? '',
      headers: [],
      content: { size: Buffer.byteLength(text), mimeType, text },
      redirectURL: '',
      ...common,
    },
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    comment: [`decided by ${entry.decidedBy}`, entry.tier, ...entry.faults].join(' · '),
  };
}

function queryOf(fields: readonly (readonly [string, unknown])[]): string {
  const texts = Object.fromEntries(fields.map(([name, value]) => [name, String(value)]));
  return fields.length === 0 ? '' : `?${new URLSearchParams(texts).toString()}`;
}

/** The credential comes from the shell; a field that was not stored is `<name>`, to fill in. */
export function curlOf({ method, path, operation, request }: LoggedRequest, url: string): string {
  const fields = Object.entries(request).map(
    ([name, value]) => [name, value === redacted ? `<${name}>` : value] as const,
  );
  const credential = path.includes('/merchant/')
    ? `-H "authorization: Bearer $PORTAL_TOKEN"`
    : `-H "x-api-key: $GATEWAY_API_KEY"`;
  const isQuestion = method === 'GET';
  const body = [
    `-H 'content-type: application/json'`,
    `--data ${quoted(JSON.stringify(Object.fromEntries(fields)))}`,
  ];
  return [
    `curl -X ${method}`,
    credential,
    ...(isQuestion || operation === null ? [] : body),
    quoted(url + path + queryOf(isQuestion ? fields : [])),
  ].join(' \\\n  ');
}

/** Any text as one word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
