import type { AuditEntry, Name } from '../payments/document.ts';
import type {
  Movement,
  PaymentEvent,
  PaymentEventType,
  PaymentRecord,
  PaymentState,
} from '../payments/record.ts';

/** How long a {@link CommitHook} may take by default, in milliseconds. */
export const HOOK_TIMEOUT_MS = 10_000;

/** No event waits longer for its next try; one that does was put off by a clock that ran ahead. */
export const LONGEST_DELIVERY_WAIT_MS = 2 * 3_600_000;

/** Counting stops here, so that the query stays cheap. No reader needs a larger count. */
export const MAX_COUNTED = 1_000;

/** Status checks of an order that begin for this long, while none ends, fail. */
export const FAILING_MS = 5 * 60_000;

/** Orders that ended without money, or that a review stops, are looked at for so long after they were made. */
export const ENDED_MS = 4 * 24 * 3_600_000;

/**
 * The merchant's own work inside the commit that records an event. If it throws, nothing is
 * committed, neither its work nor ours. It may then be called again with the same event, and so may it
 * after a deadlock: what it does elsewhere than in `tx` would be done twice.
 */
export type CommitHook<Tx> = (tx: Tx, event: PaymentEvent) => void | Promise<void>;

/**
 * One change of one order, written whole or not at all: only where the stored version is
 * `record.payment.version - 1` (none is stored for 1), and where no other order has one of `names`.
 */
export interface Save {
  /** The order's document after the change. */
  readonly record: PaymentRecord;
  /** The names that it has and the stored document has not. */
  readonly names: readonly Name[];
  /** For the log; `null` where only times changed. */
  readonly entry: AuditEntry | null;
  /** Events that happened. One whose id is stored was recorded before, and stays as it is. */
  readonly events: readonly PaymentEvent[];
  readonly movements: readonly Movement[];
  /** When it is written. */
  readonly at: number;
  /** Whether a status check of the order ends by it. */
  readonly endsCheck?: boolean;
  /** A dead letter that is delivered anew, with as many tries as at first. */
  readonly redelivers?: string;
  /** Whether a power failure may undo it that ends every process too. One that lives on may have read its version. */
  readonly mayBeLost?: boolean;
}

/** The result of {@link Store.save}. */
export type SaveResult =
  | { readonly outcome: 'saved' }
  /** Another process changed the order first: decide again on its document, as it is stored. */
  | { readonly outcome: 'conflict'; readonly record: PaymentRecord | null }
  /** A name belongs to another order. */
  | { readonly outcome: 'name_taken'; readonly name: Name; readonly orderId: string };

/** Which order may be taken, and how long for. Times are milliseconds since the epoch. */
export interface Taking {
  readonly now: number;
  /** Nothing is taken within this time of the last taking; one in the future is ignored. */
  readonly gapMs: number;
  /** How long the order is not due for others, where it is watched. */
  readonly leaseMs: number;
  /** Any order with something to ask about, only one without money, or only a watched one. */
  readonly which: 'any' | 'unpaid' | 'watched';
}

/** An order's document, and whether this caller may ask the gateway about it now. */
export interface Taken {
  readonly record: PaymentRecord;
  readonly isTaken: boolean;
  /** When it was taken last, by this call or before it. */
  readonly takenAt: number | null;
}

/** Which of the due orders are wanted. Times are milliseconds since the epoch. */
export interface Wanted {
  /** Only those that are due since after this. */
  readonly dueAfter: number;
  /** Only those with a watched attempt made after this, or with a hint that is still to be followed. */
  readonly madeAfter: number;
  /** Of those made after `madeAfter` only these: the age grew by half since the last status check. */
  readonly bySchedule: boolean;
}

/** All that are due. */
export const everyOrder: Wanted = { dueAfter: 0, madeAfter: 0, bySchedule: false };

/** Where an order stands in a list: by its creation and, of one moment, by its id. */
export interface Position {
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly orderId: string;
}

/** Orders positions as a list shows them: the latest first. */
export function latestFirst(a: Position, b: Position): number {
  if (a.createdAt !== b.createdAt) return b.createdAt - a.createdAt;
  return a.orderId === b.orderId ? 0 : a.orderId < b.orderId ? 1 : -1;
}

/** Of the orders whose ids begin with a text, a search looks at so many. */
export const MAX_BEGUN = 1_000;

/** Everything that the text of a search may name. */
export interface Search {
  /** The order of this id. */
  readonly orderId: string;
  /** Beginnings of order ids. Of more than {@link MAX_BEGUN}, the last by their ids are looked at. */
  readonly beginnings: readonly string[];
  readonly names: readonly Name[];
}

/** Asks for payments, a page at a time, the latest first. */
export interface PaymentPage {
  readonly of: 'payments';
  readonly states: readonly PaymentState[];
  /** Only payments created at or after this, in milliseconds since the epoch. */
  readonly since: number;
  /** Only payments below this position: the last one of the page before, or a moment with no order. */
  readonly below: Position;
  readonly limit: number;
  /** Only payments of this amount, in minor units of any currency. */
  readonly minorUnits?: number | undefined;
  readonly search?: Search | undefined;
}

