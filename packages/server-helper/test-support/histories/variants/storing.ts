import type { Change } from '../../../src/payments/payment-record.ts';
import type { Store } from '../../../src/stores/store.ts';
import { aPhone } from '../shop.ts';
import type { Parts, Variant } from '../variant.ts';

type Commit = Store<unknown>['commit'];

/** A store that commits in another way. */
export const committing = (
  parts: Parts,
  commit: (...given: Parameters<Commit>) => ReturnType<Commit>,
): Parts => ({ ...parts, store: { ...parts.store, commit } });

/** Overwrites the stored row. */
async function overwrite({ store }: Parts, change: Change, hook: Parameters<Commit>[1]) {
  const stored = await store.load(change.payment.orderId);
  const version = (stored?.payment.version ?? 0) + 1;
  return store.commit({ ...change, payment: { ...change.payment, version } }, hook);
}

/** Mistakes in how a change is kept. */
export const storing: readonly Variant[] = [
  {
    name: 'ends-evidence-by-time',
    about: 'a link that a clock which leapt has ended is not asked about any more',
    breaks: (parts) => {
      const { store } = parts;
      const beginStatusCheck: Store<unknown>['beginStatusCheck'] = async (request) => {
        const begun = await store.beginStatusCheck(request);
        return begun?.taken?.state === 'closed' ? { ...begun, taken: null } : begun;
      };
      const clampChecks = (now: number): Promise<void> => store.clampChecks(now);
      return { ...parts, store: { ...store, beginStatusCheck, clampChecks } };
    },
  },
  {
    name: 'select-then-update',
    about: 'reads the version, then writes, without holding on to it in between',
    breaks: (parts) =>
      committing(parts, async (change, hook) => {
        const result = await parts.store.commit(change, hook);
        return result.outcome === 'conflict' ? overwrite(parts, change, hook) : result;
      }),
  },
  {
    name: 'no-unique-transaction',
    about: 'one transaction may be bound to two orders',
    breaks: (parts) =>
      committing(parts, async (change, hook) => {
        const result = await parts.store.commit(change, hook);
        if (result.outcome !== 'transaction_taken') return result;
        const others = change.ledger.filter(
          ({ transactionId }) => transactionId !== result.transactionId,
        );
        return parts.store.commit({ ...change, ledger: others }, hook);
      }),
  },
  {
    name: 'ships-before-the-commit',
    about: 'the merchant’s own work is done first, and the commit may still fail',
    breaks: (parts) =>
      committing(parts, async (change, hook) => {
        for (const event of change.events) await hook?.(undefined, event);
        return parts.store.commit(change);
      }),
  },
  {
    name: 'commits-again-after-an-error',
    about: 'an error on COMMIT counts as not committed',
    breaks: (parts) =>
      committing(parts, (change, hook) =>
        parts.store.commit(change, hook).catch(() => overwrite(parts, change, hook)),
      ),
  },
  {
    name: 'drops-the-outbox',
    about: 'an event counts as delivered before its handler has run, and dies with the process',
    breaks: (parts) => {
      const { store } = parts;
      const claimEvents: typeof store.claimEvents = async (...claim) => {
        const deliveries = await store.claimEvents(...claim);
        for (const one of deliveries) await store.reportDelivery(one, { outcome: 'done' });
        return deliveries;
      };
      return { ...parts, store: { ...store, claimEvents } };
    },
  },
  {
    name: 'delivers-in-any-order',
    about: 'an event is handed out although an earlier one of its order waits',
    breaks: (parts) => {
      const { store } = parts;
      const claimEvents: typeof store.claimEvents = async (now, limit, leaseMs, types) => {
        const claims = types.map((type) => store.claimEvents(now, limit, leaseMs, [type]));
        return (await Promise.all(claims)).flat();
      };
      return { ...parts, store: { ...store, claimEvents } };
    },
  },
  {
    name: 'names-events-without-their-subject',
    about: 'what happens to an order twice gives one event id twice',
    breaks: (parts) =>
      committing(parts, (change, hook) => {
        const events = change.events.map((event) => ({
          ...event,
          id: `${event.orderId}/${event.type}`,
        }));
        return parts.store.commit({ ...change, events }, hook);
      }),
  },
  {
    name: 'forgets-what-was-superseded',
    about: 'the watch over an older link ends when a newer one is made',
    breaks: (parts) => ({
      ...parts,
      store: {
        ...parts.store,
        commit: async (change, hook) => {
          const result = await parts.store.commit(change, hook);
          const stored = await parts.store.load(change.payment.orderId);
          const older = stored?.attempts.filter(
            ({ number, state }) => state === 'open' && number < change.payment.currentAttempt,
          );
          for (const attempt of older ?? []) {
            await parts.store.endStatusCheck(attempt, null, change.payment.updatedAt);
          }
          return result;
        },
      },
    }),
  },
  {
    name: 'offers-a-new-link-each-time',
    about: 'a live link is not offered again',
    breaks: (parts) => ({
      ...parts,
      store: {
        ...parts.store,
        load: async (orderId) => {
          const record = await parts.store.load(orderId);
          if (record === null) return null;
          const attempts = record.attempts.map((one) => ({ ...one, redirectUrl: null }));
          return { ...record, attempts };
        },
      },
    }),
  },
  {
    name: 'drops-hints',
    about: 'a webhook is answered with 200 and not stored',
    breaks: (parts) => ({
      ...parts,
      store: { ...parts.store, hint: () => Promise.resolve(null) },
    }),
  },
  {
    name: 'refunds-only-with-their-event',
    about: 'the refunded total is written only where an event says so',
    breaks: (parts) =>
      committing(parts, (change, hook) => {
        if (change.events.some(({ type }) => type === 'refunded')) {
          return parts.store.commit(change, hook);
        }
        const payment = { ...change.payment, refundedMinorUnits: 0 };
        return parts.store.commit({ ...change, payment }, hook);
      }),
  },
  {
    name: 'keeps-the-phone',
    about: 'the customer’s phone is stored with the payment',
    breaks: (parts) =>
      committing(parts, (change, hook) => {
        const payment = { ...change.payment, phone: aPhone };
        return parts.store.commit({ ...change, payment }, hook);
      }),
  },
  {
    name: 'gives-up-what-is-unknown',
    about: 'the next change of an order ends an operation that was unknown, without evidence',
    breaks: (parts) => {
      const unknown = new Map<string, Change['operations'][number]>();
      return committing(parts, (change, hook) => {
        const { operations, payment } = change;
        const givenUp = [...unknown.values()]
          .filter(({ orderId, id }) => {
            return orderId === payment.orderId && operations.every((one) => one.id !== id);
          })
          .map((one) => ({ ...one, state: 'failed' as const, reason: 'given up' }));
        for (const one of operations) if (one.state === 'unknown') unknown.set(one.id, one);
        return parts.store.commit({ ...change, operations: [...operations, ...givenUp] }, hook);
      });
    },
  },
];
