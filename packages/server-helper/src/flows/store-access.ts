import { ConfigurationError, PaymentsError } from '../errors.ts';
import type { Clock } from '../clock.ts';
import { DeadlineError, withDeadline } from './deadline.ts';
import type { PaymentRecord } from '../payments/payment-record.ts';
import type { Store } from '../stores/store.ts';
import type { ClockAlignment } from './clock-alignment.ts';
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
  readonly #store: Pick<Store<unknown>, 'health'>;
  readonly #clock: Clock;
  #answer: Promise<boolean> | undefined;
  #answeredAt: number | undefined;

  constructor(store: Pick<Store<unknown>, 'health'>, clock: Clock) {
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
      await this.#store.health.checkWritable?.();
      return true;
    } catch {
      return false;
    } finally {
      this.#answeredAt = this.#clock.now();
    }
  }
}
