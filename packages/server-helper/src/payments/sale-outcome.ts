import type { TransactionId } from '../ids.ts';
import type { Money } from '../money.ts';
import type { Attempt } from './attempt.ts';
import { discrepancy, reasonOfPrice } from './discrepancy.ts';
import { Draft } from './draft.ts';
import { aboutAttempt, aboutTransaction } from './event.ts';
import type { Operation } from './operation.ts';
import { hasMoney, type Payment } from './payment.ts';
import type { Change, PaymentRecord, ReviewReason } from './payment-record.ts';
import type { SaleOutcome } from './sale-decision.ts';

/**
 * Records the only answer of a sale. The answer pays nothing: the status does. The answer decides
 * only that an amount is held, since the status may not show that.
 *
 * @param price - The order's price now; `null` where the merchant did not say it, absent where the
 * merchant was not asked.
 * @returns `null` when it changes nothing.
 */
export function recordSale(
  record: PaymentRecord,
  operationId: string,
  outcome: SaleOutcome,
  now: number,
  price?: Money | null,
): Change | null {
  const operation = record.operations.find(({ id }) => id === operationId);
  const attempt = record.attempts.find(({ number }) => number === operation?.attemptNumber);
  if (operation === undefined || attempt === undefined) return null;
  if (operation.state !== 'sending' && operation.state !== 'unknown') return null;
  const draft = new Draft(record, now);
  const about = { transactionId: null, operationId };
  // An answer that came after all ends what stopped the order.
  const isAnswer = outcome.kind !== 'unknown';
  if (isAnswer && isStoppedBy(record, operation)) draft.enter({ state: 'pending' });
  switch (outcome.kind) {
    case 'success':
    case 'redirect':
      openSale(draft, attempt, outcome, now);
      draft.putOperation(operation, 'pending', {
        reference: outcome.reference,
        transactionId: outcome.transactionId,
      });
      if (outcome.kind === 'success' && attempt.kind === 'authorization') {
        authorize(draft, attempt, operation, outcome.transactionId, price);
      }
      break;
    case 'declined':
      failSale(draft, attempt, operation, 'declined');
      if (hasMoney(draft.payment.state) || draft.payment.state === 'review') break;
      draft.enter({ state: 'failed', currentAttempt: attempt.number, amount: attempt.amount });
      draft.emit('failed', aboutAttempt(draft.operations, attempt));
      break;
    case 'failed':
      failSale(draft, attempt, operation, outcome.reason);
      if (isStoppedBy(record, operation)) draft.enter({ state: 'failed' });
      if (outcome.isLost === true)
        draft.reportReview(attempt.merchantOrderId, 'no_evidence', about);
      break;
    case 'unknown':
      loseSale(draft, attempt, operation, outcome.reason);
      break;
  }
  return draft.finish();
}

/**
 * Records that it is unknown whether the card was charged. Without a transaction the gateway cannot be
 * asked, so the order takes no other payment until a person has resolved the sale.
 */
export function loseSale(
  draft: Draft,
  attempt: Attempt,
  operation: Operation,
  reason: string,
): void {
  draft.putOperation(operation, 'unknown', { reason });
  draft.putAttempt(attempt.number, { state: 'lost', nextCheckAt: null });
  if (!hasMoney(draft.payment.state)) draft.enter({ state: 'review' });
  const about = { transactionId: null, operationId: operation.id };
  draft.reportReview(operation.id, 'unknown_outcome', about);
}

/**
 * What a person found out about a sale whose answer was lost. One that was made needs its
 * transaction, whose status decides like any other's.
 *
 * @returns `null` when that is missing.
 */
