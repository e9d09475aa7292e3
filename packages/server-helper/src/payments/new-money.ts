import type { TransactionId } from '../ids.ts';
import { sameMoney } from '../money.ts';
import type { Attempt } from './attempt.ts';
import { takenOf } from './document.ts';
import { aboutTransaction, type Draft } from './draft.ts';
import type { Receipt } from './judge.ts';
import { hasMoney, type Payment, type ReviewReason } from './record.ts';
import { discrepancy, type PriceNow, reasonOfPrice } from './reviews.ts';
import { isLifeOver } from './watch.ts';

/**
 * Takes money that is new to us: it is the order's payment, more than that, late, or for a person.
 *
 * @param operationId - The sale whose answer says that the money is held.
 * @returns whether the money pays the order.
 */
export function takeNewMoney(
  draft: Draft,
  attempt: Attempt,
  receipt: Omit<Receipt, 'amountMinorUnits' | 'recurringToken'> & Partial<Receipt>,
  price: PriceNow,
  operationId?: string,
): boolean {
  const { transactionId } = receipt;
  const { state, amount } = draft.payment;
  if (hasMoney(state)) {
    takeTooMuch(draft, attempt, receipt, operationId);
    return false;
  }
  const reason = reasonAgainst(draft, attempt, receipt, price);
  if (reason !== null) {
    discrepancy(draft, attempt, { ...receipt, reason, amount: attempt.amount });
    return false;
  }
  const money = {
    transactionId,
    capturedMinorUnits: attempt.kind === 'authorization' ? 0 : amount.minorUnits,
    recurringToken: receipt.recurringToken ?? tokenOfSale(draft.payment, attempt),
  };
  if (isOver(draft.payment, attempt)) {
    takeLate(draft, attempt, money, operationId);
    return false;
  }
  draft.bind(transactionId, 'payment', attempt);
  pay(draft, attempt, money, operationId);
  return true;
}

/** What a transaction makes of a payment. */
type Taken = Partial<Payment> & { readonly transactionId: TransactionId };

/** Records money for an order that was given up: it ships once a person accepts it. */
export function takeLate(draft: Draft, attempt: Attempt, money: Taken, operationId?: string): void {
  const { transactionId } = money;
  draft.bind(transactionId, 'late', attempt);
  draft.enter({ state: 'paid_late', ...money });
  draft.askForReview(transactionId, 'paid_late');
  draft.emit('paidLate', { ...aboutTransaction(transactionId), operationId });
}

/** Makes the order paid, or its money held: by evidence, or by a person who accepts money. */
export function pay(draft: Draft, { kind }: Attempt, money: Taken, operationId?: string): void {
  const isHeld = kind === 'authorization';
  draft.enter({ state: isHeld ? 'authorized' : 'paid', ...money });
  const about = { ...aboutTransaction(money.transactionId), operationId };
  draft.emit(isHeld ? 'authorized' : 'paid', about);
}

/** Records money too much. Who let a hold run out is asked again once it is taken. */
export function takeTooMuch(
  draft: Draft,
  attempt: Attempt,
  money: Pick<Receipt, 'transactionId' | 'takenMinorUnits'> & Partial<Receipt>,
  operationId?: string,
): void {
  const { transactionId, refundedMinorUnits = 0, takenMinorUnits } = money;
  const row = draft.rowOf(transactionId);
  if (row !== undefined) {
    if (takenMinorUnits <= takenOf(draft.payment, row)) return;
    draft.putRow({ ...row, takenMinorUnits });
    const about = draft.reviews.find(({ subject }) => subject === transactionId);
    const reason = about?.reason ?? 'duplicate_charge';
    draft.reportReview(transactionId, reason, { transactionId }, { at: Infinity });
    return;
  }
  draft.bind(transactionId, 'duplicate', attempt, { refundedMinorUnits, takenMinorUnits });
  draft.askForReview(transactionId, 'duplicate_charge');
  draft.emit('duplicateCharge', { ...aboutTransaction(transactionId), operationId });
}

/** Why a person must decide about money for an order that has none. */
function reasonAgainst(
  { payment }: Draft,
  attempt: Attempt,
  { refundedMinorUnits }: Pick<Receipt, 'refundedMinorUnits'>,
  price: PriceNow,
): ReviewReason | null {
  if (refundedMinorUnits > 0) return 'refunded_before_confirmed';
  if (!sameMoney(attempt.amount, payment.amount)) return 'superseded_amount';
  if (payment.state === 'review') return 'paid_in_review';
  // Late money ships nothing, whatever the order costs now.
  return isOver(payment, attempt) ? null : reasonOfPrice(attempt.amount, price);
}

/** Money for an order that was cancelled, or has expired with its link, comes late. */
export const isOver = ({ cancelled, state, updatedAt: now }: Payment, attempt: Attempt): boolean =>
  cancelled || (state === 'expired' && isLifeOver(attempt, now));

/** The token from the answer to a sale that is the order's current attempt. */
export const tokenOfSale = (payment: Payment, { kind, number }: Attempt): string | null =>
  kind !== 'link' && number === payment.currentAttempt ? payment.recurringToken : null;
