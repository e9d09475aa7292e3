import {
  type AuditEntry,
  type Columns,
  columnsOf,
  earliest,
  type Name,
  recordOf,
  textOf,
} from '../payments/document.ts';
import {
  everyPaymentState,
  type Movement,
  type PaymentEventType,
  type PaymentRecord,
} from '../payments/record.ts';
import { countReviews, mayTake, reported, SynchronousHook, wasTaken } from './rules.ts';
import {
  ENDED_MS,
  everyOrder,
  FAILING_MS,
  type History,
  latestFirst,
  type Listing,
  LONGEST_DELIVERY_WAIT_MS,
  type MatterPage,
  MAX_BEGUN,
  MAX_COUNTED,
  type PaymentPage,
  type QueuedEvent,
  type ShortLived,
  type Store,
} from './store.ts';

/** An order as it is stored. A database has the same in the columns of one row. */
interface Row extends Columns {
  readonly text: string;
  readonly record: PaymentRecord;
  readonly takenAt: number | null;
  /** Since when status checks of it begin and none ends. */
  readonly unendedSince: number | null;
  readonly savedAt: number;
}

interface Queued extends QueuedEvent {
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

type Members = Store<undefined>;

class MemoryStore implements Members {
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

  async open(): Promise<void> {}

  async close(): Promise<void> {}

  readonly load: Members['load'] = async (orderId) => {
    const row = this.#rows.get(orderId);
    return row === undefined ? null : recordOf(row.text);
  };

