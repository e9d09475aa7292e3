import { type AuditEntry, columnsOf, earliest, recordOf, textOf } from '../payments/document.ts';
import {
  everyPaymentState,
  type Movement,
  type PaymentEventType,
  type PaymentRecord,
} from '../payments/record.ts';
import { SynchronousHook } from './synchronous-hook.ts';
import {
  type Backlog,
  type CommitHook,
  type Delivery,
  type DeliveryReport,
  ENDED_MS,
  everyOrder,
  FAILING_MS,
  type FigureSpan,
  type History,
  type HitCount,
  latestFirst,
  type Listing,
  LONGEST_DELIVERY_WAIT_MS,
  MAX_BEGUN,
  MAX_COUNTED,
  type MovedMoney,
  type PaymentPage,
  type QueuedEvent,
  type Save,
  type SaveResult,
  type ShortLived,
  type SpanFigures,
  type Store,
  type Taken,
  type Taking,
} from './store.ts';

/** An order as it is stored. A database has the same in the columns of one row. */
interface Row {
  readonly text: string;
  readonly record: PaymentRecord;
  readonly dueAt: number | null;
  readonly takenAt: number | null;
  /** Since when status checks of it begin and none ends. */
  readonly unendedSince: number | null;
  readonly savedAt: number;
}

interface Queued {
  readonly event: QueuedEvent['event'];
  readonly outcome: QueuedEvent['outcome'];
  readonly tries: number;
  readonly nextTryAt: number | null;
}

interface Counter extends ShortLived {
  readonly hits: number;
  readonly subject: string;
}

/**
 * Stores payments in memory, for tests; they end with the process. `inTransaction` gets
 * `undefined`, since there is no database to write in.
 */
export function memoryStore(): Store<undefined> {
  return new MemoryStore();
}

class MemoryStore implements Store<undefined> {
  readonly hookStyle = 'sync';
  readonly #hook = new SynchronousHook<undefined>();
  readonly #rows = new Map<string, Row>();
  readonly #owners = new Map<string, string>();
  readonly #logs = new Map<string, AuditEntry[]>();
  /** In the order of what happened. */
  readonly #events = new Map<string, Queued>();
  readonly #movements: Movement[] = [];
  readonly #archive = new Map<string, History>();
  readonly #counters = new Map<string, Counter>();
  readonly health = {
    backlog: async (now: number, types: readonly PaymentEventType[]) => this.#backlog(now, types),
  };

  async open(): Promise<void> {}

  async close(): Promise<void> {}

  async load(orderId: string): Promise<PaymentRecord | null> {
    const row = this.#rows.get(orderId);
    return row === undefined ? null : recordOf(row.text);
  }

