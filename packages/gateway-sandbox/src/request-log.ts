import { defaultTenant } from './domain/tenant.ts';
import type { Environment } from './domain/transaction.ts';

/** How many requests of each tenant are remembered. */
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

interface StoredRequest {
  readonly entry: LoggedRequest;
  /** The whole answer of the operation: only `redactReply` of it may leave the process. */
  readonly reply: unknown;
}

/** Called with each request, once it was answered. */
export type RequestListener = (tenant: string, entry: LoggedRequest) => void;

/** The last requests of each tenant, in memory only. */
export class RequestLog {
  readonly #stored = new Map<string, StoredRequest[]>();
  readonly #forgotten = new Set<string>();
  readonly #listeners = new Set<RequestListener>();
  #count = 0;

  nextId(): string {
    this.#count += 1;
    return `req-${String(this.#count).padStart(6, '0')}`;
  }

  /** Remembers a request and, unless a fault held it back, the answer. */
  add(tenant: string, entry: LoggedRequest, reply: unknown = null): void {
    const stored = this.#stored.get(tenant) ?? [];
    stored.push({ entry, reply });
    if (stored.length > rememberedRequests) {
      stored.shift();
      this.#forgotten.add(tenant);
    }
    this.#stored.set(tenant, stored);
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
    });
  }

  /** Oldest first. */
  list(tenant: string, query: RequestQuery = {}): readonly LoggedRequest[] {
    return this.withReplies(tenant, query).map(({ entry }) => entry);
  }

  /** Oldest first, each with its whole reply. */
  withReplies(tenant: string, query: RequestQuery = {}): readonly StoredRequest[] {
    return (this.#stored.get(tenant) ?? []).filter(
      ({ entry }) =>
        (query.operation === undefined || entry.operation === query.operation) &&
        (query.merchantOrderId === undefined || entry.merchantOrderId === query.merchantOrderId) &&
        (query.status === undefined || entry.status === query.status),
    );
  }

  /** False once the oldest requests were dropped to make room. */
  isComplete(tenant: string): boolean {
    return !this.#forgotten.has(tenant);
  }

  /** Calls `listener` for every request from now on; the answer ends that. */
  watch(listener: RequestListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  clear(tenant: string): void {
    this.#stored.delete(tenant);
    this.#forgotten.delete(tenant);
  }
}

/** How many of each tenant's visits are remembered. */
const rememberedVisits = 300;

/** The actions of a browser on the sandbox's pages, for the inspector's timeline. */
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

/** The last visits of each tenant, in memory only. */
export class VisitLog {
  readonly #visits = new Map<string, Visit[]>();

  add(tenant: string, visit: Visit): void {
    const visits = this.#visits.get(tenant) ?? [];
    visits.push(visit);
    if (visits.length > rememberedVisits) visits.shift();
    this.#visits.set(tenant, visits);
  }

  /** Oldest first. */
  list(tenant: string): readonly Visit[] {
    return this.#visits.get(tenant) ?? [];
  }

  clear(tenant: string): void {
    this.#visits.delete(tenant);
  }
}
