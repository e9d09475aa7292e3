import { sameMoney, type Money } from '../money.ts';
import type { Attempt } from './attempt.ts';
import { BY_EVIDENCE, type Draft } from './draft.ts';
import type { Discrepancy } from './judge.ts';
import type { LedgerRow, ReviewReason } from './payment-record.ts';
import { hasMoney } from './payment.ts';

/**
 * Records money that a person must review, by the amount that came; an amount that is not known for
 * certain is recorded as zero, and can be neither accepted nor refunded. A discrepancy stops an
 * unpaid order. A paid order stays paid and gets a review item.
 */
export function discrepancy(
  draft: Draft,
  attempt: Attempt,
  { transactionId, reason, amount, refundedMinorUnits }: Discrepancy,
): void {
  if (!draft.reportReview(transactionId, reason, { transactionId })) return;
  const isKnown = draft.rowOf(transactionId) !== undefined;
  if (!isKnown && reason !== 'transaction_of_another_order') {
    const came = amount ?? { ...attempt.amount, minorUnits: 0 };
    draft.bind(transactionId, 'discrepancy', attempt, came, refundedMinorUnits);
  }
  // Who asked to reopen the order before did not know of this money.
  if (!hasMoney(draft.payment.state)) draft.enter({ state: 'review', reopens: false });
}

/**
 * The review that the order's price now demands of money.
 *
 * @param price - `null` for no such order, `undefined` where the merchant was not asked.
 * @returns `null` where the price contradicts nothing.
 */
export function reasonOfPrice(
  amount: Money,
  price: Money | null | undefined,
): 'order_changed' | 'order_missing' | null {
  if (price === undefined) return null;
  if (price === null) return 'order_missing';
  return sameMoney(amount, price) ? null : 'order_changed';
}

/** Reviews of money, which end when all of that money is refunded. */
const endedByRefund: readonly ReviewReason[] = [
  'amount_mismatch',
  'currency_mismatch',
  'duplicate_charge',
  'order_changed',
  'order_mismatch',
  'order_missing',
  'paid_in_review',
  'paid_late',
  'payment_contradiction',
  'refunded_before_confirmed',
  'superseded_amount',
  'unattributed_payment',
];

/** Ends the reviews of money of which nothing is left. */
export function endReviewsOf(draft: Draft, { transactionId }: LedgerRow): void {
  for (const reason of endedByRefund) draft.resolveReview(reason, transactionId, BY_EVIDENCE);
}

/** Reviews of a link's answers, which leave the order as it is. */
export const ofAnswers: ReadonlySet<ReviewReason> = new Set([
  'incomplete_answer',
  'no_evidence',
  'unreadable_answer',
]);

/**
 * Lets an order be paid again when its last review is over and a person asked for that, or evidence has
 * ended all that had stopped it. Where a person had resolved one of these, it is for a person to ask.
 */
export function reopenWhenOver(draft: Draft): void {
  const { state, reopens } = draft.payment;
  if (state !== 'review' || draft.hasOpenReview) return;
  const stopping = draft.reviews.filter(
    ({ reason }) => !ofAnswers.has(reason) && reason !== 'unknown_outcome',
  );
  const isEnded = stopping.every(({ resolution }) => resolution === BY_EVIDENCE);
  if (reopens || (stopping.length > 0 && isEnded)) draft.enter({ state: 'failed' });
}
