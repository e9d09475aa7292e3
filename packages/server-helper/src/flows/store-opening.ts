import { AlignedClock, type Clock, LEAP_MS } from '../clock.ts';
import { ConfigurationError, nameOf, PaymentsError } from '../errors.ts';
import { CLOCK_SKEW_MS, rightTimes, type WrongClock } from '../payments/checks.ts';
import { changeOf } from '../payments/draft.ts';
import { type Change, isOutstanding, type PaymentRecord } from '../payments/record.ts';
import { changePayment, type Decide, thrownByHook } from './change-payment.ts';
import { askStore, DeadlineError, withDeadline } from './waiting.ts';
import type { FlowContext } from './flow-context.ts';
import { quotable } from '../gateway/quotable.ts';
import type { Logger, OnceAMinute } from '../logger.ts';
import { faultText, storeFaultOf } from '../stores/database-error.ts';
import type { Save, Store } from '../stores/store.ts';

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
      const words = 'The payments store cannot be opened.';
      throw new PaymentsError('store_unavailable', words, { cause: error });
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
    await this.#recognise().catch((error: unknown) => {
      // A store that cannot be written is open for those who read.
      if (error instanceof ConfigurationError) throw error;
    });
    await this.#alignment.align();
    this.#isOpen = true;
  }

  /** A shop keeps its API keys or its address when it changes the other; only another shop has neither. */
  async #recognise(): Promise<void> {
    const { store, clock, isProduction, notices, shopMarks: marks = [] } = this.#context;
    if (marks.length === 0) return;
    const forEver = { now: clock.now(), endsAt: Number.MAX_SAFE_INTEGER };
    const first = await store.bind('shop', marks.join(' '), forEver);
    const later = marks.filter((mark) => !first.includes(mark));
    const opened = (mark: string, times: 0 | 1) => store.count(`shop ${mark}`, times, forEver);
    const before = await Promise.all(later.map((mark) => opened(mark, 0)));
    const unknown = later.filter((_mark, at) => before[at]?.hits === 0);
    if (unknown.length === marks.length) {
      const error = new ConfigurationError('store_of_another_scope', anotherShop);
      if (isProduction === true) throw error;
      notices?.warn({ code: error.code }, error.message);
    } else if (isProduction === true && unknown.includes(marks.at(-1) ?? '')) {
      notices?.warn({ code: 'store_of_another_scope' }, newAddress);
    }
    await Promise.all(unknown.map((mark) => opened(mark, 1)));
  }
}

const newAddress =
  'the store is opened from this publicUrl for the first time. Unless the shop has moved, give this one a database or a schema of its own: two shops in one store sell into each other';

const anotherShop = {
  setting: 'store',
  what: 'The store is of another shop: no API key and no address of this one has opened it before.',
  why: 'Two shops in one store sell into each other, since the same order id is another order there.',
  fix: 'Give this shop a database or a schema of its own. Where it is the same shop with a new key at a new address, start it once with the former key beside the new one: apiKey: [new, former].',
};

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
    if (!wasPutBack && now < this.#lookAt && leaptFrom === undefined) return;
    this.#lookAt = now + LOOK_EVERY_MS;
    try {
      await this.#rightTimes(now, { aheadMs: wasPutBack ? CLOCK_SKEW_MS : LEAP_MS, leaptFrom });
      if (leap.leaptFrom === leaptFrom) leap.leaptFrom = undefined;
    } catch (error) {
      // Without it, checks come late; work that waits for the clock goes on.
      const words = 'checks that a clock has put off could not be made due';
      logger.warn({ error: nameOf(error) }, words);
    }
  }

  /** Without a leap, only orders that were written in the future can have times from there. */
  async #rightTimes(now: number, wrong: WrongClock): Promise<void> {
    const { store } = this.#context;
    const savedAfter = wrong.leaptFrom === undefined ? now + wrong.aheadMs : 0;
    for (let after: string | null = null; ;) {
      const page = { of: 'put off', after, savedAfter, now, limit: ORDERS_A_PAGE } as const;
      const records: readonly PaymentRecord[] = await askStore(() => store.list(page));
      await Promise.all(records.map((record) => this.#rightOrder(record, wrong)));
      if (records.length < ORDERS_A_PAGE) return;
      after = records.at(-1)?.payment.orderId ?? null;
    }
  }

  /** Where an order's own times are right, its lease may be a clock's that ran ahead: a save takes it away. */
  async #rightOrder(record: PaymentRecord, wrong: WrongClock): Promise<void> {
    const decide: Decide<Change | null> = (current, at) =>
      current && (rightTimes(current, at, wrong) ?? changeOf(current.payment, [], {}, at));
    await changePayment(this.#context, record.payment.orderId, decide, { record });
  }
}

