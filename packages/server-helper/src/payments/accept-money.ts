import { transactionKey } from '../ids.ts';
import { decimalOf } from '../money.ts';
import { type Answer, goesBack, isDeclined, isKnown, isMoney, ofHeldMoney } from './answer.ts';
import type { Attempt } from './attempt.ts';
import { wentBackUntold } from './judge.ts';
import { endByEvidence, enterCaptured } from './operation-outcome.ts';
import { type Decision, type PriceNow, reasonOfPrice, reviewId } from './reviews.ts';
import { takenOf } from './document.ts';
import { aboutTransaction, Draft } from './draft.ts';
import {
  attemptOf,
  type Change,
  hasMoney,
  isOutstanding,
  type LedgerRow,
  type Operation,
  type PaymentRecord,
  type ReviewReason,
} from './record.ts';
import { type Refusal, refundedOf, refuse } from './refund.ts';
import { pay, tokenOfSale } from './new-money.ts';
import { attemptSucceeded } from './transition.ts';

/** The decision about money that a person accepts for its order. */
export type Acceptance =
  | { readonly kind: 'accept'; readonly change: Change }
  /** It was accepted before. */
  | { readonly kind: 'repeat' }
  /** Commit the change, a review of what the person has not seen yet, and accept nothing. */
  | { readonly kind: 'stop'; readonly change: Change }
  | Refusal;

/** Reviews of money that can never be the order's. */
const neverAccepted: ReadonlySet<ReviewReason> = new Set([
  'currency_mismatch',
  'duplicate_charge',
  'order_mismatch',
  'transaction_of_another_order',
]);

/** A review item by its id, the money that it is about, and the attempt that the money came by. */
export function moneyOfReview(record: PaymentRecord, id: string) {
  const item = record.reviews.find((one) => reviewId(one) === id);
  const row = record.ledger.find(({ transactionId }) => transactionId === item?.subject);
  return { item, row, attempt: attemptOf(record, row?.attemptNumber) };
}

/**
 * Makes the money of a review the order's payment, by the amount that came, as a person decides.
 *
 * @param price - One that no review of this money mentions stops the acceptance.
 */
export function acceptMoney(
  record: PaymentRecord,
  { id, why, by }: Decision,
  price: PriceNow,
  now: number,
): Acceptance {
  const { item, row, attempt } = moneyOfReview(record, id);
  if (item === undefined || (item.resolvedAt !== null && row?.kind !== 'payment')) {
    return refuse('not_found_in_store', 'There is no open review item of this id.');
  }
  if (item.resolvedAt !== null) return { kind: 'repeat' };
  if (row === undefined || attempt === undefined) {
    return refuse('wrong_state', `A review of ${item.reason} has no money to accept.`);
  }
  const refusal = refusalToAccept(record, row, attempt, price);
  if (refusal !== null) return refusal;
  const draft = new Draft(record, now);
  const { transactionId } = row;
  const reason = reasonOfPrice(record.payment.amount, price);
  const isNews = reason !== null && draft.reportReview(transactionId, reason, { transactionId });
  if (!isNews) {
    enterAccepted(draft, row, attempt);
    for (const one of record.reviews.filter(({ subject }) => subject === transactionId)) {
      draft.resolveReview(one.reason, one.subject, why, by);
    }
  }
  const change = draft.finish();
  if (change === null) return { kind: 'repeat' };
  return { kind: isNews ? 'stop' : 'accept', change };
}

