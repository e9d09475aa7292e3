import { type TransactionId, transactionKey } from '../ids.ts';
import { type Money, sameMoney } from '../money.ts';
import { type Attempt, newAttempt } from './attempt.ts';
import { aboutAttempt, Draft, emptyRecord } from './draft.ts';
import {
  attemptOf,
  BY_EVIDENCE,
  type Change,
  hasMoney,
  type Operation,
  operationOf,
  type Payment,
  type PaymentRecord,
  type ReviewItem,
} from './record.ts';
import {
  attemptsUnderWay,
  hasTooManyAttempts,
  linkRefusalOf,
  linkRefusals,
  nextNumber,
} from './link-decision.ts';
import { type MoneyDecision, newOperation, repeatOf, send } from './money-decision.ts';
import { type Asked, refuse } from './refund.ts';
import { takeNewMoney } from './new-money.ts';
import { mayLackMoney, ofAnswers } from './reviews.ts';

/** A server-to-server sale as the merchant asks for it; nothing of the card is in it. */
export interface SaleTerms extends Asked {
  readonly auth: 'authorize' | 'capture';
  readonly recurring: boolean;
}

/** Decides whether an order is charged by a sale. Pure. Of several calls, the one that commits sends. */
export function decideSale(
  stored: PaymentRecord | null,
  order: { readonly orderId: string; readonly amount: Money },
  terms: SaleTerms,
  now: number,
): MoneyDecision {
  const wanted = `sale ${terms.auth}${terms.recurring ? ' recurring' : ''}`;
  const record = stored ?? emptyRecord(order.orderId, order.amount, now);
  const { attempts, operations } = record;
  const former = operationOf(record, terms.id);
  if (former !== undefined) return repeatOf(former, wanted);
  const code =
    linkRefusalOf(record) ??
    (mayLackMoney(record) ? 'in_review' : null) ??
    (hasTooManyAttempts(attempts, now) ? 'too_many_attempts' : null);
  if (code !== null) return refuse(code, linkRefusals[code]);
  const creating = attemptsUnderWay(attempts, now);
  if (creating.isBusy || operations.some(({ state }) => state === 'sending')) {
    return refuse('operation_in_progress', 'This order is being paid in another way just now.');
  }
  const kind = terms.auth === 'authorize' ? 'authorization' : 'sale';
  const attempt = newAttempt({ ...order, number: nextNumber(attempts), kind }, now);
  const limits = { limitMinorUnits: order.amount.minorUnits, baselineMinorUnits: 0 };
  const target = { attempt, amount: order.amount, transactionId: null, ...limits };
  const operation = newOperation({ ...terms, kind: 'sale' }, wanted, target, now);
  return send(record, target, operation, now, creating.abandoned);
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
      /** Marks of the API keys by which it was made. */
      readonly keys?: readonly string[];
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
 */
export function recordSale(
  record: PaymentRecord,
  operationId: string,
  outcome: SaleOutcome,
  now: number,
  price?: Money | null,
): Change | null {
  const operation = operationOf(record, operationId);
  const attempt = attemptOf(record, operation?.attemptNumber);
  if (operation === undefined || attempt === undefined) return null;
  const { state, reason: said, transactionId: known } = operation;
  // A process that stood still may get it after a person called the sale failed, or named another transaction.
  const isNews =
    'transactionId' in outcome &&
    ((state === 'failed' && said !== BY_EVIDENCE) ||
      transactionKey(known ?? outcome.transactionId) !== transactionKey(outcome.transactionId));
  if (state !== 'sending' && state !== 'unknown' && !isNews) return null;
  const draft = new Draft(record, now);
  const isStopped = isStoppedBy(record, operation);
  // An answer that came after all ends what stopped the order.
  if (isStopped && outcome.kind !== 'unknown') draft.enter({ state: 'pending' });
  switch (outcome.kind) {
    case 'success':
    case 'redirect': {
      const { transactionId, reference, recurringToken, keys = [] } = outcome;
      const reason = outcome.kind === 'success' ? 'accepted' : null;
      openSale(draft, attempt, operation, { transactionId, reference, reason }, recurringToken);
      if (keys.length > 0) draft.putAttempt(attempt.number, { keys });
      if (outcome.kind === 'success' && attempt.kind === 'authorization') {
        draft.putOperation({ ...operation, transactionId }, 'succeeded', { reason: 'accepted' });
        const held = { transactionId, refundedMinorUnits: 0, takenMinorUnits: 0 };
        if (draft.rowOf(transactionId) === undefined)
          takeNewMoney(draft, attempt, held, price, operationId);
      }
      break;
    }
    case 'declined':
      failSale(draft, attempt, operation, 'declined');
      if (isDecided(draft.payment)) break;
      enterAfterDecline(draft, attempt);
      draft.emit('failed', aboutAttempt(draft.operations, attempt));
      break;
    case 'failed':
      failSale(draft, attempt, operation, outcome.reason);
      if (isStopped) draft.enter({ state: 'failed' });
      if (outcome.isLost === true) {
        const about = { transactionId: null, operationId };
        draft.reportReview(attempt.merchantOrderId, 'no_evidence', about);
      }
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
export function loseSale(draft: Draft, attempt: Attempt, operation: Operation, reason: string) {
  draft.putAttempt(attempt.number, { state: 'lost', nextCheckAt: null });
  if (!hasMoney(draft.payment.state)) draft.enter({ state: 'review' });
  draft.putOperation(operation, 'unknown', { reason });
}

/**
 * What a person found out about a sale whose answer was lost. One that was made needs its
 * transaction, whose status decides like any other's.
 */
export function resolveSale(
  record: PaymentRecord,
  operation: Operation,
  found: Readonly<{ kind: 'succeeded' | 'failed'; reason: string; by: string | null }>,
  transactionId: TransactionId | null,
  now: number,
): Change | null {
  const attempt = attemptOf(record, operation.attemptNumber);
  if (attempt === undefined) return null;
  const draft = new Draft(record, now);
  const isStopped = isStoppedBy(record, operation);
  if (found.kind === 'failed') {
    failSale(draft, attempt, operation, found.reason, found.by);
    const { state, currentAttempt } = record.payment;
    if (state === 'pending' && currentAttempt === attempt.number) enterAfterDecline(draft, attempt);
    else if (isStopped) draft.enter({ state: 'failed' });
    return draft.finish();
  }
  if (transactionId === null) return null;
  if (isStopped) draft.enter({ state: 'pending' });
  // A person does not say whether an amount is held: its capture or the status does.
  const next = { transactionId, reason: found.reason, resolvedBy: found.by };
  openSale(draft, attempt, operation, next, null);
  return draft.finish();
}

/** Whether money was accepted for the order, or a person must decide about it. */
const isDecided = ({ state }: Payment): boolean => hasMoney(state) || state === 'review';

/** The sale's transaction is watched from now on. Its token waits: the paying row may lack it. */
function openSale(
  draft: Draft,
  { number, amount }: Attempt,
  operation: Operation,
  next: Partial<Operation> & { readonly transactionId: TransactionId },
  recurringToken: string | null,
): void {
  const { transactionId } = next;
  draft.putAttempt(number, { state: 'open', transactionId, nextCheckAt: draft.now });
  draft.putOperation(operation, 'pending', next);
  if (isDecided(draft.payment) || draft.payment.currentAttempt > number) return;
  draft.enter({ state: 'pending', amount, currentAttempt: number, recurringToken });
}

function failSale(
  draft: Draft,
  { number, transactionId }: Attempt,
  operation: Operation,
  reason: string,
  resolvedBy: string | null = null,
): void {
  draft.putOperation(operation, 'failed', { reason, resolvedBy });
  // A shopper may still pass the challenge of what has a transaction.
  if (transactionId !== null) draft.putAttempt(number, { nextCheckAt: draft.now });
  else draft.putAttempt(number, { state: 'closed', nextCheckAt: null });
}

/**
 * An order whose current attempt was declined. A link of the same amount that lives beside a declined sale is the
 * order's again: it is offered, and its end expires the order, unless that has expired already.
 */
export function enterAfterDecline(draft: Draft, attempt: Attempt): void {
  const { payment, attempts } = draft.before;
  const isSale = attempt.kind !== 'link' && payment.state !== 'expired';
  const link = attempts.findLast(
    ({ state, sessionId, expiresAt, amount }) =>
      state === 'open' &&
      sessionId !== null &&
      draft.now < expiresAt &&
      sameMoney(amount, attempt.amount),
  );
  const { number } = (isSale ? link : undefined) ?? attempt;
  draft.enter({ state: 'failed', currentAttempt: number, amount: attempt.amount });
}

/** Whether nothing but this sale's unknown outcome keeps the order from being paid. */
function isStoppedBy({ payment, reviews }: PaymentRecord, { id, state }: Operation): boolean {
  // Beside money that a person looked at and did not reopen the order for, nothing more is paid.
  const isOver = ({ reason, resolvedAt, resolution }: ReviewItem): boolean =>
    resolvedAt !== null &&
    (payment.reopens ||
      resolution === BY_EVIDENCE ||
      reason === 'unknown_outcome' ||
      ofAnswers.has(reason));
  const isOnlyMatter = reviews.every((item) => item.subject === id || isOver(item));
  return payment.state === 'review' && state === 'unknown' && isOnlyMatter;
}
