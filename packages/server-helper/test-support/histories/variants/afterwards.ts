import { GatewayError } from '../../../src/gateway/gateway-error.ts';
import { withdrawLink } from '../../../src/payments/link-decision.ts';
import { saveChange } from '../../save-change.ts';
import {
  atGateway,
  isHint,
  reading,
  remembering,
  saving,
  type Variants,
  withAttempts,
  withPayment,
} from './parts.ts';

const DAY_MS = 86_400_000;

/** Mistakes around a payment and after it. */
export const afterwards: Variants = {
  // Money pays an order at the price of its link, whatever the order costs since.
  'asks-no-price-again': (parts) => ({ ...parts, recheckOrder: false }),

  // A link that was paid is not checked any more.
  'forgets-what-is-paid': (parts) =>
    saving(parts, (save, hook) => {
      const forgetting = withAttempts(save, (one) =>
        one.state === 'succeeded' ? { ...one, nextCheckAt: null } : one,
      );
      return parts.store.save(save.endsCheck === true ? forgetting : save, hook);
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
    saving(parts, (save, hook) => {
      const change = save.entry?.kind === 'change' ? save.entry.change : undefined;
      const attempt = change?.attempts.find(({ state }) => state === 'succeeded');
      const isAccepted = change?.reviews.some(({ resolvedBy }) => resolvedBy !== null) === true;
      if (attempt === undefined || !isAccepted) return parts.store.save(save, hook);
      const { amount } = attempt;
      const taken = { amount, capturedMinorUnits: amount.minorUnits };
      return parts.store.save(withPayment(save, taken), hook);
    }),

  // A link whose checks are over is checked every day all the same.
  'checks-for-ever': (parts) =>
    saving(parts, (save, hook) => {
      const checking = withAttempts(save, (one) => ({
        ...one,
        nextCheckAt:
          one.state === 'closed' ? (one.nextCheckAt ?? save.at + DAY_MS) : one.nextCheckAt,
      }));
      return parts.store.save(save.endsCheck === true ? checking : save, hook);
    }),
};
