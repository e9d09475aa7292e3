import { callAfter, type Clock } from '../clock.ts';
import { PaymentsError } from '../errors.ts';
import type { PaymentRecord } from '../payments/record.ts';
import type { Store } from '../stores/store.ts';

/** Asks the store. @throws {@link PaymentsError} `store_unavailable` where it does not answer. */
export async function askStore<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    throw new PaymentsError('store_unavailable', 'The payments store does not answer.', { cause });
  }
}

/** Reads an order's record as it is stored. @throws {@link PaymentsError} `store_unavailable`. */
export function loadRecord(
  store: Pick<Store<unknown>, 'load'>,
  orderId: string,
): Promise<PaymentRecord | null> {
  return askStore(() => store.load(orderId));
}

/** The work took longer than its limit. It continues, and its result is dropped. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
}

/**
 * Waits for work with a limit: work that never ends must not block the work after it.
 *
 * @throws {@link DeadlineError} when the time is up, else what the work throws.
 */
export async function withDeadline<T>(
  clock: Clock,
  milliseconds: number,
  work: () => Promise<T>,
): Promise<T> {
  const done = await inTime(clock, milliseconds, async () => ({ result: await work() }));
  if (done === null) throw new DeadlineError(`it took longer than ${milliseconds} ms`);
  return done.result;
}

/**
 * Waits as {@link withDeadline} does, for a caller who can continue without the late result.
 *
 * @returns `null` when the time is up.
 */
export async function inTime<T>(
  clock: Clock,
  milliseconds: number,
  work: () => Promise<T>,
): Promise<T | null> {
  const result = work();
  return new Promise((resolve, reject) => {
    const callOff = callAfter(clock, Math.max(0, milliseconds), () => resolve(null));
    // When the time is up first, a later result of the work is dropped.
    result.then(resolve, reject).finally(callOff);
  });
}

/** Work that several callers share. */
export interface Flight<T> {
  readonly result: Promise<T>;
  /** Whether the work was under way before this call. */
  readonly joined: boolean;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

/** Work under way, by key. Calls for the same key share one result. */
export class SingleFlight<T> {
  readonly #underWay = new Map<string, Flight<T>>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Starts the work, or joins what is under way for this key. */
  run(key: string, work: () => Promise<T>): Flight<T> {
    const existing = this.#underWay.get(key);
    if (existing !== undefined) return { ...existing, joined: true };
    const result = work().finally(() => this.#underWay.delete(key));
    const flight = { result, joined: false, startedAt: this.#now() };
    this.#underWay.set(key, flight);
    return flight;
  }

  /** Does the work once what is under way for this key has ended, well or not. */
  async inTurn(key: string, work: () => Promise<T>): Promise<T> {
    for (;;) {
      const { result, joined } = this.run(key, work);
      if (!joined) return result;
      await result.catch(() => undefined);
    }
  }

  /** Resolves when all that is under way has ended, well or not. */
  async drain(): Promise<void> {
    await Promise.allSettled([...this.#underWay.values()].map(({ result }) => result));
  }
}

/**
 * Makes rounds of one piece of work, one after the other. A call during a round gets the round after it,
 * which all such callers share: that round sees what they have written.
 */
export function rounds<T>(work: () => Promise<T>) {
  let current: Promise<T> | undefined;
  let next: Promise<T> | undefined;
  const start = (): Promise<T> => {
    next = undefined;
    const round = work().finally(() => {
      if (current === round) current = undefined;
    });
    return (current = round);
  };
  const run = (): Promise<T> =>
    current === undefined ? start() : (next ??= current.then(start, start));
  return {
    run,
    /** Has a round begin, without a caller who waits. Many such calls during a round hold nothing each. */
    begin: (onError: (error: unknown) => void): void => {
      if (next === undefined) run().catch(onError);
    },
  };
}
