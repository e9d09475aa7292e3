import type { Attempt } from '../../../src/payments/attempt.ts';
import type { Operation } from '../../../src/payments/record.ts';
import type { Save } from '../../../src/stores/store.ts';
import { aPhone } from '../shop.ts';
import {
  atStore,
  isHint,
  type Parts,
  readingStore,
  saving,
  type Saving,
  type Variants,
  withAttempts,
  withPayment,
} from './parts.ts';

/** Overwrites the stored row. */
async function overwrite({ store }: Parts, save: Save, hook: Parameters<Saving>[1]) {
  const stored = await store.load(save.record.payment.orderId);
  return store.save(withPayment(save, { version: (stored?.payment.version ?? 0) + 1 }), hook);
}

/** Mistakes in how a change is kept. */
export const storing: Variants = {
  // A link that a clock which leapt has ended is not asked about any more.
  'ends-evidence-by-time': (parts) =>
    atStore(parts, (store) => ({
      take: async (orderId, taking) => {
        const taken = await store.take(orderId, taking);
        const isLive = taken?.record.attempts.some(({ state }) => state !== 'closed') === true;
        return taken === null ? null : { ...taken, isTaken: taken.isTaken && isLive };
      },
      list: async (listing) => (listing.of === 'put off' ? [] : store.list(listing)),
    })),

  // Reads the version, then writes, without holding on to it in between.
  'select-then-update': (parts) =>
    saving(parts, async (save, hook) => {
      const result = await parts.store.save(save, hook);
      return result.outcome === 'conflict' ? overwrite(parts, save, hook) : result;
    }),

  // One transaction may be bound to two orders.
  'no-unique-transaction': (parts) =>
    saving(parts, async (save, hook) => {
      const result = await parts.store.save(save, hook);
      if (result.outcome !== 'name_taken' || result.name.kind !== 'transaction') return result;
      const names = save.names.filter(({ name }) => name !== result.name.name);
      return parts.store.save({ ...save, names }, hook);
    }),

  // The merchant’s own work is done first, and the commit may still fail.
  'ships-before-the-commit': (parts) =>
    saving(parts, async (save, hook) => {
      for (const event of save.events) await hook?.(undefined, event);
      return parts.store.save(save);
    }),

  // An error on COMMIT counts as not committed.
  'commits-again-after-an-error': (parts) =>
    saving(parts, (save, hook) =>
      parts.store.save(save, hook).catch(() => overwrite(parts, save, hook)),
    ),

  // An event counts as delivered before its handler has run, and dies with the process.
  'drops-the-outbox': (parts) =>
    atStore(parts, (store) => ({
      claimEvents: async (...claim) => {
        const deliveries = await store.claimEvents(...claim);
        for (const one of deliveries) await store.endDelivery(one, { outcome: 'done' });
        return deliveries;
      },
    })),

  // An event is handed out although an earlier one of its order waits.
  'delivers-in-any-order': (parts) =>
    atStore(parts, (store) => ({
      claimEvents: async (now, limit, leaseMs, types) => {
        const claims = types.map((type) => store.claimEvents(now, limit, leaseMs, [type]));
        return (await Promise.all(claims)).flat();
      },
    })),

  // What happens to an order twice gives one event id twice.
  'names-events-without-their-subject': (parts) =>
    saving(parts, (save, hook) => {
      const events = save.events.map((event) => ({
        ...event,
        id: `${event.orderId}/${event.type}`,
      }));
      const { entry } = save;
      const change = entry?.kind === 'change' ? { ...entry.change, events } : undefined;
      const named = entry?.kind === 'change' && change ? { ...entry, change } : entry;
      return parts.store.save({ ...save, events, entry: named }, hook);
    }),

  // The watch over an older link ends when a newer one is made.
  'forgets-what-was-superseded': (parts) =>
    saving(parts, (save, hook) => {
      const { currentAttempt } = save.record.payment;
      const unwatched = withAttempts(save, (one) =>
        one.state === 'open' && one.number < currentAttempt ? { ...one, nextCheckAt: null } : one,
      );
      return parts.store.save(unwatched, hook);
    }),

  // A live link is not offered again.
  'offers-a-new-link-each-time': (parts) => {
    const urls = new Map<string | null, string | null>();
    const offering = saving(parts, (save, hook) => {
      const stored = withAttempts(save, (one) => ({
        ...one,
        redirectUrl: one.redirectUrl ?? urls.get(one.sessionId) ?? null,
      }));
      return parts.store.save(stored, hook);
    });
    const read = (one: Attempt): Attempt => {
      urls.set(one.sessionId, one.redirectUrl);
      return { ...one, redirectUrl: null };
    };
    return readingStore(offering, (record) => ({
      ...record,
      attempts: record.attempts.map(read),
    }));
  },

  // A webhook is answered with 200 and not stored.
  'drops-hints': (parts) =>
    saving(parts, async (save, hook) =>
      isHint(save) ? { outcome: 'saved' } : parts.store.save(save, hook),
    ),

  // The refunded total is written only where an event says so.
  'refunds-only-with-their-event': (parts) =>
    saving(parts, (save, hook) => {
      const isTold = save.events.some(({ type }) => type === 'refunded');
      return parts.store.save(isTold ? save : withPayment(save, { refundedMinorUnits: 0 }), hook);
    }),

  // The customer’s phone is stored with the payment.
  'keeps-the-phone': (parts) =>
    saving(parts, (save, hook) => parts.store.save(withPayment(save, { phone: aPhone }), hook)),

  // The next change of an order ends an operation that was unknown, without evidence.
  'gives-up-what-is-unknown': (parts) => {
    const unknown = new Map<string, Operation>();
    return saving(parts, (save, hook) => {
      const { entry, record } = save;
      if (entry?.kind !== 'change') return parts.store.save(save, hook);
      const { operations, payment } = entry.change;
      const givenUp = [...unknown.values()]
        .filter(({ orderId, id }) => {
          return orderId === payment.orderId && operations.every((one) => one.id !== id);
        })
        .map((one) => ({ ...one, state: 'failed' as const, reason: 'given up' }));
      for (const one of operations) if (one.state === 'unknown') unknown.set(one.id, one);
      const change = { ...entry.change, operations: [...operations, ...givenUp] };
      const all = record.operations.map((one) => givenUp.find(({ id }) => id === one.id) ?? one);
      const given = {
        ...save,
        record: { ...record, operations: all },
        entry: { ...entry, change },
      };
      return parts.store.save(given, hook);
    });
  },
};
