import { operationNames } from '../operations.ts';

/** Where a fault is injected: four places on a call's way through the sandbox, and a delivery. */
export const faultPlaces = [
  'before-validation',
  'before-commit',
  'after-commit',
  'body',
  'delivery',
] as const;

/** The effect of a fault on a call. */
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

/** The effect of a fault on the delivery of a webhook. */
export const deliveryFaultKinds = ['drop', 'duplicate', 'late', 'reorder', 'alter'] as const;

/** The targets of a fault: the client's method names, and the forms of the hosted pages. */
export const faultOperations = [...operationNames, 'hostedPage'] as const;

export type FaultPlace = (typeof faultPlaces)[number];
export type CallPlace = Exclude<FaultPlace, 'delivery'>;
export type CallFaultKind = (typeof callFaultKinds)[number];
export type DeliveryFaultKind = (typeof deliveryFaultKinds)[number];
export type FaultKind = CallFaultKind | DeliveryFaultKind;
export type FaultOperation = (typeof faultOperations)[number];

/** A fault that waits for calls or deliveries. */
export interface Fault {
  readonly id: string;
  /** Null: every operation, but not the pages. */
  readonly operation: FaultOperation | null;
  /** Null: every order. */
  readonly merchantOrderId: string | null;
  readonly place: FaultPlace;
  readonly kind: FaultKind;
  /** How many calls it still meets; null: all, until it is lifted. */
  readonly count: number | null;
  /** It meets every n-th call that it fits. */
  readonly every: number;
  /** HTTP status of the kinds `status` and `html`. */
  readonly status: number;
  /** Seconds of a `Retry-After` header with the kinds `status` and `html`; null: no header. */
  readonly retryAfterSeconds: number | null;
  /** Delay of `latency` and `late`, and how far behind `stale` is, in milliseconds. */
  readonly latencyMs: number;
  /** Where the kind `redirect` leads. */
  readonly location: string;
  /** How often `duplicate` delivers, in all. */
  readonly times: number;
  /** The profile that brought it, or null. */
  readonly profile: string | null;
}

/** A fault as requested. Absent fields have their defaults. */
export type FaultSketch = Pick<Fault, 'place' | 'kind'> & Partial<Fault>;

const defaultStatuses: Partial<Record<FaultKind, number>> = { status: 500, html: 503 };
const defaultLatenciesMs: Partial<Record<FaultKind, number>> = { late: 60_000, stale: 30_000 };

/** The whole fault, without its id. */
export function completeFault(sketch: FaultSketch): Omit<Fault, 'id'> {
  return {
    operation: null,
    merchantOrderId: null,
    count: 1,
    every: 1,
    status: defaultStatuses[sketch.kind] ?? 200,
    retryAfterSeconds: null,
    latencyMs: defaultLatenciesMs[sketch.kind] ?? 2000,
    location: 'https://elsewhere.invalid/',
    times: 2,
    profile: null,
    ...sketch,
  };
}
