// Every instant of the core is in epoch milliseconds of the tenant's clock.

/**
 * A tenant's clock: it showed `at` when the machine's clock showed `from`, and gains `rate`
 * milliseconds for each millisecond of the machine's. At the rate 0 it is stopped.
 */
export interface Clock {
  readonly from: number;
  readonly at: number;
  readonly rate: number;
}

export function iso(instant: number): string {
  return new Date(instant).toISOString();
}

export const realTime: Clock = { from: 0, at: 0, rate: 1 };

/** The tenant's instant when the machine's clock says `realNow`. */
export function readClock({ from, at, rate }: Clock, realNow: number): number {
  return Math.round(at + (realNow - from) * rate);
}

/** When the machine's clock will say that the tenant's has reached `instant`; infinity is never. */
export function realTimeOf({ from, at, rate }: Clock, instant: number): number {
  if (rate > 0) return Math.ceil(from + (instant - at) / rate);
  return instant <= at ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

export function atRate(clock: Clock, realNow: number, rate: number): Clock {
  return { from: realNow, at: readClock(clock, realNow), rate };
}

/** The clock moved to `instant`; it keeps its rate. */
export function movedTo({ rate }: Clock, instant: number, realNow: number): Clock {
  return { from: realNow, at: instant, rate };
}

export function clockState({ rate }: Clock): 'running' | 'frozen' {
  return rate > 0 ? 'running' : 'frozen';
}

/** The kinds of timers. Each has its firing in `step.ts`. */
export type TimerKind =
  | 'session-expired'
  | 'challenge-timed-out'
  | 'payment-settled'
  | 'refund-settled'
  | 'webhook-due';

/** A timer is never cancelled: its firing does nothing if its subject has moved on. */
export interface Timer {
  readonly at: number;
  readonly kind: TimerKind;
  /** The id of the subject. With the kind and the round it is unique in the tenant. */
  readonly id: string;
  /** Distinguishes repetitions: the second attempt of a delivery is round 1. */
  readonly round: number;
}

/** Adds a timer to a binary heap: the one that falls due first is at the top, `timers[0]`. */
export function addTimer(timers: Timer[], timer: Timer): Timer[] {
  let at = timers.push(timer) - 1;
  while (at > 0) {
    const above = (at - 1) >> 1;
    if (!isBefore(timer, timers[above])) break;
    swap(timers, at, above);
    at = above;
  }
  return timers;
}

export function withoutNext(timers: Timer[]): Timer[] {
  swap(timers, 0, timers.length - 1);
  timers.pop();
  let at = 0;
  for (;;) {
    const [left, right] = [2 * at + 1, 2 * at + 2];
    const below = isBefore(timers[right], timers[left]) ? right : left;
    if (!isBefore(timers[below], timers[at])) return timers;
    swap(timers, at, below);
    at = below;
  }
}

function swap(timers: Timer[], one: number, other: number): void {
  const [first, second] = [timers[one], timers[other]];
  if (first === undefined || second === undefined) return;
  [timers[one], timers[other]] = [second, first];
}

function isBefore(one: Timer | undefined, other: Timer | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  if (one.at !== other.at) return one.at < other.at;
  if (one.id !== other.id) return one.id < other.id;
  return one.kind === other.kind ? one.round < other.round : one.kind < other.kind;
}
