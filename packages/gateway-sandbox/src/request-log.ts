import type { Environment } from './domain/session.ts';

/** How many requests of each tenant are remembered. */
const remembered = 500;

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
  /** The place and the kind of each fault that struck the call. */
  readonly faults: readonly string[];
  /** Real time from the head of the request to the end of the answer, in whole milliseconds. */
  readonly durationMs: number;
}

/** The last requests of each tenant, in memory only. */
export class RequestLog {
  readonly #entries = new Map<string, LoggedRequest[]>();
  #count = 0;

  nextId(): string {
    this.#count += 1;
    return `req-${String(this.#count).padStart(6, '0')}`;
  }

  add(tenant: string, entry: LoggedRequest): void {
    const entries = this.#entries.get(tenant) ?? [];
    entries.push(entry);
    if (entries.length > remembered) entries.shift();
    this.#entries.set(tenant, entries);
  }

  /** Oldest first; both filters are optional. */
  list(
    tenant: string,
    filter: { operation?: string | undefined; merchantOrderId?: string | undefined } = {},
  ): readonly LoggedRequest[] {
    return (this.#entries.get(tenant) ?? []).filter(
      (entry) =>
        (filter.operation === undefined || entry.operation === filter.operation) &&
        (filter.merchantOrderId === undefined || entry.merchantOrderId === filter.merchantOrderId),
    );
  }

  clear(tenant: string): void {
    this.#entries.delete(tenant);
  }
}
