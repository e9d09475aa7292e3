import { transactionId, type TransactionId } from '../ids.ts';
import { CHECK_SOON_MS, newAttempt, type Attempt } from './attempt.ts';
import type { Draft } from './draft.ts';
import { nextNumber } from './link-decision.ts';
import type { Operation } from './operation.ts';
import type { PaymentRecord } from './payment-record.ts';

/**
 * The id in the ledger of a charge whose transaction is not known: its operation's. Transactions compare
 * without case and operations do not, so capitals are marked.
 */
export const namelessCharge = (operationId: string): TransactionId =>
  transactionId(operationId.replaceAll(/[A-Z]/g, (letter) => `^${letter}`));

/**
 * Records a recurring charge that was made, beside what pays the order. Where the gateway named the
 * charge's own transaction, an attempt watches it; the specification shows no such name (§4.7), and
 * without one the ledger's row has the operation's id.
 *
 * @param named - The transaction in the gateway's answer, if any.
 * @returns the charge's own transaction, if it is known.
 */
export function recordCharge(
  draft: Draft,
  { attempts }: PaymentRecord,
  operation: Operation,
  named: TransactionId | null,
  now: number,
): TransactionId | null {
  const origin = attempts.find(({ number }) => number === operation.attemptNumber);
  if (origin === undefined) return null;
  const { id, orderId, amount } = operation;
  // A gateway may name the first payment's transaction, which is not the charge's own.
  const own = named === null || draft.rowOf(named) !== undefined ? null : named;
  if (own === null) {
    draft.bind(namelessCharge(id), 'charge', origin, amount);
  } else {
    const attempt: Attempt = {
      ...newAttempt({ orderId, number: nextNumber(attempts), kind: 'charge', amount }, now),
      state: 'succeeded',
      transactionId: own,
      nextCheckAt: now + CHECK_SOON_MS,
    };
    draft.addAttempt(attempt);
    draft.bind(own, 'charge', attempt, amount);
  }
  draft.emit('charged', {
    subject: id,
    transactionId: own ?? operation.transactionId,
    reason: null,
    operationId: id,
    amountMinorUnits: amount.minorUnits,
  });
  return own;
}