export function resolveSale(
  record: PaymentRecord,
  operation: Operation,
  found: {
    readonly kind: 'succeeded' | 'failed';
    readonly why: string;
    readonly by: string | null;
  },
  transactionId: TransactionId | null,
  now: number,
): Change | null {
  const attempt = record.attempts.find(({ number }) => number === operation.attemptNumber);
  if (attempt === undefined) return null;
  const draft = new Draft(record, now);
  const isStopped = isStoppedBy(record, operation);
  if (found.kind === 'failed') {
    failSale(draft, attempt, operation, found.why, found.by);
    const { state, currentAttempt } = record.payment;
    const isWaiting = state === 'pending' && currentAttempt === attempt.number;
    if (isStopped || isWaiting) draft.enter({ state: 'failed' });
    return draft.finish();
  }
  if (transactionId === null) return null;
  if (isStopped) draft.enter({ state: 'pending' });
  openSale(draft, attempt, { transactionId, recurringToken: null }, now);
  // A person does not say whether an amount is held: its capture or the status does.
  draft.putOperation(operation, 'pending', {
    transactionId,
    reason: found.why,
    resolvedBy: found.by,
  });
  return draft.finish();
}

/**
 * The sale's transaction is watched like a link, from now on. Its token waits in the payment: the row that
 * pays the order may not bear it.
 */
function openSale(
  draft: Draft,
  { number, amount }: Attempt,
  { transactionId, recurringToken }: Pick<Opened, 'transactionId' | 'recurringToken'>,
  now: number,
): void {
  draft.putAttempt(number, { state: 'open', transactionId, nextCheckAt: now });
  if (hasMoney(draft.payment.state) || draft.payment.state === 'review') return;
  draft.enter({ state: 'pending', amount, currentAttempt: number, recurringToken });
}

/** The token from the answer to a sale that is the order's current attempt. */
export const tokenOfSale = (payment: Payment, { kind, number }: Attempt): string | null =>
  kind !== 'link' && number === payment.currentAttempt ? payment.recurringToken : null;

/** The answer of a sale that is confirmed by its status. */
type Opened = Extract<SaleOutcome, { readonly transactionId: TransactionId }>;

/**
 * Records that the amount is held on the card. For an order that is paid already, it is a duplicate;
 * for a cancelled order, it came late and can only be voided. Where the order is in review or its
 * price has changed, a person decides.
 */
function authorize(
  draft: Draft,
  attempt: Attempt,
  operation: Operation,
  transactionId: TransactionId,
  price: Money | null | undefined,
): void {
  draft.putOperation({ ...operation, transactionId }, 'succeeded', { reason: 'accepted' });
  if (draft.rowOf(transactionId) !== undefined) return;
  const about = { ...aboutTransaction(transactionId), operationId: operation.id };
  const { state, cancelled } = draft.payment;
  const reason = reasonAgainst(draft, attempt, price);
  if (reason !== null) {
    const money = { transactionId, amount: attempt.amount, refundedMinorUnits: 0 };
    discrepancy(draft, attempt, { ...money, reason });
  } else if (state !== 'pending') {
    draft.bind(transactionId, 'duplicate', attempt);
    draft.askForReview(transactionId, 'duplicate_charge');
    draft.emit('duplicateCharge', about);
  } else if (cancelled) {
    draft.bind(transactionId, 'late', attempt);
    draft.enter({ state: 'paid_late', transactionId });
    draft.askForReview(transactionId, 'paid_late');
    draft.emit('paidLate', about);
  } else {
    draft.bind(transactionId, 'payment', attempt);
    draft.enter({ state: 'authorized', transactionId });
    draft.emit('authorized', about);
  }
}

/** Why a person must decide about an amount that is held. Late money ships nothing at any price. */
function reasonAgainst(
  { payment: { state, cancelled } }: Draft,
  { amount }: Attempt,
  price: Money | null | undefined,
): ReviewReason | null {
  if (state === 'review') return 'paid_in_review';
  return state !== 'pending' || cancelled ? null : reasonOfPrice(amount, price);
}

function failSale(
  draft: Draft,
  { number }: Attempt,
  operation: Operation,
  reason: string,
  resolvedBy: string | null = null,
): void {
  draft.putOperation(operation, 'failed', { reason, resolvedBy });
  draft.putAttempt(number, { state: 'closed', nextCheckAt: null });
}

/** Whether nothing but this sale's unknown outcome keeps the order from being paid. */
function isStoppedBy({ payment, reviews }: PaymentRecord, { id, state }: Operation): boolean {
  const isOnlyMatter = reviews.every(
    ({ subject, resolvedAt }) => subject === id || resolvedAt !== null,
  );
  return payment.state === 'review' && state === 'unknown' && isOnlyMatter;
}
