import type { TransactionId } from '../ids.ts';
import type { Money } from '../money.ts';
import { type Attempt, newAttempt } from './attempt.ts';
import { aboutAttempt, aboutTransaction, changeOf, Draft } from './draft.ts';
import {
  type Change,
  hasMoney,
  newPayment,
  type Operation,
  type Payment,
  type PaymentRecord,
  type ReviewReason,
  SENDING_TIMEOUT_MS,
} from './record.ts';
import {
  attemptsUnderWay,
  hasTooManyAttempts,
  type LinkRefusal,
  linkRefusalOf,
  nextNumber,
} from './link-decision.ts';
import { type MoneyDecision, newOperation, repeatOf } from './money-decision.ts';
import { refuse } from './refund.ts';
import { discrepancy, mayLackMoney, reasonOfPrice } from './reviews.ts';

/** A server-to-server sale as the merchant asks for it; nothing of the card is in it. */
export interface SaleTerms {
  readonly id: string;
  readonly requestId: string;
  readonly owner: string;
  /** The person who sells, where the caller says so. */
  readonly requestedBy: string | null;
  readonly auth: 'authorize' | 'capture';
  readonly recurring: boolean;
}

/** The decision about a sale. */
export type SaleDecision =
  | MoneyDecision
  | { readonly kind: 'refuse'; readonly code: LinkRefusal; readonly message: string };

const refusals: Readonly<Record<LinkRefusal, string>> = {
  already_paid: 'The order is paid already, or its amount is held.',
  in_review: 'The order’s payment is being reviewed by a person.',
  order_cancelled: 'The order was cancelled.',
  too_many_attempts: 'The order had 20 payment attempts. It takes others later.',
};

/**
 * Decides whether an order is charged by a sale. Pure. Of several calls, the one that commits the
 * change sends the sale.
 */
export function decideSale(
  record: PaymentRecord | null,
  order: { readonly orderId: string; readonly amount: Money },
  terms: SaleTerms,
  now: number,
): SaleDecision {
  const wanted = `sale ${terms.auth}${terms.recurring ? ' recurring' : ''}`;
  const former = record?.operations.find(({ id }) => id === terms.id);
  if (former !== undefined) return repeatOf(former, wanted);
  const payment = record?.payment ?? newPayment(order.orderId, order.amount, now);
  const attempts = record?.attempts ?? [];
  const code =
    linkRefusalOf({ payment, reviews: record?.reviews ?? [] }) ??
    (record !== null && mayLackMoney(record) ? 'in_review' : null) ??
    (hasTooManyAttempts(attempts, now) ? 'too_many_attempts' : null);
  if (code !== null) return { kind: 'refuse', code, message: refusals[code] };
  const creating = attemptsUnderWay(attempts, now);
  const isMoving = record?.operations.some(({ state }) => state === 'sending') === true;
  if (creating.isBusy || isMoving) {
    return refuse('operation_in_progress', 'This order is being paid in another way just now.');
  }
  const kind = terms.auth === 'authorize' ? 'authorization' : 'sale';
  const attempt = {
    ...newAttempt({ ...order, number: nextNumber(attempts), kind }, now),
    // If this process dies, the status check at this time finds the operation.
    nextCheckAt: now + SENDING_TIMEOUT_MS,
  };
  const about = {
    attemptNumber: attempt.number,
    transactionId: null,
    minorUnits: order.amount.minorUnits,
    baselineMinorUnits: 0,
  };
  const sold = { payment: { ...payment, amount: order.amount } };
  const operation = newOperation(sold, { ...terms, kind: 'sale', terms: wanted }, about, now);
  const change = changeOf(payment, [...creating.abandoned, attempt], {}, now);
  return { kind: 'send', operation, change: { ...change, operations: [operation] } };
}

/** What a sale's one answer says. */
export type SaleOutcome =
  | {
      /** `success` is confirmed by the status; `redirect` waits for the shopper. */
      readonly kind: 'success' | 'redirect';
      readonly transactionId: TransactionId;
      readonly reference: string | null;
      /** Charges the customer again, where the answer bears it. Encrypted. */
      readonly recurringToken: string | null;
    }
  | { readonly kind: 'declined' }
  /** Refused, or never sent: nothing moved. `isLost` where another payment has the sale's name. */
  | { readonly kind: 'failed' | 'unknown'; readonly reason: string; readonly isLost?: boolean };

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
