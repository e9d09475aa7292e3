/** How many of each tenant's visits are remembered. */
const remembered = 300;

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
    if (visits.length > remembered) visits.shift();
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