  async save(save: Save, hook?: CommitHook<undefined>): Promise<SaveResult> {
    const { record, names, entry, events, movements, at, redelivers, endsCheck = false } = save;
    const { orderId, version } = record.payment;
    const stored = this.#rows.get(orderId);
    if ((stored?.record.payment.version ?? 0) !== version - 1) {
      return { outcome: 'conflict', record: await this.load(orderId) };
    }
    for (const name of names) {
      const owner = this.#owners.get(`${name.kind} ${name.name}`) ?? orderId;
      if (owner !== orderId && name.kind !== 'reference') {
        return { outcome: 'name_taken', name, orderId: owner };
      }
    }
    // Nothing is written yet when the hook throws, so nothing needs to be undone.
    for (const event of events) this.#hook.run(hook, undefined, event);
    const text = textOf(record);
    const { takenAt = null, unendedSince = null } = stored ?? {};
    const { dueAt } = columnsOf(record);
    const since = endsCheck || dueAt === null ? null : unendedSince;
    this.#rows.set(orderId, {
      text,
      record: recordOf(text),
      dueAt,
      takenAt,
      unendedSince: since,
      savedAt: at,
    });
    for (const { kind, name } of names) {
      if (!this.#owners.has(`${kind} ${name}`)) this.#owners.set(`${kind} ${name}`, orderId);
    }
    if (entry !== null) this.#logs.set(orderId, [...(this.#logs.get(orderId) ?? []), entry]);
    this.#movements.push(...movements);
    for (const event of events) {
      const queued = { event, outcome: 'waiting', tries: 0, nextTryAt: at } as const;
      if (!this.#events.has(event.id)) this.#events.set(event.id, queued);
    }
    const dead = this.#events.get(redelivers ?? '');
    if (dead?.outcome === 'dead')
      this.#put({ ...dead, outcome: 'waiting', tries: 0, nextTryAt: at });
    return { outcome: 'saved' };
  }

  async take(orderId: string, { now, gapMs, leaseMs, which }: Taking): Promise<Taken | null> {
    const row = this.#rows.get(orderId);
    if (row === undefined) return null;
    const { isAskable, hasMoney } = columnsOf(row.record);
    const isWanted = {
      any: isAskable,
      unpaid: isAskable && !hasMoney,
      watched: row.dueAt !== null,
    };
    const isTaken = isWanted[which] && !wasTaken(row, now, gapMs);
    if (isTaken) {
      const watched =
        row.dueAt === null ? {} : { dueAt: now + leaseMs, unendedSince: row.unendedSince ?? now };
      this.#rows.set(orderId, { ...row, takenAt: now, ...watched });
    }
    return { record: recordOf(row.text), isTaken, takenAt: isTaken ? now : row.takenAt };
  }

  async claimDue(
    now: number,
    limit: number,
    { gapMs, leaseMs }: Pick<Taking, 'gapMs' | 'leaseMs'>,
    { dueAfter, madeAfter, bySchedule } = everyOrder,
  ): Promise<readonly string[]> {
    const isWanted = ({ record }: Row): boolean => {
      const { madeAt, grownAt, isHinted } = columnsOf(record);
      const isYoung = (madeAt ?? 0) > madeAfter;
      return bySchedule ? isYoung && (grownAt ?? 0) <= now : isYoung || isHinted;
    };
    const due = [...this.#rows.values()]
      .filter((row) => isDue(row, now) && (row.dueAt ?? 0) > dueAfter)
      .filter((row) => isWanted(row) && !wasTaken(row, now, gapMs))
      .toSorted((a, b) => (a.dueAt ?? 0) - (b.dueAt ?? 0) || (a.takenAt ?? 0) - (b.takenAt ?? 0))
      .slice(0, limit);
    return due.map((row) => {
      const { orderId } = row.record.payment;
      this.#rows.set(orderId, { ...row, dueAt: now + leaseMs });
      return orderId;
    });
  }

  async claimEvents(
    now: number,
    limit: number,
    leaseMs: number,
    types: readonly PaymentEventType[],
  ): Promise<readonly Delivery[]> {
    const first = new Map<string, Queued>();
    for (const queued of this.#waiting(types)) {
      const { orderId } = queued.event;
      if (!first.has(orderId)) first.set(orderId, queued);
    }
    const due = [...first.values()].filter(({ nextTryAt }) => {
      const at = nextTryAt ?? Infinity;
      return at <= now || (at < Infinity && at > now + LONGEST_DELIVERY_WAIT_MS);
    });
    return due.slice(0, limit).map((queued) => {
      const tryNumber = queued.tries + 1;
      this.#put({ ...queued, tries: tryNumber, nextTryAt: now + leaseMs });
      return { event: queued.event, tryNumber };
    });
  }

  async endDelivery({ event, tryNumber }: Delivery, report: DeliveryReport): Promise<void> {
    const queued = this.#events.get(event.id);
    if (queued?.tries !== tryNumber) return;
    const [outcome, nextTryAt] =
      report.outcome === 'again' ? (['waiting', report.at] as const) : [report.outcome, null];
    this.#put({ ...queued, outcome, nextTryAt });
  }

  async list(listing: Listing): Promise<readonly PaymentRecord[]> {
    const rows = [...this.#rows.values()];
    const found = listing.of === 'payments' ? this.#payments(listing) : oldestOf(rows, listing);
    return found.slice(0, listing.limit).map(({ text }) => recordOf(text));
  }

  #payments({ states, since, below, minorUnits, search }: PaymentPage): readonly Row[] {
    const rows = [...this.#rows.values()].toSorted(byOrderId);
    const begun = search?.beginnings.flatMap((beginning) =>
      rows.filter(({ record }) => record.payment.orderId.startsWith(beginning)).slice(-MAX_BEGUN),
    );
    const owned = search?.names.map(({ kind, name }) => this.#owners.get(`${kind} ${name}`));
    const isNamed = (row: Row): boolean =>
      search === undefined ||
      begun?.includes(row) === true ||
      [search.orderId, ...(owned ?? [])].includes(row.record.payment.orderId);
    return rows
      .filter(({ record: { payment } }) => {
        const isAmount = minorUnits === undefined || payment.amount.minorUnits === minorUnits;
        const isPlaced = payment.createdAt >= since && latestFirst(below, payment) < 0;
        return states.includes(payment.state) && isAmount && isPlaced;
      })
      .filter(isNamed)
      .toSorted((a, b) => latestFirst(a.record.payment, b.record.payment));
  }

  async deadLetters(limit: number): Promise<readonly QueuedEvent[]> {
    const dead = [...this.#events.values()].filter(({ outcome }) => outcome === 'dead');
    return dead.slice(0, limit).map(queuedOf);
  }

  async history(orderId: string): Promise<History> {
    return this.#historyOf(orderId);
  }

  #historyOf(orderId: string): History {
    const { log = [], events = [] } = this.#archive.get(orderId) ?? {};
    const own = this.#eventsOf(orderId).map(queuedOf);
    return { log: [...log, ...(this.#logs.get(orderId) ?? [])], events: [...events, ...own] };
  }

  async figures(spans: readonly FigureSpan[]): Promise<readonly SpanFigures[]> {
    const payments = [...this.#rows.values()].map(({ record }) => record.payment);
    return spans.map(({ from, to }) => {
      const isIn = (time: number): boolean => time >= from && time < to;
      const moved = this.#movements.filter(({ recordedAt }) => isIn(recordedAt));
      const created = everyPaymentState.map((state) => {
        const own = payments.filter((one) => one.state === state && isIn(one.createdAt));
        return { state, count: own.length };
      });
      return {
        moved: moved.map((one): MovedMoney => ({ ...one, count: 1 })),
        created: created.filter(({ count }) => count > 0),
      };
    });
  }

  async count(key: string, hits: number, life: ShortLived): Promise<HitCount> {
    const kept = this.#kept(key, life);
    const counter = { ...life, subject: '', ...kept, hits: (kept?.hits ?? 0) + hits };
    this.#counters.set(key, counter);
    return { hits: counter.hits, endsAt: counter.endsAt };
  }

  async bind(key: string, subject: string, life: ShortLived): Promise<string> {
    const counter = this.#kept(key, life) ?? { ...life, hits: 0, subject };
    this.#counters.set(key, counter);
    return counter.subject;
  }

  /** What is kept under a key, unless its time is over or is too far ahead. */
  #kept(key: string, { now, endsAt }: ShortLived): Counter | undefined {
    const kept = this.#counters.get(key);
    const lives = kept !== undefined && kept.endsAt > now && kept.endsAt - endsAt <= endsAt - now;
    return lives ? kept : undefined;
  }

  async archive(
    orders: readonly { readonly orderId: string; readonly version: number }[],
  ): Promise<number> {
    const movable = orders.filter(({ orderId, version }) => {
      const isSame = this.#rows.get(orderId)?.record.payment.version === version;
      const isDelivered = this.#eventsOf(orderId).every(({ outcome }) => outcome === 'done');
      return isSame && isDelivered && this.#logs.has(orderId);
    });
    for (const { orderId } of movable) {
      this.#archive.set(orderId, this.#historyOf(orderId));
      this.#logs.delete(orderId);
      for (const { event } of this.#eventsOf(orderId)) this.#events.delete(event.id);
    }
    return movable.length;
  }

  #backlog(now: number, types: readonly PaymentEventType[]): Backlog {
    const rows = [...this.#rows.values()];
    const columns = rows.map(({ record }) => columnsOf(record));
    const reviews = columns.flatMap(({ openReviews }) => openReviews?.split(' ') ?? []);
    const due = rows.filter((row) => isDue(row, now));
    const waiting = this.#waiting(types).map(({ nextTryAt }) => nextTryAt ?? Infinity);
    const failing = rows.flatMap(({ unendedSince }) => unendedSince ?? []);
    const isFailing = (since: number): boolean => since <= now - FAILING_MS;
    const dead = [...this.#events.values()].filter(({ outcome }) => outcome === 'dead');
    const counted = (all: readonly unknown[]): number => Math.min(all.length, MAX_COUNTED);
    const ofReason = (...reasons: readonly string[]) =>
      reviews.slice(0, MAX_COUNTED).filter((one) => reasons.includes(one));
    return {
      dueAttempts: counted(due),
      undelivered: counted(waiting),
      openReviews: counted(reviews),
      deadLetters: counted(dead),
      unreadableAnswers: counted(ofReason('unreadable_answer')),
      unprovenPayments: counted(ofReason('no_evidence', 'unattributed_payment')),
      failingOrders: counted(failing.filter(isFailing)),
      oldestFailingAt: earliest(failing.filter(isFailing)),
      oldestDueAt: earliest(due.flatMap(({ dueAt }) => dueAt ?? [])),
      oldestUndeliveredAt: earliest(waiting.filter((at) => at <= now)),
      oldestUnknownAt: earliest(columns.flatMap(({ unknownAt }) => unknownAt ?? [])),
    };
  }

  #put(queued: Queued): void {
    this.#events.set(queued.event.id, queued);
  }

  #eventsOf(orderId: string): readonly Queued[] {
    return [...this.#events.values()].filter(({ event }) => event.orderId === orderId);
  }

  #waiting(types: readonly PaymentEventType[]): readonly Queued[] {
    return [...this.#events.values()].filter(
      ({ event, nextTryAt }) => nextTryAt !== null && types.includes(event.type),
    );
  }
}

const isDue = ({ dueAt }: Row, now: number): boolean => dueAt !== null && dueAt <= now;

/** A taking in the future comes from a clock that ran ahead, and does not count. */
const wasTaken = ({ takenAt }: Row, now: number, gapMs: number): boolean =>
  takenAt !== null && Math.abs(now - takenAt) < gapMs;

const byOrderId = (a: Row, b: Row): number =>
  a.record.payment.orderId < b.record.payment.orderId ? -1 : 1;

/** The rows of a listing, in its order. */
function oldestOf(rows: readonly Row[], listing: Exclude<Listing, PaymentPage>): readonly Row[] {
  switch (listing.of) {
    case 'orders':
      return rows
        .filter(({ record: { payment } }) => payment.orderId > (listing.after ?? ''))
        .filter(({ record: { payment } }) => payment.updatedAt >= listing.since)
        .toSorted(byOrderId);
    case 'put off':
      return rows
        .filter(({ record: { payment } }) => payment.orderId > (listing.after ?? ''))
        .filter((row) => row.savedAt > listing.savedAfter && mayBePutOff(row, listing.now))
        .toSorted(byOrderId);
    case 'open reviews':
      return sorted(rows, (row) => columnsOf(row.record).reviewedAt);
    case 'proposals':
      return sorted(rows, (row) => columnsOf(row.record).proposedAt);
    case 'held money':
      return sorted(rows, ({ record: { payment } }) =>
        payment.state === 'authorized' ? payment.createdAt : null,
      );
  }
}

const mayBePutOff = ({ record: { payment }, dueAt }: Row, now: number): boolean =>
  dueAt !== null ||
  ((payment.state === 'expired' || payment.state === 'failed') &&
    payment.createdAt > now - ENDED_MS);

const sorted = (rows: readonly Row[], timeOf: (row: Row) => number | null): readonly Row[] =>
  rows
    .filter((row) => timeOf(row) !== null)
    .toSorted((a, b) => (timeOf(a) ?? 0) - (timeOf(b) ?? 0));

const queuedOf = ({ event, outcome, tries }: Queued): QueuedEvent => ({ event, outcome, tries });
