// Every instant of the core is in epoch milliseconds of the tenant's clock.

/**
 * A tenant's clock: stopped at an instant, or running. A running clock
 * showed `at` when the machine's clock showed `from`, and gains `rate` milliseconds for each
 * millisecond of the machine's.
 */
export type ClockSetting =
  | {
      readonly kind: 'running';
      readonly from: number;
      readonly at: number;
      readonly rate: number;
    }
  | { readonly kind: 'frozen'; readonly at: number };

export function iso(instant: number): string {
  return new Date(instant).toISOString();
}

export const realTime: ClockSetting = { kind: 'running', from: 0, at: 0, rate: 1 };

/** The tenant's instant when the machine's clock says `realNow`. */
export function readClock(setting: ClockSetting, realNow: number): number {
  if (setting.kind === 'frozen') return setting.at;
  return Math.round(setting.at + (realNow - setting.from) * setting.rate);
}

/** When the machine's clock will say that the tenant's has reached `instant`; infinity is never. */
export function realTimeOf(setting: ClockSetting, instant: number): number {
  if (setting.kind === 'running') {
    return Math.ceil(setting.from + (instant - setting.at) / setting.rate);
  }
  return instant <= setting.at ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

export function frozen(setting: ClockSetting, realNow: number): ClockSetting {
  return { kind: 'frozen', at: readClock(setting, realNow) };
}

export function running(setting: ClockSetting, realNow: number, rate = 1): ClockSetting {
  return { kind: 'running', from: realNow, at: readClock(setting, realNow), rate };
}

/** The clock moved to `instant`; a stopped clock stays stopped, a running one keeps its rate. */
export function movedTo(setting: ClockSetting, instant: number, realNow: number): ClockSetting {
  return setting.kind === 'frozen'
    ? { kind: 'frozen', at: instant }
    : { ...setting, from: realNow, at: instant };
}

/** How much the tenant's clock gains for each millisecond of the machine's; 0 when it is stopped. */
export function rateOf(setting: ClockSetting): number {
  return setting.kind === 'running' ? setting.rate : 0;
}

/** The kinds of timers. Each has its firing in `time.ts`. */
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
