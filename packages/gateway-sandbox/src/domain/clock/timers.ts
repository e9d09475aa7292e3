/** The kinds of timers. Each has its firing in `fire-timers.ts`. */
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

interface Node {
  readonly timer: Timer;
  /** Length of the shortest way down: the left side is never the shorter one. */
  readonly rank: number;
  readonly left: Node | null;
  readonly right: Node | null;
}

/**
 * The timers of a tenant, in the order of time, then id. It never changes: `with` and
 * `withoutNext` answer a new one, at the cost of a logarithm (a leftist heap).
 */
export class Timers {
  readonly #root: Node | null;

  private constructor(root: Node | null) {
    this.#root = root;
  }

  static readonly none: Timers = new Timers(null);

  /** The timer that falls due first, or null. */
  get next(): Timer | null {
    return this.#root?.timer ?? null;
  }

  with(timer: Timer): Timers {
    return new Timers(merge({ timer, rank: 1, left: null, right: null }, this.#root));
  }

  withoutNext(): Timers {
    return new Timers(merge(this.#root?.left ?? null, this.#root?.right ?? null));
  }
}

function merge(one: Node | null, other: Node | null): Node | null {
  if (one === null) return other;
  if (other === null) return one;
  const [first, second] = isBefore(other.timer, one.timer) ? [other, one] : [one, other];
  const merged = merge(first.right, second);
  const isShorter = rankOf(first.left) < rankOf(merged);
  return {
    timer: first.timer,
    rank: Math.min(rankOf(first.left), rankOf(merged)) + 1,
    left: isShorter ? merged : first.left,
    right: isShorter ? first.left : merged,
  };
}

function rankOf(node: Node | null): number {
  return node?.rank ?? 0;
}

function isBefore(one: Timer, other: Timer): boolean {
  if (one.at !== other.at) return one.at < other.at;
  if (one.id !== other.id) return one.id < other.id;
  return one.kind === other.kind ? one.round < other.round : one.kind < other.kind;
}
