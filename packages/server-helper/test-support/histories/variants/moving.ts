import { GatewayError } from '../../../src/gateway/gateway-error.ts';
import type { PaymentRecord } from '../../../src/payments/record.ts';
import type { Parts, Variant } from '../variant.ts';
import { readingStore } from './reading.ts';

const reading = (parts: Parts, read: (record: PaymentRecord) => PaymentRecord): Parts => ({
  ...parts,
  store: readingStore(parts, read),
});

const isLost = (error: unknown): boolean =>
  error instanceof GatewayError && error.outcome === 'unknown';

/** Mistakes in how money is moved. */
export const moving: readonly Variant[] = [
  {
    name: 'retries-refunds',
    about: 'a refund whose answer was lost is sent again',
    breaks: (parts) => {
      const { gateway } = parts;
      const refund: typeof gateway.refund = (input) =>
        gateway.refund(input).catch((error: unknown) => {
          if (isLost(error)) return gateway.refund(input);
          throw error;
        });
      return { ...parts, gateway: { ...gateway, refund } };
    },
  },
  {
    name: 'releases-what-is-unknown',
    about: 'a refund whose answer was lost counts as not made',
    breaks: (parts) => {
      const { gateway } = parts;
      const refund: typeof gateway.refund = (input) =>
        gateway.refund(input).catch((error: unknown) => {
          if (!isLost(error)) throw error;
          const message = 'lost';
          throw new GatewayError({
            code: 'invalid_request',
            operation: 'refund',
            outcome: 'rejected',
            message,
          });
        });
      return { ...parts, gateway: { ...gateway, refund } };
    },
  },
  {
    name: 'calls-200-a-success',
    about: 'a recurring charge that was answered with 200 counts as made',
    breaks: (parts) => {
      const { gateway } = parts;
      const chargeRecurring: typeof gateway.chargeRecurring = async (input) => ({
        ...(await gateway.chargeRecurring(input)),
        result: 'success',
      });
      return { ...parts, gateway: { ...gateway, chargeRecurring } };
    },
  },
  {
    name: 'sends-before-it-records',
    about: 'an operation is held in memory, and stored only after it was sent',
    breaks: (parts) => {
      const { store } = parts;
      return {
        ...parts,
        store: {
          ...store,
          save: async (save, hook) => {
            const changed = save.entry?.kind === 'change' ? save.entry.change.operations : [];
            const isSending = changed.some(
              ({ state, kind }) => state === 'sending' && kind === 'refund',
            );
            return isSending ? { outcome: 'saved' } : store.save(save, hook);
          },
        },
      };
    },
  },
  {
    name: 'forgets-a-capture-under-way',
    about: 'a void is allowed while a capture is under way or unknown',
    breaks: (parts) =>
      reading(parts, (record) => ({
        ...record,
        operations: record.operations.filter(({ kind }) => kind !== 'capture'),
      })),
  },
  {
    name: 'forgets-who-proposed',
    about: 'a proposal counts as one of somebody else',
    breaks: (parts) =>
      reading(parts, (record) => ({
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
      reading(parts, (record) => ({
        ...record,
        operations: record.operations.filter(({ state }) => state !== 'proposed'),
      })),
  },
  {
    name: 'refunds-beyond-the-balance',
    about: 'refunds that are under way do not count',
    breaks: (parts) =>
      reading(parts, (record) => ({
        ...record,
        operations: record.operations.filter(
          ({ kind, state }) => kind !== 'refund' || state === 'succeeded',
        ),
      })),
  },
];
