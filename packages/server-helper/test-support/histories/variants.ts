import { GatewayError } from '../../src/gateway/gateway-error.ts';
import { transactionId } from '../../src/ids.ts';
import { decimalOf } from '../../src/money.ts';
import type { Attempt } from '../../src/payments/attempt.ts';
import { withdrawLink } from '../../src/payments/link-decision.ts';
import type { Operation } from '../../src/payments/record.ts';
import type { Save } from '../../src/stores/store.ts';
import { DAY_MS } from '../durations.ts';
import { saveChange } from '../save-change.ts';
import { aPhone } from './shop.ts';
import {
  approved,
  atGateway,
  atStore,
  isHint,
  type Parts,
  reading,
  readingStore,
  remembering,
  saving,
  savingAs,
  type Saving,
  type Variants,
  withAttempts,
  withPayment,
} from './variant-parts.ts';

const isLost = (error: unknown): boolean =>
  error instanceof GatewayError && error.outcome === 'unknown';

/** Overwrites the stored row. */
async function overwrite({ store }: Parts, save: Save, hook: Parameters<Saving>[1]) {
  const stored = await store.load(save.record.payment.orderId);
  return store.save(withPayment(save, { version: (stored?.payment.version ?? 0) + 1 }), hook);
}

/** Every mistake that the histories must find. */
export const variants: Variants = {
  // ── How the gateway's word is asked for and read.

  // A return to the success address counts as paid.
  'believes-the-redirect': (parts) => {
    const { attemptOf, watched } = remembering(parts);
    const believed = new Set<string>();
    const broken = reading(watched, (rows, input) => {
      const attempt = attemptOf(input);
      if (attempt === undefined || !believed.has(attempt.orderId)) return rows;
      const amount = decimalOf(attempt.amount.minorUnits);
      const id = transactionId(`believed-${attempt.merchantOrderId}`);
      return [{ transactionId: id, amount, ...approved }];
    });
    return {
      ...broken,
      sees: (deed) => {
        if (deed.kind === 'return' && deed.claims === 'success') believed.add(deed.orderId);
      },
    };
  },

  // Whatever is approved pays the order, however much it is.
  'takes-any-amount': (parts) => {
    const { attemptOf, watched } = remembering(parts);
    return reading(watched, (rows, input) => {
      const attempt = attemptOf(input);
      if (attempt === undefined) return rows;
      return rows.map((row) => ({ ...row, amount: decimalOf(attempt.amount.minorUnits) }));
    });
  },

  // A gateway that does not answer counts as one that shows no payment.
  'takes-silence-for-an-answer': (parts) =>
    atGateway(parts, ({ retrieveStatus }) => ({
      retrieveStatus: (input) => retrieveStatus(input).catch(() => ({ transactions: [] })),
    })),

  // The id in a webhook is asked about, instead of the one in the store.
  'asks-about-what-the-hint-says': (parts) => {
    let said: string | null = null;
    const broken = atGateway(parts, ({ retrieveStatus }) => ({
      retrieveStatus: (input) => {
        const sessionId = said;
        said = null;
        return retrieveStatus(sessionId === null ? input : { sessionId });
      },
    }));
    return {
      ...broken,
      sees: (deed) => {
        if (deed.kind === 'webhook') said = deed.garbage;
      },
    };
  },

  // A transaction that a hint names counts, although the gateway names another order for it.
  'binds-what-a-hint-names': (parts) => {
    const believing = readingStore(parts, ({ hints = [], ...record }) => ({
      ...record,
      hints: hints.map((hint) => ({ ...hint, source: 'return' })),
    }));
    return reading(believing, (rows, input) =>
      'transactionId' in input ? rows.map((row) => ({ ...row, merchantOrderId: undefined })) : rows,
    );
  },

  // The currency is left to the gateway.
  'sends-no-currency': (parts) =>
    atGateway(parts, ({ createPaymentLink }) => ({
      createPaymentLink: ({ amount, ...input }) => {
        const text = typeof amount === 'string' ? amount : decimalOf(amount.minorUnits);
        return createPaymentLink({ ...input, amount: text, currency: undefined });
      },
    })),

  // ── How a change is kept.

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
    savingAs(parts, (save) => {
      const events = save.events.map((event) => ({
        ...event,
        id: `${event.orderId}/${event.type}`,
      }));
      const { entry } = save;
      if (entry?.kind !== 'change') return { ...save, events };
      return { ...save, events, entry: { ...entry, change: { ...entry.change, events } } };
    }),

  // The watch over an older link ends when a newer one is made.
  'forgets-what-was-superseded': (parts) =>
    savingAs(parts, (save) =>
      withAttempts(save, (one) =>
        one.state === 'open' && one.number < save.record.payment.currentAttempt
          ? { ...one, nextCheckAt: null }
          : one,
      ),
    ),

  // A live link is not offered again.
  'offers-a-new-link-each-time': (parts) => {
    const urls = new Map<string | null, string | null>();
    const offering = savingAs(parts, (save) =>
      withAttempts(save, (one) => ({
        ...one,
        redirectUrl: one.redirectUrl ?? urls.get(one.sessionId) ?? null,
      })),
    );
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
    savingAs(parts, (save) => {
      const isTold = save.events.some(({ type }) => type === 'refunded');
      return isTold ? save : withPayment(save, { refundedMinorUnits: 0 });
    }),

  // The customer’s phone is stored with the payment.
  'keeps-the-phone': (parts) => savingAs(parts, (save) => withPayment(save, { phone: aPhone })),

  // The next change of an order ends an operation that was unknown, without evidence.
  'gives-up-what-is-unknown': (parts) => {
    const unknown = new Map<string, Operation>();
    return savingAs(parts, (save) => {
      const { entry, record } = save;
      if (entry?.kind !== 'change') return save;
      const { operations, payment } = entry.change;
      const givenUp = [...unknown.values()]
        .filter(({ orderId, id }) => {
          return orderId === payment.orderId && operations.every((one) => one.id !== id);
        })
        .map((one) => ({ ...one, state: 'failed' as const, reason: 'given up' }));
      for (const one of operations) if (one.state === 'unknown') unknown.set(one.id, one);
      const change = { ...entry.change, operations: [...operations, ...givenUp] };
      const all = record.operations.map((one) => givenUp.find(({ id }) => id === one.id) ?? one);
      return { ...save, record: { ...record, operations: all }, entry: { ...entry, change } };
    });
  },

  // ── How money is moved.

  // A refund whose answer was lost is sent again.
  'retries-refunds': (parts) =>
    atGateway(parts, ({ refund }) => ({
      refund: (input) =>
        refund(input).catch((error: unknown) => {
          if (isLost(error)) return refund(input);
          throw error;
        }),
    })),

  // A recurring charge that was answered with 200 counts as made.
  'calls-200-a-success': (parts) =>
    atGateway(parts, ({ chargeRecurring }) => ({
      chargeRecurring: async (input) => ({
        ...(await chargeRecurring(input)),
        result: 'success',
      }),
    })),

  // An operation is held in memory, and stored only after it was sent.
  'sends-before-it-records': (parts) =>
    saving(parts, async (save, hook) => {
      const changed = save.entry?.kind === 'change' ? save.entry.change.operations : [];
      const isSending = changed.some(({ state, kind }) => state === 'sending' && kind === 'refund');
      return isSending ? { outcome: 'saved' } : parts.store.save(save, hook);
    }),

  // A void is allowed while a capture is under way or unknown.
  'forgets-a-capture-under-way': (parts) =>
    readingStore(parts, (record) => ({
      ...record,
      operations: record.operations.filter(({ kind }) => kind !== 'capture'),
    })),

  // A proposal counts as one of somebody else.
  'forgets-who-proposed': (parts) =>
    readingStore(parts, (record) => ({
      ...record,
      operations: record.operations.map((one) =>
        one.state === 'proposed' ? { ...one, requestedBy: 'somebody else' } : one,
      ),
    })),

  // A refund that was proposed can be asked for again, and is sent.
  'sends-what-is-proposed': (parts) =>
    readingStore(parts, (record) => ({
      ...record,
      operations: record.operations.filter(({ state }) => state !== 'proposed'),
    })),

  // Refunds that are under way do not count.
  'refunds-beyond-the-balance': (parts) =>
    readingStore(parts, (record) => ({
      ...record,
      operations: record.operations.filter(
        ({ kind, state }) => kind !== 'refund' || state === 'succeeded',
      ),
    })),

  // ── Around a payment and after it.

  // Money pays an order at the price of its link, whatever the order costs since.
  'asks-no-price-again': (parts) => ({ ...parts, recheckOrder: false }),

  // A link that was paid is not checked any more.
  'forgets-what-is-paid': (parts) =>
    savingAs(parts, (save) => {
      const forgetting = withAttempts(save, (one) =>
        one.state === 'succeeded' ? { ...one, nextCheckAt: null } : one,
      );
      return save.endsCheck === true ? forgetting : save;
    }),

  // A webhook about an order with money is answered with 200 and not stored.
  'drops-hints-about-what-is-paid': (parts) =>
    saving(parts, async (save, hook) =>
      isHint(save) && save.record.ledger.length > 0
        ? { outcome: 'saved' }
        : parts.store.save(save, hook),
    ),

  // A payment that the gateway now calls failed counts as it did before.
  'calls-no-payment-failed': (parts) =>
    reading(parts, (rows) =>
      rows.filter(({ transactionStatus }) => transactionStatus !== 'FAILED'),
    ),

  // A link that the gateway does not know yet is not offered any more.
  'withdraws-at-the-first-404': (parts) => {
    const { attemptOf, watched } = remembering(parts);
    const { store } = watched;
    const withdraw = async (input: Parameters<typeof attemptOf>[0]): Promise<void> => {
      const attempt = attemptOf(input);
      const record = attempt === undefined ? null : await store.load(attempt.orderId);
      if (attempt === undefined || record === null) return;
      const change = withdrawLink(record, attempt, record.payment.updatedAt);
      if (change !== null) await saveChange(store, change);
    };
    return atGateway(watched, ({ retrieveStatus }) => ({
      retrieveStatus: (input) =>
        retrieveStatus(input).catch(async (error: unknown) => {
          if (error instanceof GatewayError && error.code === 'not_found') await withdraw(input);
          throw error;
        }),
    }));
  },

  // Money that a person accepts counts as the amount of its link.
  'accepts-what-was-asked-for': (parts) =>
    savingAs(parts, (save) => {
      const change = save.entry?.kind === 'change' ? save.entry.change : undefined;
      const attempt = change?.attempts.find(({ state }) => state === 'succeeded');
      const isAccepted = change?.reviews.some(({ resolvedBy }) => resolvedBy !== null) === true;
      if (attempt === undefined || !isAccepted) return save;
      const { amount } = attempt;
      return withPayment(save, { amount, capturedMinorUnits: amount.minorUnits });
    }),

  // A link whose checks are over is checked every day all the same.
  'checks-for-ever': (parts) =>
    savingAs(parts, (save) => {
      const checking = withAttempts(save, (one) => ({
        ...one,
        nextCheckAt:
          one.state === 'closed' ? (one.nextCheckAt ?? save.at + DAY_MS) : one.nextCheckAt,
      }));
      return save.endsCheck === true ? checking : save;
    }),
};
