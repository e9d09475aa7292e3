import {
  type AuditEntry,
  type Columns,
  columnsOf,
  earliest,
  type Name,
  recordOf,
  textOf,
} from '../payments/document.ts';
import type { Movement, PaymentEventType, PaymentRecord } from '../payments/record.ts';
import * as rules from './rules.ts';
import * as contract from './store.ts';

/** An order as it is stored. A database has the same in the columns of one row. */
interface Row extends Columns {
  readonly orderId: string;
  /** Read back from its text, as from a database; it is never changed. */
  readonly record: PaymentRecord;
  readonly takenAt: number | null;
  /** Since when status checks of it begin and none ends. */
  readonly unendedSince: number | null;
  readonly savedAt: number;
}

interface Queued extends contract.QueuedEvent {
  readonly nextTryAt: number | null;
}

/**
 * Stores payments in memory, for tests; they end with the process. `inTransaction` gets
 * `undefined`, since there is no database to write in.
 */
export const memoryStore = (): contract.Store<undefined> => new MemoryStore();

type Members = contract.Store<undefined>;

class MemoryStore implements Members {
  readonly hookStyle = 'sync';
  readonly #hook = new rules.SynchronousHook<undefined>();
  readonly #rows = new Map<string, Row>();
  readonly #owners = new Map<string, string>();
  readonly #logs = new Map<string, readonly AuditEntry[]>();
  /** In the order of what happened. */
  readonly #events = new Map<string, Queued>();
  readonly #movements: Movement[] = [];
  /** How many entries of an order's log are archived. */
  readonly #archived = new Map<string, number>();
  readonly #counters = new Map<string, contract.HitCount & { readonly subject: string }>();

  async open(): Promise<void> {}

  async close(): Promise<void> {}

  readonly load: Members['load'] = async (orderId) => this.#rows.get(orderId)?.record ?? null;

