import { AlignedClock, LEAP_MS } from '../clock.ts';
import { ConfigurationError, nameOf, PaymentsError } from '../errors.ts';
import { CLOCK_SKEW_MS, rightTimes, type WrongClock } from '../payments/wrong-clock.ts';
import type { PaymentRecord } from '../payments/payment-record.ts';
import { changePayment } from './change-payment.ts';
import { DeadlineError, withDeadline } from './deadline.ts';
import type { FlowContext } from './flow-context.ts';
import { askStore } from './store-access.ts';

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
const LOOK_EVERY_MS = 60_000;
const ORDERS_A_PAGE = 1_000;

/** Keeps a process's clock with the database's, and notices a clock that was put back or leapt. */
export class ClockAlignment<Tx> {
  readonly #context: FlowContext<Tx>;
  #latest: number | undefined;
  #lookAt = 0;

  constructor(context: FlowContext<Tx>) {
    this.#context = context;
  }

  /** Sets the clock by the database's, where there is one: machines' clocks drift apart. */
  async align(): Promise<void> {
    const { store, alignClock } = this.#context;
    const offsetMs = (await store.health.clockOffsetMs?.()) ?? null;
    if (offsetMs !== null) alignClock?.(offsetMs);
    await this.clamp();
  }

  /**
   * After a clock was put back or leapt, and at the start, makes due what it had put off; once a minute, what
   * another process's clock has. Comes before any work: none may end a link by the time of a clock that leapt.
   */
  async clamp(): Promise<void> {
    const { clock, logger } = this.#context;
    const now = clock.now();
    const leap = clock instanceof AlignedClock ? clock : { leaptFrom: undefined };
    const { leaptFrom } = leap;
    const wasPutBack = this.#latest === undefined || now < this.#latest - CLOCK_SKEW_MS;
    this.#latest = wasPutBack ? now : Math.max(now, this.#latest ?? now);
    const isDue = wasPutBack || now >= this.#lookAt;
    if (!isDue && leaptFrom === undefined) return;
    this.#lookAt = now + LOOK_EVERY_MS;
    try {
      await this.#rightTimes(now, { aheadMs: wasPutBack ? CLOCK_SKEW_MS : LEAP_MS, leaptFrom });
      if (leap.leaptFrom === leaptFrom) leap.leaptFrom = undefined;
    } catch (error) {
      // Without it, checks come late; work that waits for the clock goes on.
      logger.warn(
        { error: nameOf(error) },
        'checks that a clock has put off could not be made due',
      );
    }
  }

  /** Without a leap, only orders that were written in the future can have times from there. */
  async #rightTimes(now: number, wrong: WrongClock): Promise<void> {
    const { store } = this.#context;
    const savedAfter = wrong.leaptFrom === undefined ? now + wrong.aheadMs : 0;
    for (let after: string | null = null; ;) {
      const page = { of: 'put off', after, savedAfter, now, limit: ORDERS_A_PAGE } as const;
      const records: readonly PaymentRecord[] = await askStore(() => store.list(page));
      await Promise.all(
        records.map((record) =>
          changePayment(
            this.#context,
            record.payment.orderId,
            (current, at) => current && rightTimes(current, at, wrong),
            { record },
          ),
        ),
      );
      if (records.length < ORDERS_A_PAGE) return;
      after = records.at(-1)?.payment.orderId ?? null;
    }
  }
}