/** The dependencies of the failure reports. */
export interface FailureReports {
  readonly logger: Pick<Logger, 'error'>;
  readonly once: OnceAMinute;
  /** Texts that no report may show, even where the database quotes them. */
  readonly secrets: readonly string[];
  readonly trouble: StoreTrouble;
}

/** Why the store failed last, for health; `null` where nothing is known. */
export interface StoreTrouble {
  reason: string | null;
}

/**
 * A store whose failures are reported where they happen, each kind once a minute: the database's code, its
 * message without its details, which may hold a row, and what is missing where that is known.
 */
export function reportingStore<Tx>(store: Store<Tx>, reports: FailureReports): Store<Tx> {
  const reported = async (work: Promise<unknown>, name: string, given: readonly unknown[]) => {
    try {
      return await work;
    } catch (error) {
      const isOwn = name === 'save' && thrownByHook(given[0] as Save, error) !== null;
      if (!isOwn && !(error instanceof ConfigurationError)) report(error, name === 'open', reports);
      throw error;
    }
  };
  const watched = <T extends object>(part: T): T =>
    new Proxy(part, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (name === 'health') return watched(member as Store<Tx>['health']);
        if (typeof member !== 'function') return member;
        return (...given: unknown[]): unknown => {
          const result: unknown = Reflect.apply(member, target, given);
          return result instanceof Promise ? reported(result, String(name), given) : result;
        };
      },
    });
  return watched(store);
}

function report(
  error: unknown,
  isOpening: boolean,
  { logger, once, secrets, trouble }: FailureReports,
): void {
  const what = isOpening ? 'the payments store cannot be opened' : 'the payments store failed';
  const { code, database, advice } = storeFaultOf(error);
  trouble.reason = database !== null || advice !== undefined ? faultText(code, advice) : null;
  if (!once.lets(`${what} ${database?.number ?? code}`)) return;
  const fields = {
    code: 'store_unavailable',
    ...(database?.sqlState === undefined ? { error: code } : { sqlState: code }),
    ...(database === null ? {} : { databaseMessage: quotable(database.message, secrets) }),
  };
  logger.error(fields, advice === undefined ? what : `${what}: ${advice}`);
}

/**
 * Archives the finished payments of a page of orders, in the store's own order.
 *
 * @returns how many were archived, and the order to continue after; `null` for the last page.
 */
export async function archivePage(
  store: Store<unknown>,
  page: { readonly after: string | null; readonly before: number; readonly limit: number },
): Promise<{ readonly archived: number; readonly next: string | null }> {
  const { after, before, limit } = page;
  const records = await store.list({ of: 'orders', after, since: 0, limit });
  const finished = records.filter((one) => one.payment.updatedAt < before && !hasOpenMatter(one));
  const archived = await store.archive(finished.map(({ payment }) => payment));
  const last = records.length < limit ? undefined : records.at(-1);
  return { archived, next: last?.payment.orderId ?? null };
}

/** Whether a payment may change without the merchant: by a check, an operation or a person. */
const hasOpenMatter = ({ attempts, operations, reviews }: PaymentRecord): boolean =>
  attempts.some(({ nextCheckAt }) => nextCheckAt !== null) ||
  operations.some((one) => one.state === 'proposed' || isOutstanding(one)) ||
  reviews.some(({ resolvedAt }) => resolvedAt === null);

/** How long a result is reused, so that many health checks cause few writes. */
const ANSWER_LIFE_MS = 2_000;

/** Checks by a write whether a store can be written; one that is not answered in time has failed. */
export function writability({ health }: Pick<Store<unknown>, 'health'>, clock: Clock) {
  let answer = Promise.resolve(false);
  /** `null` while a write is under way. */
  let answeredAt: number | null = -Infinity;
  const write = async (): Promise<boolean> => {
    try {
      await health.checkWritable?.();
      return true;
    } finally {
      answeredAt = clock.now();
    }
  };
  return (deadlineMs: number): Promise<boolean> => {
    const age = answeredAt === null ? 0 : clock.now() - answeredAt;
    if (age >= ANSWER_LIFE_MS || age < 0) {
      answeredAt = null;
      answer = write();
    }
    return withDeadline(clock, deadlineMs, () => answer).catch(() => false);
  };
}
