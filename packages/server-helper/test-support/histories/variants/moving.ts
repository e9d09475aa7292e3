import { GatewayError } from '../../../src/gateway/gateway-error.ts';
import { atGateway, readingStore, saving, type Variants } from './parts.ts';

const isLost = (error: unknown): boolean =>
  error instanceof GatewayError && error.outcome === 'unknown';

/** Mistakes in how money is moved. */
export const moving: Variants = {
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
};
