import type { Outcome } from './domain/outcome.ts';
import { operationNames } from './domain/tenant.ts';

/** Where a fault is injected: four places on a call's way through the sandbox, and a delivery. */
export const faultPlaces = [
  'before-validation',
  'before-commit',
  'after-commit',
  'body',
  'delivery',
] as const;

export const callFaultKinds = [
  'latency',
  'stall',
  'status',
  'html',
  'reset',
  'cut',
  'wrong-type',
  'wrong-fields',
  'empty',
  'stale',
  'redirect',
] as const;

export const deliveryFaultKinds = ['drop', 'duplicate', 'late', 'reorder', 'alter'] as const;

/** The targets of a fault: the client's method names, and the forms of the hosted pages. */
export const faultOperations = [...operationNames, 'hostedPage'] as const;

/** The kinds at a place; before the commit there is no answer yet whose fields could be wrong. */
export function kindsAt(place: FaultPlace): readonly FaultKind[] {
  if (place === 'delivery') return deliveryFaultKinds;
  return place === 'body' || place === 'after-commit'
    ? callFaultKinds
    : callFaultKinds.filter((kind) => kind !== 'wrong-fields');
}

export type FaultPlace = (typeof faultPlaces)[number];
export type CallPlace = Exclude<FaultPlace, 'delivery'>;
export type FaultKind = (typeof callFaultKinds | typeof deliveryFaultKinds)[number];
export type FaultOperation = (typeof faultOperations)[number];

/** What a fault does where its sketch says nothing else. */
const usual = {
  /** Null: every operation, but not the pages. */
  operation: null as FaultOperation | null,
  merchantOrderId: null as string | null,
  /** How many calls it still meets; null: all, until it is lifted. */
  count: 1 as number | null,
  /** It meets every n-th call that it fits. */
  every: 1,
  /** HTTP status of the kinds `status` and `html`. */
  status: 200,
  /** Seconds of a `Retry-After` header with the kinds `status` and `html`; null: no header. */
  retryAfterSeconds: null as number | null,
  /** Delay of `latency` and `late`, and how far behind `stale` is, in milliseconds. */
  latencyMs: 2000,
  location: 'https://elsewhere.invalid/',
  /** How often `duplicate` delivers, in all. */
  times: 2,
  /** The profile that brought it, or null. */
  profile: null as string | null,
};

const usualOfKind: { readonly [Kind in FaultKind]?: Partial<typeof usual> } = {
  status: { status: 500 },
  html: { status: 503 },
  late: { latencyMs: 60_000 },
  stale: { latencyMs: 30_000 },
};

export interface Fault extends Readonly<typeof usual> {
  readonly id: string;
  readonly place: FaultPlace;
  readonly kind: FaultKind;
}

export type FaultSketch = Pick<Fault, 'place' | 'kind'> & Partial<Fault>;

/** The target of an injection: a call or, without an operation, a delivery. */
export interface Target {
  readonly operation: FaultOperation | null;
  readonly merchantOrderId: string | null;
}

interface Waiting {
  readonly fault: Fault & { count: number | null };
  /** Calls that it fitted so far. */
  seen: number;
}

/** The faults that wait, by tenant, oldest first. They live in memory only. */
export class Faults {
  readonly #waiting = new Map<string, readonly Waiting[]>();
  readonly #profiles = new Map<string, ProfileName>();
  #count = 0;

  add(tenant: string, sketch: FaultSketch): Fault {
    this.#count += 1;
    const fault = { ...usual, ...usualOfKind[sketch.kind], ...sketch, id: `fault-${this.#count}` };
    this.#waiting.set(tenant, [...this.#of(tenant), { fault, seen: 0 }]);
    return fault;
  }

  /** Oldest first, each with what is left of its count. */
  list(tenant: string): readonly Fault[] {
    return this.#of(tenant).map(({ fault }) => fault);
  }

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

  /** The oldest fault of each kind, so that two of a kind meet two calls; none after a call's end. */
  take(tenant: string, place: FaultPlace, target: Target): readonly Fault[] {
    const waiting = this.#of(tenant);
    const taken: Fault[] = [];
    for (const one of waiting) {
      const { fault } = one;
      if (fault.place !== place || !fits(fault, target)) continue;
      if (taken.some(({ kind }) => kind === fault.kind)) continue;
      one.seen += 1;
      if (one.seen % fault.every !== 0) continue;
      taken.push(fault);
      if (fault.count !== null) fault.count -= 1;
      if (endsTheCall(fault)) break;
    }
    const left = waiting.filter(({ fault }) => fault.count !== 0);
    if (left.length < waiting.length) this.#waiting.set(tenant, left);
    return taken;
  }

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

/** Calls that move money or promise to, so that a lost answer leaves their outcome unknown. */
const moneyCalls: readonly FaultOperation[] = [
  'createPaymentLink',
  'sale',
  'capture',
  'void',
  'refund',
  'chargeRecurring',
];

/** Fault profiles: each replaces the one before, and its faults are injected until `healthy`. */
const profiles = {
  healthy: [],
  // Slow, and slow once more between the two halves of the answer.
  'slow-3g': [
    { place: 'before-validation', kind: 'latency', latencyMs: 2000 },
    { place: 'body', kind: 'latency', latencyMs: 400 },
  ],
  // The call is committed, and its answer is lost.
  'ghost-success': moneyCalls.map((operation) => resetAt(operation, 'after-commit')),
  // The answer is lost, and nothing is committed.
  'ghost-failure': moneyCalls.map((operation) => resetAt(operation, 'before-commit')),
  // The issuers are away: payments are declined (`profileOutcomes`), and nothing else gets through.
  'bank-outage': (['capture', 'void', 'refund'] as const).map((operation) => ({
    operation,
    place: 'before-commit',
    kind: 'status',
    status: 503,
    retryAfterSeconds: 30,
  })),
  'maintenance-html': [{ place: 'before-validation', kind: 'html', status: 503 }],
  'status-lag': [
    { operation: 'retrieveStatus', place: 'before-commit', kind: 'stale', latencyMs: 10_000 },
  ],
  'webhook-storm': [
    { place: 'delivery', kind: 'duplicate', times: 5 },
    { place: 'delivery', kind: 'reorder', every: 2 },
  ],
  'webhook-blackout': [{ place: 'delivery', kind: 'drop' }],
  'out-of-order': [{ place: 'delivery', kind: 'reorder' }],
  // Everything a little, in a fixed rhythm, so that a failing test fails again.
  'friday-night': [
    { place: 'before-validation', kind: 'latency', latencyMs: 600 },
    { place: 'before-validation', kind: 'status', status: 429, retryAfterSeconds: 1, every: 5 },
    { operation: 'retrieveStatus', place: 'body', kind: 'cut', every: 4 },
    { operation: 'createPaymentLink', place: 'after-commit', kind: 'reset', every: 6 },
    { operation: 'hostedPage', place: 'after-commit', kind: 'reset', every: 4 },
    { place: 'delivery', kind: 'duplicate', every: 2 },
    { place: 'delivery', kind: 'late', latencyMs: 20_000, every: 3 },
  ],
} as const satisfies Readonly<Record<string, readonly FaultSketch[]>>;

export type ProfileName = keyof typeof profiles;
export const profileNames = Object.keys(profiles) as readonly ProfileName[];

/** The outcome of every payment under a profile; an armed outcome goes first. */
export const profileOutcomes: Partial<Readonly<Record<ProfileName, Outcome>>> = {
  'bank-outage': 'decline:91',
};

function resetAt(operation: FaultOperation, place: Fault['place']): FaultSketch {
  return { operation, place, kind: 'reset' };
}