  readonly save: Members['save'] = async (save, hook) => {
    const { record, names, entry, events, movements, at, redelivers, endsCheck = false } = save;
    const { orderId } = record.payment;
    const stored = this.#rows.get(orderId);
    const before = stored?.record ?? null;
    if (!rules.isExpected(before, save)) return { outcome: 'conflict', record: before };
    const taken = rules.nameTaken(save, (name) => this.#owners.get(keyOf(name)));
    if (taken !== undefined) return taken;
    // Nothing is written yet when the hook throws, so nothing needs to be undone.
    for (const event of events) this.#hook.run(hook, undefined, event);
    const columns = columnsOf(record);
    const { takenAt = null, unendedSince = null } = stored ?? {};
    const since = endsCheck || columns.dueAt === null ? null : unendedSince;
    const beside = { orderId, takenAt, unendedSince: since, savedAt: at };
    this.#rows.set(orderId, { ...columns, ...beside, record: recordOf(textOf(record)) });
    for (const key of names.map(keyOf)) {
      if (!this.#owners.has(key)) this.#owners.set(key, orderId);
    }
    if (entry !== null) this.#logs.set(orderId, [...this.#logOf(orderId), entry]);
    this.#movements.push(...movements);
    const waiting = { outcome: 'waiting', tries: 0, nextTryAt: at } as const;
    for (const event of events) {
      if (!this.#events.has(event.id)) this.#put({ event, ...waiting });
    }
    const dead = this.#events.get(redelivers ?? '');
    if (dead?.outcome === 'dead') this.#put({ ...dead, ...waiting });
    return { outcome: 'saved' };
  };

  readonly take: Members['take'] = async (orderId, taking) => {
    const row = this.#rows.get(orderId);
    if (row === undefined) return null;
    const { now, leaseMs } = taking;
    const isTaken = rules.mayTake(row.record, row.dueAt, row.takenAt, taking);
    const taken = { takenAt: now, savedAt: now };
    const watched = { dueAt: now + leaseMs, unendedSince: row.unendedSince ?? now };
    if (isTaken) {
      this.#rows.set(orderId, { ...row, ...taken, ...(row.dueAt === null ? {} : watched) });
    }
    return { record: row.record, isTaken, takenAt: isTaken ? now : row.takenAt };
  };

  readonly claimDue: Members['claimDue'] = async (
    now,
    limit,
    { gapMs, leaseMs },
    { dueAfter, madeAfter, bySchedule } = contract.everyOrder,
  ) => {
    const isWanted = ({ madeAt, grownAt, isHinted }: Row): boolean => {
      const isYoung = (madeAt ?? 0) > madeAfter;
      return bySchedule ? isYoung && (grownAt ?? 0) <= now : isYoung || isHinted;
    };
    const due = this.#all()
      .filter((row) => isDue(row, now) && (row.dueAt ?? 0) > dueAfter)
      .filter((row) => isWanted(row) && !rules.wasTaken(row.takenAt, now, gapMs))
      .toSorted((a, b) => (a.dueAt ?? 0) - (b.dueAt ?? 0) || (a.takenAt ?? 0) - (b.takenAt ?? 0))
      .slice(0, limit);
    for (const row of due)
      this.#rows.set(row.orderId, { ...row, savedAt: now, dueAt: now + leaseMs });
    return due.map(({ orderId }) => orderId);
  };

  readonly claimEvents: Members['claimEvents'] = async (now, limit, leaseMs, types) => {
    const first = new Map<string, Queued>();
    for (const queued of this.#waiting(types)) {
      const { orderId } = queued.event;
      if (!first.has(orderId)) first.set(orderId, queued);
    }
    const late = now + contract.LONGEST_DELIVERY_WAIT_MS;
    const isFree = ({ nextTryAt }: Queued) => (nextTryAt ?? 0) <= now || (nextTryAt ?? 0) > late;
    const due = [...first.values()].filter(isFree).slice(0, limit);
    return due.map((queued) => {
      const tryNumber = queued.tries + 1;
      this.#put({ ...queued, tries: tryNumber, nextTryAt: now + leaseMs });
      return { event: queued.event, tryNumber };
    });
  };

  readonly endDelivery: Members['endDelivery'] = async ({ event, tryNumber }, report) => {
    const queued = this.#events.get(event.id);
    if (queued?.tries === tryNumber) this.#put({ ...queued, ...rules.reported(report) });
  };

  readonly list: Members['list'] = async (listing) => {
    const found = listing.of === 'payments' ? this.#payments(listing) : this.#listed(listing);
    return found.slice(0, listing.limit).map(({ record }) => record);
  };

  #payments({ states, since, below, minorUnits, search }: contract.PaymentPage): readonly Row[] {
    const rows = this.#all().toSorted(byOrderId);
    const begun = search?.beginnings.flatMap((beginning) =>
      rows.filter(({ orderId }) => orderId.startsWith(beginning)).slice(-contract.MAX_BEGUN),
    );
    const owned = search?.names.map((name) => this.#owners.get(keyOf(name))) ?? [];
    const isFound = (row: Row): boolean =>
      search === undefined ||
      begun?.includes(row) === true ||
      [search.orderId, ...owned].includes(row.orderId);
    return rows
      .filter(({ record: { payment } }) => {
        const isAmount = minorUnits === undefined || payment.amount.minorUnits === minorUnits;
        const isPlaced = payment.createdAt >= since && contract.latestFirst(below, payment) < 0;
        return states.includes(payment.state) && isAmount && isPlaced;
      })
      .filter(isFound)
      .toSorted((a, b) => contract.latestFirst(a.record.payment, b.record.payment));
  }

  #listed(listing: Exclude<contract.Listing, contract.PaymentPage>): readonly Row[] {
    const rows = this.#all();
    if (!('after' in listing)) return oldestFirst(rows, waitsSince[listing.of]);
    const isOn = (row: Row): boolean =>
      listing.of === 'orders'
        ? row.record.payment.updatedAt >= listing.since
        : row.savedAt > listing.savedAfter && mayBePutOff(row, listing.now);
    const behind = rows.filter(({ orderId }) => orderId > (listing.after ?? ''));
    return behind.filter(isOn).toSorted(byOrderId);
  }

  readonly deadLetters: Members['deadLetters'] = async (limit) =>
    this.#dead().slice(0, limit).map(queuedOf);

  readonly history: Members['history'] = async (orderId) => ({
    log: this.#logOf(orderId),
    events: this.#eventsOf(orderId).map(queuedOf),
  });

  readonly figures: Members['figures'] = async (spans) =>
    spans.map(({ from, to }) => {
      const isIn = (time: number): boolean => time >= from && time < to;
      const moved = this.#movements.filter(({ recordedAt }) => isIn(recordedAt));
      const payments = this.#all().map(({ record }) => record.payment);
      const states = payments.filter((one) => isIn(one.createdAt)).map(({ state }) => state);
      const countOf = (state: string): number => states.filter((one) => one === state).length;
      return {
        moved: moved.map((one) => ({ ...one, count: 1 })),
        created: [...new Set(states)].map((state) => ({ state, count: countOf(state) })),
      };
    });

  readonly count: Members['count'] = async (key, hits, life) => {
    const { subject: _, ...counter } = this.#counted(key, hits, '', life);
    return counter;
  };

  readonly bind: Members['bind'] = async (key, subject, life) =>
    this.#counted(key, 0, subject, life).subject;

  /** Adds hits to what is kept under a key, unless its time is over or is too far ahead. */
  #counted(key: string, hits: number, subject: string, { now, endsAt }: contract.ShortLived) {
    const kept = this.#counters.get(key);
    const lives = kept !== undefined && kept.endsAt > now && kept.endsAt - endsAt <= endsAt - now;
    const counter = lives ? { ...kept, hits: kept.hits + hits } : { hits, endsAt, subject };
    this.#counters.set(key, counter);
    return counter;
  }

  readonly archive: Members['archive'] = async (orders) => {
    const movable = orders.filter(({ orderId, version }) => {
      const isSame = this.#rows.get(orderId)?.record.payment.version === version;
      const isDelivered = this.#eventsOf(orderId).every(({ outcome }) => outcome === 'done');
      const isNew = this.#logOf(orderId).length > (this.#archived.get(orderId) ?? 0);
      return isSame && isDelivered && isNew;
    });
    for (const { orderId } of movable) this.#archived.set(orderId, this.#logOf(orderId).length);
    return movable.length;
  };

  readonly health: Members['health'] = {
    backlog: async (now, types) => {
      const rows = this.#all();
      const due = rows.filter((row) => isDue(row, now));
      const waiting = this.#waiting(types).map(({ nextTryAt }) => nextTryAt ?? Infinity);
      const unended = rows.flatMap(({ unendedSince }) => unendedSince ?? []);
      const failing = unended.filter((since) => since <= now - contract.FAILING_MS);
      const counted = (all: readonly unknown[]) => Math.min(all.length, contract.MAX_COUNTED);
      return {
        ...rules.countReviews(rows.flatMap(({ openReviews }) => openReviews ?? [])),
        dueAttempts: counted(due),
        undelivered: counted(waiting),
        deadLetters: counted(this.#dead()),
        failingOrders: counted(failing),
        oldestFailingAt: earliest(failing),
        oldestDueAt: earliest(due.flatMap(({ dueAt }) => dueAt ?? [])),
        oldestUndeliveredAt: earliest(waiting.filter((at) => at <= now)),
        oldestUnknownAt: earliest(rows.flatMap(({ unknownAt }) => unknownAt ?? [])),
      };
    },
  };

  readonly #all = (): readonly Row[] => [...this.#rows.values()];
  readonly #logOf = (orderId: string): readonly AuditEntry[] => this.#logs.get(orderId) ?? [];
  readonly #put = (queued: Queued): unknown => this.#events.set(queued.event.id, queued);
  readonly #eventsWhere = (isWanted: (queued: Queued) => boolean): readonly Queued[] =>
    [...this.#events.values()].filter(isWanted);
  readonly #eventsOf = (id: string) => this.#eventsWhere(({ event }) => event.orderId === id);
  readonly #dead = () => this.#eventsWhere(({ outcome }) => outcome === 'dead');
  readonly #waiting = (types: readonly PaymentEventType[]) =>
    this.#eventsWhere(({ event, nextTryAt }) => nextTryAt !== null && types.includes(event.type));
}

const keyOf = ({ kind, name }: Name): string => `${kind} ${name}`;
const byOrderId = (a: Row, b: Row): number => (a.orderId < b.orderId ? -1 : 1);
const isDue = ({ dueAt }: Row, now: number): boolean => dueAt !== null && dueAt <= now;

/** Since when a matter of an order waits. */
const waitsSince = {
  'open reviews': ({ reviewedAt }: Row) => reviewedAt,
  proposals: ({ proposedAt }: Row) => proposedAt,
  'held money': ({ record: { payment } }: Row) =>
    payment.state === 'authorized' ? payment.createdAt : null,
};

/** The rows that have a time, by that time. */
function oldestFirst(rows: readonly Row[], timeOf: (row: Row) => number | null): readonly Row[] {
  const found = rows.filter((row) => timeOf(row) !== null);
  return found.toSorted((a, b) => (timeOf(a) ?? 0) - (timeOf(b) ?? 0));
}

const mayBePutOff = ({ record: { payment }, dueAt }: Row, now: number): boolean =>
  dueAt !== null ||
  (['expired', 'failed', 'review'].includes(payment.state) &&
    payment.createdAt > now - contract.ENDED_MS);

const queuedOf = ({ event, outcome, tries }: Queued) => ({ event, outcome, tries });