/** Asks for orders, a page at a time, by their ids in the store's own order. */
export interface OrderPage {
  readonly of: 'orders';
  /** Only orders behind this id; `null` for the first page. */
  readonly after: string | null;
  /** Only orders whose payment changed at or after this, in milliseconds since the epoch. */
  readonly since: number;
  readonly limit: number;
}

/**
 * Asks for orders that a clock may have put off, a page at a time by their ids: watched ones, and those
 * that have ended without money, or that a review stops, and were made within {@link ENDED_MS}.
 */
export interface PutOffPage {
  readonly of: 'put off';
  readonly after: string | null;
  /** Only those that were written, taken or claimed after this, in milliseconds since the epoch. */
  readonly savedAfter: number;
  readonly now: number;
  readonly limit: number;
}

/** Asks for what waits for a person, or money that is held: the oldest first. */
export interface MatterPage {
  readonly of: 'open reviews' | 'proposals' | 'held money';
  readonly limit: number;
}

/** What {@link Store.list} is asked for. */
export type Listing = PaymentPage | OrderPage | PutOffPage | MatterPage;

/** The state of an event: waiting for its handler, delivered, or a dead letter. */
export interface QueuedEvent {
  readonly event: PaymentEvent;
  readonly outcome: 'waiting' | 'done' | 'dead';
  readonly tries: number;
}

/** One event to hand to the merchant's `on` handler. */
export interface Delivery {
  readonly event: PaymentEvent;
  /** 1 for the first try; each claim is one. It fences the lease: only the latest try may report. */
  readonly tryNumber: number;
}

/** How a delivery ended: `done`, to be repeated at a time, or `dead`. */
export type DeliveryReport =
  | { readonly outcome: 'done' | 'dead' }
  | { readonly outcome: 'again'; readonly at: number };

/** The log and the events of an order, as the store has them. */
export interface History {
  /** Oldest first; nothing in it is ever changed. */
  readonly log: readonly AuditEntry[];
  readonly events: readonly QueuedEvent[];
}

/** Milliseconds since the epoch: from the first, included, to the second, not included. */
export interface FigureSpan {
  readonly from: number;
  readonly to: number;
}

/** Movements that are alike, added up; a store may give those of one kind in several parts. */
export interface MovedMoney extends Pick<
  Movement,
  'kind' | 'currency' | 'minorUnits' | 'confirmMs'
> {
  /** How many there were. */
  readonly count: number;
}

/** What the store has of a span. The work is that of reading its movements and its payments. */
export interface SpanFigures {
  readonly moved: readonly MovedMoney[];
  /** Payments that were created then, by their state now. */
  readonly created: readonly { readonly state: PaymentState; readonly count: number }[];
}

/** A value that the store forgets at a time. Both are milliseconds since the epoch. */
export interface ShortLived {
  readonly now: number;
  readonly endsAt: number;
}

/** A counter of a store: it starts again when its window ends, in milliseconds since the epoch. */
export interface HitCount extends Pick<ShortLived, 'endsAt'> {
  readonly hits: number;
}

/** How much waits in the store. Counts stop at {@link MAX_COUNTED}; times are milliseconds since the epoch. */
export interface Backlog {
  /** Orders whose next status check is due. */
  readonly dueAttempts: number;
  /** Events of the asked types that no handler has taken yet. */
  readonly undelivered: number;
  /** Review items that are open. */
  readonly openReviews: number;
  /** Dead letters: events whose handler failed too often. */
  readonly deadLetters: number;
  /** Answers that may be money, could not be understood, and wait for a person. */
  readonly unreadableAnswers: number;
  /** Open reviews of links, and of money, that may be paid and have no evidence. */
  readonly unprovenPayments: number;
  /** Orders whose status checks begin and do not end. */
  readonly failingOrders: number;
  /** Since when the oldest of them do so. */
  readonly oldestFailingAt: number | null;
  /** When the oldest overdue status check was due. */
  readonly oldestDueAt: number | null;
  /** When the oldest event of the asked types that is due was due. */
  readonly oldestUndeliveredAt: number | null;
  /** When the oldest `unknown` operation became unknown. */
  readonly oldestUnknownAt: number | null;
}

/** The tables of a store in a database, and the right to make them. */
export interface Schema {
  /**
   * The SQL that this release still has to run here, in one transaction, for review: a person may run
   * the text as it is, and the database is migrated then. Empty when nothing is pending. Writes
   * nothing; the store need not be open.
   *
   * @param scope - As for {@link Store.open}: the text writes it down.
   * @throws {@link ConfigurationError} `store_of_another_scope` or `store_of_another_release`.
   */
  pending(scope: string): Promise<string>;
  /**
   * Runs that SQL, whatever the option `migrate` says, also before `open`; parallel callers wait for each other.
   *
   * @returns how many migrations ran; none when nothing was pending.
   * @throws {@link ConfigurationError} `store_of_another_scope` or `store_of_another_release`.
   */
  migrate(scope: string): Promise<number>;
}