  readonly save: Members['save'] = async (save, hook) => {
    const { record, names, entry, events, movements, at, redelivers, endsCheck = false } = save;
    const { orderId, version } = record.payment;
    const stored = this.#rows.get(orderId);
    if ((stored?.record.payment.version ?? 0) !== version - 1) {
      return { outcome: 'conflict', record: await this.load(orderId) };
    }
    for (const name of names) {
      const owner = this.#owners.get(keyOf(name)) ?? orderId;
      if (owner !== orderId && name.kind !== 'reference') {
        return { outcome: 'name_taken', name, orderId: owner };
      }
    }
    // Nothing is written yet when the hook throws, so nothing needs to be undone.
    for (const event of events) this.#hook.run(hook, undefined, event);
    const text = textOf(record);
    const columns = columnsOf(record);
    const { takenAt = null, unendedSince = null } = stored ?? {};
    const since = endsCheck || columns.dueAt === null ? null : unendedSince;
    const beside = { takenAt, unendedSince: since, savedAt: at };
    this.#rows.set(orderId, { ...columns, ...beside, text, record: recordOf(text) });
    for (const key of names.map(keyOf)) {
      if (!this.#owners.has(key)) this.#owners.set(key, orderId);
    }
    if (entry !== null) this.#logs.set(orderId, [...(this.#logs.get(orderId) ?? []), entry]);
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
    const isTaken = mayTake(row.record, row.dueAt, row.takenAt, taking);
    if (isTaken) {
      const watched =
        row.dueAt === null ? {} : { dueAt: now + leaseMs, unendedSince: row.unendedSince ?? now };
      this.#rows.set(orderId, { ...row, takenAt: now, savedAt: now, ...watched });
    }
    return { record: recordOf(row.text), isTaken, takenAt: isTaken ? now : row.takenAt };
  };

  readonly claimDue: Members['claimDue'] = async (
    now,
    limit,
    { gapMs, leaseMs },
    { dueAfter, madeAfter, bySchedule } = everyOrder,
  ) => {
    const isWanted = ({ madeAt, grownAt, isHinted }: Row): boolean => {
      const isYoung = (madeAt ?? 0) > madeAfter;
      return bySchedule ? isYoung && (grownAt ?? 0) <= now : isYoung || isHinted;
    };
    const due = [...this.#rows.values()]
      .filter((row) => isDue(row, now) && (row.dueAt ?? 0) > dueAfter)
      .filter((row) => isWanted(row) && !wasTaken(row.takenAt, now, gapMs))
      .toSorted((a, b) => (a.dueAt ?? 0) - (b.dueAt ?? 0) || (a.takenAt ?? 0) - (b.takenAt ?? 0))
      .slice(0, limit);
    return due.map((row) => {
      this.#rows.set(idOf(row), { ...row, savedAt: now, dueAt: now + leaseMs });
      return idOf(row);
    });
  };

  readonly claimEvents: Members['claimEvents'] = async (now, limit, leaseMs, types) => {
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
  };

  readonly endDelivery: Members['endDelivery'] = async ({ event, tryNumber }, report) => {
    const queued = this.#events.get(event.id);
    if (queued?.tries === tryNumber) this.#put({ ...queued, ...reported(report) });
  };

  readonly list: Members['list'] = async (listing) => {
    const rows = [...this.#rows.values()];
    const found = listing.of === 'payments' ? this.#payments(listing) : oldestOf(rows, listing);
    return found.slice(0, listing.limit).map(({ text }) => recordOf(text));
  };

  #payments({ states, since, below, minorUnits, search }: PaymentPage): readonly Row[] {
    const rows = [...this.#rows.values()].toSorted(byOrderId);
    const begun = search?.beginnings.flatMap((beginning) =>
      rows.filter((row) => idOf(row).startsWith(beginning)).slice(-MAX_BEGUN),
    );
    const owned = search?.names.map((name) => this.#owners.get(keyOf(name))) ?? [];
    return rows
      .filter(({ record: { payment } }) => {
        const isAmount = minorUnits === undefined || payment.amount.minorUnits === minorUnits;
        const isPlaced = payment.createdAt >= since && latestFirst(below, payment) < 0;
        return states.includes(payment.state) && isAmount && isPlaced;
      })
      .filter((row) => {
        if (search === undefined || begun?.includes(row) === true) return true;
        return [search.orderId, ...owned].includes(idOf(row));
      })
      .toSorted((a, b) => latestFirst(a.record.payment, b.record.payment));
  }

  readonly deadLetters: Members['deadLetters'] = async (limit) =>
    this.#dead().slice(0, limit).map(queuedOf);

  readonly history: Members['history'] = async (orderId) => this.#historyOf(orderId);

  #historyOf(orderId: string): History {
    const { log = [], events = [] } = this.#archive.get(orderId) ?? {};
    const own = this.#eventsOf(orderId).map(queuedOf);
    return { log: [...log, ...(this.#logs.get(orderId) ?? [])], events: [...events, ...own] };
  }

  readonly figures: Members['figures'] = async (spans) => {
    const payments = [...this.#rows.values()].map(({ record }) => record.payment);
    return spans.map(({ from, to }) => {
      const isIn = (time: number): boolean => time >= from && time < to;
      const moved = this.#movements.filter(({ recordedAt }) => isIn(recordedAt));
      const created = everyPaymentState.map((state) => {
        const own = payments.filter((one) => one.state === state && isIn(one.createdAt));
        return { state, count: own.length };
      });
      return {
        moved: moved.map((one) => ({ ...one, count: 1 })),
        created: created.filter(({ count }) => count > 0),
      };
    });
  };

  readonly count: Members['count'] = async (key, hits, life) => {
    const kept = this.#kept(key, life);
    const counter = { ...life, subject: '', ...kept, hits: (kept?.hits ?? 0) + hits };
    this.#counters.set(key, counter);
    return { hits: counter.hits, endsAt: counter.endsAt };
  };

  readonly bind: Members['bind'] = async (key, subject, life) => {
    const counter = this.#kept(key, life) ?? { ...life, hits: 0, subject };
    this.#counters.set(key, counter);
    return counter.subject;
  };

  /** What is kept under a key, unless its time is over or is too far ahead. */
  #kept(key: string, { now, endsAt }: ShortLived): Counter | undefined {
    const kept = this.#counters.get(key);
    const lives = kept !== undefined && kept.endsAt > now && kept.endsAt - endsAt <= endsAt - now;
    return lives ? kept : undefined;
  }

  readonly archive: Members['archive'] = async (orders) => {
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
  };

  readonly health: Members['health'] = {
    backlog: async (now, types) => {
      const rows = [...this.#rows.values()];
      const due = rows.filter((row) => isDue(row, now));
      const waiting = this.#waiting(types).map(({ nextTryAt }) => nextTryAt ?? Infinity);
      const unended = rows.flatMap(({ unendedSince }) => unendedSince ?? []);
      const failing = unended.filter((since) => since <= now - FAILING_MS);
      const counted = (all: readonly unknown[]): number => Math.min(all.length, MAX_COUNTED);
      return {
        ...countReviews(rows.flatMap(({ openReviews }) => openReviews ?? [])),
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

  #put(queued: Queued): void {
    this.#events.set(queued.event.id, queued);
  }

  #eventsOf(orderId: string): readonly Queued[] {
    return [...this.#events.values()].filter(({ event }) => event.orderId === orderId);
  }

  #dead(): readonly Queued[] {
    return [...this.#events.values()].filter(({ outcome }) => outcome === 'dead');
  }

  #waiting(types: readonly PaymentEventType[]): readonly Queued[] {
    return [...this.#events.values()].filter(
      ({ event, nextTryAt }) => nextTryAt !== null && types.includes(event.type),
    );
  }
}

const keyOf = ({ kind, name }: Name): string => `${kind} ${name}`;
const idOf = ({ record }: Row): string => record.payment.orderId;
const byOrderId = (a: Row, b: Row): number => (idOf(a) < idOf(b) ? -1 : 1);
const isDue = ({ dueAt }: Row, now: number): boolean => dueAt !== null && dueAt <= now;

/** The rows of a listing, in its order. */
function oldestOf(rows: readonly Row[], listing: Exclude<Listing, PaymentPage>): readonly Row[] {
  if (listing.of === 'orders' || listing.of === 'put off') {
    const isOn = (row: Row): boolean =>
      listing.of === 'orders'
        ? row.record.payment.updatedAt >= listing.since
        : row.savedAt > listing.savedAfter && mayBePutOff(row, listing.now);
    const behind = rows.filter((row) => idOf(row) > (listing.after ?? ''));
    return behind.filter(isOn).toSorted(byOrderId);
  }
  const timeOf = timesOf[listing.of];
  const found = rows.filter((row) => timeOf(row) !== null);
  return found.toSorted((a, b) => (timeOf(a) ?? 0) - (timeOf(b) ?? 0));
}

/** By what time each matter is in its list, where it is in there. */
const timesOf: Readonly<Record<MatterPage['of'], (row: Row) => number | null>> = {
  'open reviews': ({ reviewedAt }) => reviewedAt,
  proposals: ({ proposedAt }) => proposedAt,
  'held money': ({ record: { payment } }) =>
    payment.state === 'authorized' ? payment.createdAt : null,
};

const mayBePutOff = ({ record: { payment }, dueAt }: Row, now: number): boolean =>
  dueAt !== null ||
  (['expired', 'failed', 'review'].includes(payment.state) && payment.createdAt > now - ENDED_MS);

const queuedOf = ({ event, outcome, tries }: Queued): QueuedEvent => ({ event, outcome, tries });
