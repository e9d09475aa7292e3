/** The kinds of timers. Each has its firing in `travel.ts`. */
export type TimerKind =
  | 'session-expired'
  | 'challenge-timed-out'
  | 'payment-settled'
  | 'refund-settled'
  | 'webhook-due';

/**
 * Something that will happen at an instant of the tenant's clock. A timer is never cancelled: when
 * it falls due, its firing looks at the state and does nothing if its subject has moved on.
 */
export interface Timer {
  /** Epoch milliseconds of the tenant's clock. */
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

/** Takes the top away. */
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
