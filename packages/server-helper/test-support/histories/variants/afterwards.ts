import { GatewayError } from '../../../src/gateway/gateway-error.ts';
import { withdrawLink } from '../../../src/payments/link-decision.ts';
import type { PaymentRecord } from '../../../src/payments/record.ts';
import { saveChange } from '../../save-change.ts';
import {
  atGateway,
  isHint,
  reading,
  readingStore,
  remembering,
  saving,
  type Variant,
  withAttempts,
  withPayment,
} from './parts.ts';

const DAY_MS = 86_400_000;

/** Mistakes around a payment and after it. */
export const afterwards: readonly Variant[] = [
  {
    name: 'asks-no-price-again',
    about: 'money pays an order at the price of its link, whatever the order costs since',
    breaks: (parts) => ({ ...parts, recheckOrder: false }),
  },
  {
    name: 'forgets-what-is-paid',
    about: 'a link that was paid is not checked any more',
    breaks: (parts) =>
      saving(parts, (save, hook) => {
        const forgetting = withAttempts(save, (one) =>
          one.state === 'succeeded' ? { ...one, nextCheckAt: null } : one,
        );
        return parts.store.save(save.endsCheck === true ? forgetting : save, hook);
      }),
  },
  {
    name: 'drops-hints-about-what-is-paid',
    about: 'a webhook about an order with money is answered with 200 and not stored',
    breaks: (parts) =>
      saving(parts, async (save, hook) =>
        isHint(save) && save.record.ledger.length > 0
          ? { outcome: 'saved' }
          : parts.store.save(save, hook),
      ),
  },
  {
    name: 'calls-no-payment-failed',
    about: 'a payment that the gateway now calls failed counts as it did before',
    breaks: (parts) =>
      reading(parts, (rows) =>
        rows.filter(({ transactionStatus }) => transactionStatus !== 'FAILED'),
      ),
  },
  {
    name: 'believes-the-row-that-says-paid',
    about: 'a transaction that one answer calls both paid and failed is paid',
    breaks: (parts) =>
      reading(parts, (rows) =>
        rows.filter(
          (row) =>
            row.transactionStatus === 'SUCCESS' ||
            rows.every((one) => one.transactionId !== row.transactionId || one === row),
        ),
      ),
  },
  {
    name: 'takes-a-part-for-the-whole',
    about: 'an answer that lacks rows counts as one that has them all',
    breaks: (parts) =>
      atGateway(parts, ({ retrieveStatus }) => ({
        retrieveStatus: async (input) => {
          const { transactions } = await retrieveStatus(input);
          return { transactions };
        },
      })),
  },
  {
    name: 'withdraws-at-the-first-404',
    about: 'a link that the gateway does not know yet is not offered any more',
    breaks: (parts) => {
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
  },
  {
    name: 'accepts-what-was-asked-for',
    about: 'money that a person accepts counts as the amount of its link',
    breaks: (parts) =>
      saving(parts, (save, hook) => {
        const change = save.entry?.kind === 'change' ? save.entry.change : undefined;
        const attempt = change?.attempts.find(({ state }) => state === 'succeeded');
        const isAccepted = change?.reviews.some(({ resolvedBy }) => resolvedBy !== null) === true;
        if (attempt === undefined || !isAccepted) return parts.store.save(save, hook);
        const { amount } = attempt;
        const taken = { amount, capturedMinorUnits: amount.minorUnits };
        return parts.store.save(withPayment(save, taken), hook);
      }),
  },
  {
    name: 'accepts-twice',
    about: 'money that a person accepted can be accepted again',
    breaks: (parts) => readingStore(parts, asBeforeAccepting),
  },
  {
    name: 'checks-for-ever',
    about: 'a link whose checks are over is checked every day all the same',
    breaks: (parts) =>
      saving(parts, (save, hook) => {
        const checking = withAttempts(save, (one) => ({
          ...one,
          nextCheckAt:
            one.state === 'closed' ? (one.nextCheckAt ?? save.at + DAY_MS) : one.nextCheckAt,
        }));
        return parts.store.save(save.endsCheck === true ? checking : save, hook);
      }),
  },
];

/** A record in which a person's acceptance is not seen. */
function asBeforeAccepting(record: PaymentRecord): PaymentRecord {
  const accepted = record.reviews.filter(({ resolvedBy }) => resolvedBy !== null);
  const isAccepted = (transaction: string): boolean =>
    accepted.some(({ subject }) => subject === transaction);
  if (record.payment.state !== 'paid' || !isAccepted(record.payment.transactionId ?? '')) {
    return record;
  }
  return {
    ...record,
    payment: { ...record.payment, state: 'review' },
    ledger: record.ledger.map((row) =>
      isAccepted(row.transactionId) ? { ...row, kind: 'discrepancy' } : row,
    ),
    reviews: record.reviews.map((item) =>
      accepted.includes(item)
        ? { ...item, resolvedAt: null, resolution: null, resolvedBy: null }
        : item,
    ),
  };
}