/** What waits in a store, and whether it works. */
export interface StoreHealth {
  /**
   * Counts the backlog. Rejects when the store cannot be reached.
   *
   * @param types - Which undelivered events count.
   */
  backlog(now: number, types: readonly PaymentEventType[]): Promise<Backlog>;
  /**
   * Writes something that says nothing and takes it back; rejects when payments cannot be written,
   * as on a full disk or a standby. Absent where nothing can go wrong.
   */
  checkWritable?(): Promise<void>;
  /**
   * Whether calls of this process have waited for seconds behind others that were not answered, so
   * that a further one would wait too. Asks nobody. Absent where calls share nothing.
   */
  isStuck?(): boolean;
  /** How long calls of this process wait to be sent, in milliseconds. Asks nobody. Absent where none waits. */
  waitMs?(): number;
  /**
   * How far the database's clock is ahead of this process's, in milliseconds; absent where both are
   * the same. `null` where the answer took so long that it says little.
   */
  clockOffsetMs?(): Promise<number | null>;
  /** The host or socket that the driver connects to, and whether TLS proves that host. Asks nobody. */
  server?(): { readonly host: string; readonly isEncrypted: boolean; readonly isProven: boolean };
}

/**
 * Stores orders' payments: one document an order, with one version. A method that resolves has made its
 * effect durable, and each effect is atomic. Only takings, leases, counters and saves that may be lost
 * can go in a power failure. After a rejected {@link Store.save} the change may or may not be saved.
 * `storeConformance` is the suite that every store passes; `memoryStore` shows the whole of it in short.
 *
 * @typeParam Tx - What a {@link CommitHook} is given to work with.
 */
export interface Store<Tx> {
  /** Whether a {@link CommitHook} may wait. A `sync` store holds the only write lock while it runs. */
  readonly hookStyle: 'sync' | 'async';
  /** The store's tables, to be made by someone else than the shop; absent where there are none. */
  readonly schema?: Schema;
  readonly health: StoreHealth;
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
  /** An order's document, or `null`. Fields that this release does not know are in it. */
  load(orderId: string): Promise<PaymentRecord | null>;
  /**
   * Saves a change, with its log entry, names, events and movements, and with what the hook does for
   * each event. When the order is due, is in a list or counts in the backlog follows from its document.
   *
   * @param hookTimeoutMs - How long the hook may take where it may wait, in milliseconds; then nothing
   * is saved. A `sync` store cannot interrupt it. @defaultValue `10_000`
   */
  save(save: Save, hook?: CommitHook<Tx>, hookTimeoutMs?: number): Promise<SaveResult>;
  /**
   * Takes an order, to ask the gateway about it, and reads its document. Of parallel callers one gets it,
   * and none within the gap. `null` where there is no such order. Its version stays: the document is
   * written when the status check ends. A watched order is not due until its lease is over or it is saved.
   */
  take(orderId: string, taking: Taking): Promise<Taken | null>;
  /**
   * Leases up to `limit` orders that are due for a status check and were not taken within `gapMs`: the
   * longest due first and, of those due at one moment, the one taken longest ago. Parallel callers get
   * different ones.
   *
   * @param lease - `leaseMs`: they are not due for others for so long, or until they are saved.
   * @param wanted - Which of them. @defaultValue all
   * @returns their ids.
   */
  claimDue(
    now: number,
    limit: number,
    lease: Pick<Taking, 'gapMs' | 'leaseMs'>,
    wanted?: Wanted,
  ): Promise<readonly string[]>;
  /**
   * Takes up to `limit` undelivered events; parallel callers get different ones. Of one order, none
   * is taken while an earlier one of these types waits or is at work. One that waits for longer than
   * {@link LONGEST_DELIVERY_WAIT_MS} is due.
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
  endDelivery(delivery: Delivery, report: DeliveryReport): Promise<void>;
  /** The documents of a page. */
  list(listing: Listing): Promise<readonly PaymentRecord[]>;
  /** Up to `limit` dead letters. */
  deadLetters(limit: number): Promise<readonly QueuedEvent[]>;
  /** The committed changes of an order, archived or not, and the deliveries of its events. */
  history(orderId: string): Promise<History>;
  /**
   * The money that moved in each of some spans, and the payments that were created in it, in the order
   * of the spans. The caller keeps each span short, and asks for all that it needs at once, so that a
   * store can read several in one statement.
   */
  figures(spans: readonly FigureSpan[]): Promise<readonly SpanFigures[]>;
  /**
   * Adds hits to a counter, which all processes share. It begins anew when its window has ended, and
   * when that would begin more than a window's length from now: a clock was put back.
   */
  count(key: string, hits: number, window: ShortLived): Promise<HitCount>;
  /**
   * Binds a key to what it was first used for, until `endsAt`.
   *
   * @returns what it is bound to: this subject, or an earlier caller's.
   */
  bind(key: string, subject: string, life: ShortLived): Promise<string>;
  /**
   * Moves the logs and the events of orders to the archive, each order whole or not at all;
   * {@link Store.history} reads both. An order is passed over whose version has changed, that has an
   * event which is not delivered, or that is in the archive already.
   *
   * @returns how many were moved.
   */
  archive(
    orders: readonly { readonly orderId: string; readonly version: number }[],
  ): Promise<number>;
}
