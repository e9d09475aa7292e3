import { completeFault } from './fault.ts';
import type { Fault, FaultOperation, FaultPlace, FaultSketch } from './fault.ts';
import { profiles } from './profiles.ts';
import type { ProfileName } from './profiles.ts';

/** The target of an injection: a call or, without an operation, a delivery. */
export interface Target {
  readonly operation: FaultOperation | null;
  readonly merchantOrderId: string | null;
}

interface Waiting {
  readonly fault: Fault;
  /** Calls that it fitted so far. */
  readonly seen: number;
}

/** The faults that wait, by tenant, oldest first. They live in memory only. */
export class Faults {
  readonly #waiting = new Map<string, readonly Waiting[]>();
  readonly #profiles = new Map<string, ProfileName>();
  #count = 0;

  /** Adds a fault and answers it whole. */
  add(tenant: string, sketch: FaultSketch): Fault {
    this.#count += 1;
    const fault = { ...completeFault(sketch), id: `fault-${this.#count}` };
    this.#waiting.set(tenant, [...this.#of(tenant), { fault, seen: 0 }]);
    return fault;
  }

  /** Oldest first, each with what is left of its count. */
  list(tenant: string): readonly Fault[] {
    return this.#of(tenant).map(({ fault }) => fault);
  }

  /** Puts a profile in place of all faults that wait. */
  setProfile(tenant: string, name: ProfileName): void {
    this.clear(tenant);
    this.#profiles.set(tenant, name);
    for (const sketch of profiles[name]) {
      this.add(tenant, { ...sketch, count: null, profile: name });
    }
  }

  profile(tenant: string): ProfileName {
    return this.#profiles.get(tenant) ?? 'healthy';
  }

  /**
   * The faults to inject here; they count as used. Of each kind only the oldest is taken, so two of
   * a kind meet two calls; a fault that ends the call leaves those after it waiting.
   */
  take(tenant: string, place: FaultPlace, target: Target): readonly Fault[] {
    if (this.#of(tenant).length === 0) return [];
    const taken: Fault[] = [];
    let isOver = false;
    const left = this.#of(tenant).flatMap((waiting): Waiting[] => {
      const { fault, seen } = waiting;
      if (isOver || fault.place !== place || !fits(fault, target)) return [waiting];
      if (taken.some(({ kind }) => kind === fault.kind)) return [waiting];
      if ((seen + 1) % fault.every !== 0) return [{ fault, seen: seen + 1 }];
      taken.push(fault);
      isOver = endsTheCall(fault);
      const count = fault.count === null ? null : fault.count - 1;
      return count === 0 ? [] : [{ fault: { ...fault, count }, seen: seen + 1 }];
    });
    this.#waiting.set(tenant, left);
    return taken;
  }

  /** Lifts one fault; false when it is not waiting. */
  lift(tenant: string, id: string): boolean {
    const left = this.#of(tenant).filter(({ fault }) => fault.id !== id);
    const isKnown = left.length < this.#of(tenant).length;
    this.#waiting.set(tenant, left);
    return isKnown;
  }

  clear(tenant: string): void {
    this.#waiting.delete(tenant);
    this.#profiles.delete(tenant);
  }

  #of(tenant: string): readonly Waiting[] {
    return this.#waiting.get(tenant) ?? [];
  }
}

function fits(fault: Fault, { operation, merchantOrderId }: Target): boolean {
  const fitsOperation =
    fault.operation === null ? operation !== 'hostedPage' : fault.operation === operation;
  const fitsOrder = fault.merchantOrderId === null || fault.merchantOrderId === merchantOrderId;
  return fitsOperation && fitsOrder;
}

/** A delay before the answer and an old answer let the call go on; so does a delivery's fault. */
export function endsTheCall({ kind, place }: Fault): boolean {
  if (place === 'delivery' || kind === 'stale') return false;
  return kind !== 'latency' || place === 'body';
}
