import { GatewayError } from '../../../src/gateway/gateway-error.ts';
import { failure } from '../../simulated-transactions.ts';
import { atGateway, readingStore, saving, type Variant } from './parts.ts';

const isLost = (error: unknown): boolean =>
  error instanceof GatewayError && error.outcome === 'unknown';

/** Mistakes in how money is moved. */
export const moving: readonly Variant[] = [
  {
    name: 'retries-refunds',
    about: 'a refund whose answer was lost is sent again',
    breaks: (parts) =>
      atGateway(parts, ({ refund }) => ({
        refund: (input) =>
          refund(input).catch((error: unknown) => {
            if (isLost(error)) return refund(input);
            throw error;
          }),
      })),
  },
  {
    name: 'releases-what-is-unknown',
    about: 'a refund whose answer was lost counts as not made',
    breaks: (parts) =>
      atGateway(parts, ({ refund }) => ({
        refund: (input) =>
          refund(input).catch((error: unknown) => {
            throw isLost(error) ? failure('refund', 'rejected') : error;
          }),
      })),
  },
  {
    name: 'calls-200-a-success',
    about: 'a recurring charge that was answered with 200 counts as made',
    breaks: (parts) =>
      atGateway(parts, ({ chargeRecurring }) => ({
        chargeRecurring: async (input) => ({
          ...(await chargeRecurring(input)),
          result: 'success',
        }),
      })),
  },
  {
    name: 'sends-before-it-records',
    about: 'an operation is held in memory, and stored only after it was sent',
    breaks: (parts) =>
      saving(parts, async (save, hook) => {
        const changed = save.entry?.kind === 'change' ? save.entry.change.operations : [];
        const isSending = changed.some(
          ({ state, kind }) => state === 'sending' && kind === 'refund',
        );
        return isSending ? { outcome: 'saved' } : parts.store.save(save, hook);
      }),
  },
  {
    name: 'forgets-a-capture-under-way',
    about: 'a void is allowed while a capture is under way or unknown',
    breaks: (parts) =>
      readingStore(parts, (record) => ({
        ...record,
        operations: record.operations.filter(({ kind }) => kind !== 'capture'),
      })),
  },
  {
    name: 'forgets-who-proposed',
    about: 'a proposal counts as one of somebody else',
    breaks: (parts) =>
      readingStore(parts, (record) => ({
        ...record,
        operations: record.operations.map((one) =>
          one.state === 'proposed' ? { ...one, requestedBy: 'somebody else' } : one,
        ),
      })),
  },
  {
    name: 'sends-what-is-proposed',
    about: 'a refund that was proposed can be asked for again, and is sent',
    breaks: (parts) =>
      readingStore(parts, (record) => ({
        ...record,
        operations: record.operations.filter(({ state }) => state !== 'proposed'),
      })),
  },
  {
    name: 'refunds-beyond-the-balance',
    about: 'refunds that are under way do not count',
    breaks: (parts) =>
      readingStore(parts, (record) => ({
        ...record,
        operations: record.operations.filter(
          ({ kind, state }) => kind !== 'refund' || state === 'succeeded',
        ),
      })),
  },
];
