import type { MerchantOrderId } from '../ids.ts';
import type { Attempt } from '../payments/attempt.ts';
import type { AuditEntry } from '../payments/audit.ts';
import type { Operation } from '../payments/operation.ts';
import type { ArchivedPage, ArchivePage } from './archive.ts';
import type { Backlog } from './backlog.ts';
import type {
  CheckRequest,
  DueAttempt,
  StartedStatusCheck,
  WantedAttempts,
} from './check-request.ts';
import type { FigureSpan, HeldMoney, SpanFigures } from './figures.ts';
import type { Delivery, DeliveryReport, QueuedEvent } from './delivery.ts';
import type { PaymentPage, PaymentPosition } from './payment-page.ts';
import type { Schema } from './schema.ts';
import type { TransactionHintStore } from './transaction-hints.ts';
import type {
  Change,
  PaymentEvent,
  PaymentEventType,
  PaymentRecord,
  ReviewItem,
} from '../payments/payment-record.ts';

/** The gap between status calls of one order, however many hints arrive. */
export const CHECK_GAP_MS = 5_000;

/** A due status check that is later than this has no waiting shopper any more, until a hint comes. */
export const AWAITED_MS = 120_000;

/** The clocks of several machines may differ by this much. */
export const CLOCK_SKEW_MS = 60_000;

/** How long a {@link CommitHook} may take by default, in milliseconds. */
export const HOOK_TIMEOUT_MS = 10_000;

/** No event waits longer for its next try; one that does was put off by a clock that ran ahead. */
export const LONGEST_DELIVERY_WAIT_MS = 2 * 3_600_000;

/** The result of a commit. */
export type CommitResult =
  | { readonly outcome: 'committed' }
  /**
   * Another process changed the payment first: decide again on its record. `record` is that record
   * where the store has read it; otherwise load it.
   */
  | { readonly outcome: 'conflict'; readonly record?: PaymentRecord | null }
  /** A transaction of the change is bound to another order: decide again, knowing that. */
  | {
      readonly outcome: 'transaction_taken';
      readonly transactionId: string;
      readonly orderId: string;
    }
  /** An operation's id was used for another order. */
  | { readonly outcome: 'operation_taken'; readonly operationId: string };

/**
 * The merchant's own work inside the commit that records an event. If it throws, nothing is
 * committed, neither its work nor ours. It may then be called again with the same event, and so may it
 * after a deadlock: what it does elsewhere than in `tx` would be done twice.
 */
export type CommitHook<Tx> = (tx: Tx, event: PaymentEvent) => void | Promise<void>;

/** The log and the events of an order, as the store has them. */
export interface History {
  /** Oldest first; nothing in it is ever changed. */
  readonly log: readonly AuditEntry[];
  readonly events: readonly QueuedEvent[];
}

/** Asks for the orders that have a payment, a page at a time. */
export interface OrderPage {
  /** Only orders behind this id, in the store's own order; `null` for the first page. */
  readonly after: string | null;
  /** Only orders whose payment changed at or after this, in milliseconds since the epoch. */
  readonly since: number;
  readonly limit: number;
}

/** A counter of a store: it starts again when its window ends. */
export interface HitCount {
  readonly hits: number;
  /** Milliseconds since the epoch. */
  readonly endsAt: number;
}

/** A value that the store forgets at a time. */
export interface ShortLived {
  readonly now: number;
  /** Milliseconds since the epoch. */
  readonly endsAt: number;
}

/**
 * Stores payments. A method that resolves has made its effect durable, and each effect is atomic.
 * Only leases, reserved links, counters and request keys may be lost in a power failure. After a
 * rejected {@link Store.commit} the change may or may not be committed. `storeConformance` is the
 * suite that every store passes.
 *
 * @typeParam Tx - What a {@link CommitHook} is given to work with.
 */
