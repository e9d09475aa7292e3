import { ConfigurationError, nameOf, PaymentsError } from '../errors.ts';
import { AlignedClock, LEAP_MS, type Clock } from '../clock.ts';
import { DeadlineError, withDeadline } from './deadline.ts';
import type { PaymentRecord } from '../payments/payment-record.ts';
import { CLOCK_SKEW_MS, type Store } from '../stores/store.ts';
import type { FlowContext } from './flow-context.ts';

/** How long a caller waits until the store is open. */
const DEADLINE_MS = 4_000;

/** Opens the store once: connects, migrates, and sets the clock by the database's. */
export class StoreOpening<Tx> {
  readonly #context: FlowContext<Tx>;
  readonly #alignment: ClockAlignment<Tx>;
  #opened: Promise<void> | undefined;
  #isOpen = false;

  constructor(context: FlowContext<Tx>, alignment: ClockAlignment<Tx>) {
    this.#context = context;
    this.#alignment = alignment;
  }

  /**
   * Resolves when the store is open. After a failure the next caller tries again. Opening that takes
   * long, as a migration may, goes on after its callers gave up.
   *
   * @throws {@link PaymentsError} `store_unavailable`.
   */
  async ready(): Promise<void> {
    if (this.#isOpen) return;
    this.#opened ??= this.#open();
    const opened = this.#opened;
    try {
      await withDeadline(this.#context.clock, DEADLINE_MS, () => opened);
    } catch (error) {
      if (!(error instanceof DeadlineError) && this.#opened === opened) this.#opened = undefined;
      if (error instanceof ConfigurationError) throw error;
      throw new PaymentsError('store_unavailable', 'The payments store cannot be opened.', {
        cause: error,
      });
    }
  }

  /** Resolves when an opening under way has ended, well or not, or a caller's time is up. */
  async ended(): Promise<void> {
    const { clock } = this.#context;
    const opened = this.#opened ?? Promise.resolve();
    await withDeadline(clock, DEADLINE_MS, () => opened).catch(() => undefined);
  }

  async #open(): Promise<void> {
    const { store, scope } = this.#context;
    await store.open(scope);
    await this.#alignment.align();
    this.#isOpen = true;
  }
}

/** How often checks are looked for that another process's clock has put off. */
const CLAMP_EVERY_MS = 60_000;

/** Keeps a process's clock with the database's, and notices a clock that was put back or leapt. */
export class ClockAlignment<Tx> {
  readonly #context: FlowContext<Tx>;
  #latest: number | undefined;
  #clampAt = 0;

  constructor(context: FlowContext<Tx>) {
    this.#context = context;
  }

  /** Sets the clock by the database's, where there is one: machines' clocks drift apart. */
  async align(): Promise<void> {
    const { store, alignClock } = this.#context;
    const offsetMs = (await store.clockOffsetMs?.()) ?? null;
    if (offsetMs !== null) alignClock?.(offsetMs);
    await this.clamp();
  }

  /**
   * After a clock was put back or leapt, and at the start, makes due what it had put off; once a minute, what
   * another process's clock has. Comes before any work: none may end a link by the time of a clock that leapt.
   */
  async clamp(): Promise<void> {
    const { store, clock, logger } = this.#context;
    const now = clock.now();
    const leap = clock instanceof AlignedClock ? clock : { leaptFrom: undefined };
    const { leaptFrom } = leap;
    const wasPutBack = this.#latest === undefined || now < this.#latest - CLOCK_SKEW_MS;
    this.#latest = wasPutBack ? now : Math.max(now, this.#latest ?? now);
    const isDue = wasPutBack || now >= this.#clampAt;
    if (!isDue && leaptFrom === undefined) return;
    this.#clampAt = now + CLAMP_EVERY_MS;
    try {
      await store.clampChecks(now, wasPutBack ? CLOCK_SKEW_MS : LEAP_MS, leaptFrom);
      if (leap.leaptFrom === leaptFrom) leap.leaptFrom = undefined;
    } catch (error) {
      // Without it, checks come late; work that waits for the clock goes on.
      logger.warn(
        { error: nameOf(error) },
        'checks that a clock has put off could not be made due',
      );
    }
  }
}

/** Asks the store. @throws {@link PaymentsError} `store_unavailable` where it does not answer. */
export async function askStore<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw new PaymentsError('store_unavailable', 'The payments store does not answer.', {
      cause: error,
    });
  }
}

/** Reads an order's record as it is stored. @throws {@link PaymentsError} `store_unavailable`. */
export function loadRecord(
  store: Pick<Store<unknown>, 'load'>,
  orderId: string,
): Promise<PaymentRecord | null> {
  return askStore(() => store.load(orderId));
}

/** How long a result is reused, so that many health checks cause few writes. */
const ANSWER_LIFE_MS = 2_000;

/** Checks whether a store can be written, by one write for all concurrent callers. */
export class Writability {
  readonly #store: Pick<Store<unknown>, 'checkWritable'>;
  readonly #clock: Clock;
  #answer: Promise<boolean> | undefined;
  #answeredAt: number | undefined;

  constructor(store: Pick<Store<unknown>, 'checkWritable'>, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** A write that is not answered in time counts as one that failed. */
  async ask(deadlineMs: number): Promise<boolean> {
    if (this.#answer === undefined || this.#isStale()) {
      this.#answeredAt = undefined;
      this.#answer = this.#write();
    }
    const answer = this.#answer;
    return withDeadline(this.#clock, deadlineMs, () => answer).catch(() => false);
  }

  /** Concurrent callers share a write under way. */
  #isStale(): boolean {
    if (this.#answeredAt === undefined) return false;
    const age = this.#clock.now() - this.#answeredAt;
    return age >= ANSWER_LIFE_MS || age < 0;
  }

  async #write(): Promise<boolean> {
    try {
      await this.#store.checkWritable?.();
      return true;
    } catch {
      return false;
    } finally {
      this.#answeredAt = this.#clock.now();
    }
  }
}