function refusalToAccept(
  { payment, reviews, operations }: PaymentRecord,
  row: LedgerRow,
  attempt: Attempt,
  price: PriceNow,
): Refusal | null {
  const { transactionId, kind, amount } = row;
  const isLate = kind === 'late' && payment.state === 'paid_late';
  if (!isLate && (hasMoney(payment.state) || kind !== 'discrepancy')) {
    const words = `The order is ${payment.state}. Refund money beside its payment.`;
    return refuse('already_paid', words);
  }
  const never = reviews.find(
    ({ subject, reason }) => subject === transactionId && neverAccepted.has(reason),
  );
  const isForeign = ![payment.amount.currency, price?.currency].includes(amount.currency);
  if (never !== undefined || isForeign) {
    const reason = never?.reason ?? 'currency_mismatch';
    return refuse('wrong_state', `Money with the review ${reason} cannot be accepted.`);
  }
  const movesBack = ({ kind: of }: Operation): boolean => of === 'refund' || of === 'void';
  const own = operations.filter((one) => movesBack(one) && one.transactionId === transactionId);
  if (own.some((one) => one.state === 'proposed' || isOutstanding(one))) {
    const words =
      'A refund or a void of this money is under way or waits for approval, or its outcome is unknown. End it first.';
    return refuse('operation_in_progress', words);
  }
  const refunded = refundedOf(operations, row);
  const taken = takenOf(payment, row);
  const came = taken || amount.minorUnits;
  // A hold that no authorization of ours asked for pays nothing before it is taken.
  const isHeld = taken === 0 && attempt.kind !== 'authorization' && came > refunded;
  if (came > refunded && !isHeld) return null;
  const left = `${decimalOf(refunded)} of ${decimalOf(came)}`;
  const words = isHeld
    ? 'The gateway says that this money is only held, or was released: void it.'
    : `Nothing is left to accept: ${left} is refunded, or it is not known how much came.`;
  return refuse('wrong_state', words);
}

/**
 * Why the gateway's answer of this moment keeps the money of a review from being accepted; `null` where
 * the answer shows the money. The status may not show an amount that is held.
 */
export function deniedBy(
  record: PaymentRecord,
  { id }: Pick<Decision, 'id'>,
  answer: Answer | null,
): Refusal | null {
  const { row: money, attempt } = moneyOfReview(record, id);
  const subject = transactionKey(money?.transactionId ?? '');
  const rows = ofHeldMoney(answer?.rows ?? [], attempt);
  const own = rows.filter((row) => transactionKey(row.transactionId) === subject);
  const taken = money === undefined ? 0 : takenOf(record.payment, money);
  const mayBeHeld = attempt?.kind === 'authorization' && taken === 0;
  const isDenied =
    wentBackUntold(rows, attempt, taken) ||
    (mayBeHeld && rows.some(goesBack)) ||
    own.some((row) => row.refundStatus === 'FULL' || (isDeclined(row) && !own.some(isMoney)));
  if (isDenied) {
    return refuse('wrong_state', 'The gateway says now that this money failed or was refunded.');
  }
  // What was taken shows.
  const isHeld = mayBeHeld && answer !== null && isKnown(answer);
  return own.some(isMoney) || isHeld
    ? null
    : refuse('not_confirmed', 'The gateway did not show this money just now. Try again later.');
}

/** What happened to the money before, and is reported again of the order that it pays by now. */
const ACCEPTED = 'accepted';

/** The order is not cancelled any more: a person took its money. */
function enterAccepted(draft: Draft, row: LedgerRow, attempt: Attempt): void {
  const { transactionId, amount, refundedMinorUnits, takenMinorUnits } = row;
  const isHeld = attempt.kind === 'authorization';
  const { capturedMinorUnits, recurringToken } = draft.payment;
  const isLate = draft.payment.transactionId === transactionId;
  // What went back was taken before.
  const wasTaken = takenMinorUnits ?? (refundedMinorUnits > 0 ? amount.minorUnits : 0);
  const taken = isLate ? capturedMinorUnits : wasTaken;
  draft.putRow({ ...row, kind: 'payment' });
  pay(draft, attempt, {
    transactionId,
    amount,
    currentAttempt: attempt.number,
    cancelled: false,
    capturedMinorUnits: isHeld ? 0 : amount.minorUnits,
    refundedMinorUnits: 0,
    // The card of another sale did not pay.
    recurringToken: isLate ? recurringToken : tokenOfSale(draft.payment, attempt),
  });
  if (isHeld && taken > 0) enterCaptured(draft, transactionId, taken, undefined, ACCEPTED);
  if (refundedMinorUnits > 0) {
    draft.enter({ state: 'partially_refunded', refundedMinorUnits });
    draft.emit('refunded', { ...aboutTransaction(transactionId), again: ACCEPTED });
  }
  attemptSucceeded(draft, attempt);
  endByEvidence(draft, attempt, 'sale', 'succeeded');
}
