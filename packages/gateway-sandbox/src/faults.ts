import type { OperationName } from './operations.ts';

/** Where a fault strikes, in the order of a call's way through the sandbox. */
export const faultPlaces = ['before-validation', 'before-commit', 'after-commit'] as const;
/** What it does: a delay, an error status, an HTML page, or a connection that breaks. */
export const faultKinds = ['latency', 'status', 'html', 'reset'] as const;
export type FaultPlace = (typeof faultPlaces)[number];
export type FaultKind = (typeof faultKinds)[number];

export interface Fault {
  /** Null: every operation. */
  readonly operation: OperationName | null;
  readonly place: FaultPlace;
  readonly kind: FaultKind;
  /** How many calls it still strikes. */
  readonly count: number;
  /** HTTP status of the kinds `status` and `html`. */
  readonly status: number;
  /** Delay of the kind `latency`, in milliseconds. */
  readonly latencyMs: number;
}

/** The faults waiting for calls, by tenant; oldest first, each used up after `count` calls. */
export class Faults {
  readonly #waiting = new Map<string, Fault[]>();

  add(tenant: string, fault: Fault): void {
    this.#waiting.set(tenant, [...(this.#waiting.get(tenant) ?? []), fault]);
  }

  /** The fault that strikes this call here; it counts as used. */
  take(tenant: string, operation: OperationName, place: FaultPlace): Fault | null {
    const waiting = this.#waiting.get(tenant) ?? [];
    const fault = waiting.find(
      (candidate) =>
        candidate.place === place &&
        (candidate.operation === null || candidate.operation === operation),
    );
    if (fault === undefined) return null;
    const used = { ...fault, count: fault.count - 1 };
    this.#waiting.set(
      tenant,
      waiting.flatMap((other) => (other === fault ? (used.count > 0 ? [used] : []) : [other])),
    );
    return fault;
  }

  clear(tenant: string): void {
    this.#waiting.delete(tenant);
  }
}