export interface Store<Tx> extends TransactionHintStore {
  /** Whether a {@link CommitHook} may wait. A `sync` store holds the only write lock while it runs. */
  readonly hookStyle: 'sync' | 'async';
  /** The store's tables, to be made by someone else than the shop; absent where there are none. */
  readonly schema?: Schema;
  /**
   * Connects and migrates. Called before all but {@link Store.schema}; a second call does nothing.
   *
   * @param scope - Whose payments these are. The first call writes it down.
   * @throws {@link ConfigurationError} `store_of_another_scope`, `store_of_another_release`, or
   * `store_not_migrated` where the store may not migrate.
   */
  open(scope: string): Promise<void>;
  /** Ends open work and releases the resources of {@link Store.open}. */
  close(): Promise<void>;
  /** Everything known of an order's payment, or `null`. */
  load(orderId: string): Promise<PaymentRecord | null>;
  /**
   * Applies a change whole or not at all; see {@link Change}. An event whose id is stored stays as it
   * is: it was recorded before.
   *
   * @param hookTimeoutMs - How long the hook may take where it may wait, in milliseconds; then the
   * commit is rolled back. A `sync` store cannot interrupt it. @defaultValue `10_000`
   */
  commit(change: Change, hook?: CommitHook<Tx>, hookTimeoutMs?: number): Promise<CommitResult>;
  /** The order whose operation this is, or `null`. */
  orderOfOperation(operationId: string): Promise<string | null>;
  /** The committed changes of an order, and the deliveries of its events. */
  history(orderId: string): Promise<History>;
  /**
   * Takes one of the order's attempts that have something to ask about, unless the gateway was asked
   * about the order within {@link CHECK_GAP_MS}. Of parallel callers, one gets it. The record and the
   * attempt are as they are after it.
   */
  beginStatusCheck(request: CheckRequest): Promise<StartedStatusCheck | null>;
  /**
   * Ends a status check: sets when to check next without a hint, `null` for never (an open attempt is
   * closed). A hint that came during it still counts, once the gap since the order's last status check
   * has passed. When another status check has begun since, this one changes nothing: a call that hung
   * for hours must not put off what is known better by now.
   *
   * @param attempt - As {@link Store.beginStatusCheck} gave it; without `unendedSince` only put off.
   */
  endStatusCheck(attempt: Attempt, nextCheckAt: number | null, now: number): Promise<void>;
  /**
   * Records a hint: its attempt is checked as soon as {@link CHECK_GAP_MS} allows.
   *
   * @returns the order it is about, or `null` when we know no such watched attempt.
   */
  hint(merchantOrderId: MerchantOrderId, now: number): Promise<string | null>;
  /**
   * Makes due now what a clock has put off: every watched attempt whose last status check or hint, or
   * whose beginning where it was never checked, is too far in the future, and every event that waits for more
   * than {@link LONGEST_DELIVERY_WAIT_MS}. After a leap every watched attempt is due. A link that lived by
   * either of the clock's times then, or that ends too far in the future, is due too, also one that time had
   * ended; its life ends 48 hours later. So is a living link that a status check in the future has ended, and
   * an open link whose next check is planned for later than after twice its age and six minutes.
   *
   * @param aheadMs - What is too far. @defaultValue {@link CLOCK_SKEW_MS}
   * @param leaptFrom - The earliest time before or after a leap of the clock; absent where none was noticed.
   */
  clampChecks(now: number, aheadMs?: number, leaptFrom?: number): Promise<void>;
  /**
   * Takes up to `limit` attempts that are due for a status check, the longest due first and, of those due at
   * one moment, the one checked longest ago; parallel callers get different ones.
   *
   * @param wanted - Which of them. @defaultValue all
   */
  claimDue(
    now: number,
    limit: number,
    leaseMs: number,
    wanted?: WantedAttempts,
  ): Promise<readonly DueAttempt[]>;
  /**
   * Takes up to `limit` undelivered events; parallel callers get different ones. Of one order, none
   * is taken while an earlier one of these types waits or is at work.
   *
   * @param types - Those that the caller handles: an event of another type is left to a process that
   * does.
   */
  claimEvents(
    now: number,
    limit: number,
    leaseMs: number,
    types: readonly PaymentEventType[],
  ): Promise<readonly Delivery[]>;
  /** Reports how a delivery ended. A report of an overtaken try changes nothing. */
  reportDelivery(delivery: Delivery, report: DeliveryReport): Promise<void>;
  /** Up to `limit` review items that are open, oldest first. */
  openReviews(limit: number): Promise<readonly ReviewItem[]>;
  /** Up to `limit` operations that are proposed, oldest first. */
  proposedOperations(limit: number): Promise<readonly Operation[]>;
  /** Up to `limit` dead letters. */
  deadLetters(limit: number): Promise<readonly QueuedEvent[]>;
  /**
   * Delivers a dead letter anew, with as many tries as at first, and logs that.
   *
   * @param by - Who asked for it, for the log; `null` where they did not say so.
   * @returns whether there was one.
   */
  redeliver(eventId: string, now: number, by?: string | null): Promise<boolean>;
  /**
   * Adds hits to a counter, which all processes share. It begins anew when its window has ended, and
   * when that would begin more than a window's length from now: a clock was put back.
   */
  countHits(key: string, hits: number, window: ShortLived): Promise<HitCount>;
  /**
   * Binds a request's key to what it was first used for, until `endsAt`.
   *
   * @returns what it is bound to: this subject, or an earlier caller's.
   */
  bindRequestKey(key: string, subject: string, life: ShortLived): Promise<string>;
  /**
   * How far the database's clock is ahead of this process's, in milliseconds; absent where both are
   * the same. `null` where the answer took so long that it says little.
   */
  clockOffsetMs?(): Promise<number | null>;
  /**
   * Payments that were created below a position, the latest first: each once over all pages, however
   * many are added or change meanwhile.
   */
  listPayments(page: PaymentPage): Promise<readonly PaymentPosition[]>;
  /**
   * The money that moved in each of some spans, and the payments that were created in it, in the order
   * of the spans. The caller keeps each span short, and asks for all that it needs at once, so that a
   * store can read several in one statement.
   */
  figures(spans: readonly FigureSpan[]): Promise<readonly SpanFigures[]>;
  /** Authorizations neither captured nor voided, by currency: of the oldest, at most so many. */
  heldMoney(limit: number): Promise<readonly HeldMoney[]>;
  /** Orders that have a payment, each once over all pages, however many are added meanwhile. */
  orderIds(page: OrderPage): Promise<readonly string[]>;
  /**
   * Moves the log and the events of payments without open matters to the archive, each order whole or
   * not at all; {@link Store.history} reads both. An order that another process is changing is passed
   * over.
   */
  archive(page: ArchivePage): Promise<ArchivedPage>;
  /**
   * Writes something that says nothing and takes it back; rejects when payments cannot be written,
   * as on a full disk or a standby. Absent where nothing can go wrong.
   */
  checkWritable?(): Promise<void>;
  /**
   * Whether calls of this process have waited for seconds behind others that were not answered, so
   * that a further one would wait too. Asks nobody. Absent where calls share nothing.
   */
  isStuck?(): Promise<boolean>;
  /**
   * Counts the backlog. Rejects when the store cannot be reached.
   *
   * @param types - Which undelivered events count.
   */
  backlog(now: number, types: readonly PaymentEventType[]): Promise<Backlog>;
}
