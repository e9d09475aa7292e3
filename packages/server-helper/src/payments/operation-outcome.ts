import type { TransactionId } from '../ids.ts';
import { decimalOf, parseAmount } from '../money.ts';
import { type Attempt, CHECK_SOON_MS, isAskable } from './attempt.ts';
import { endReviewsOf, reopenWhenOver } from './reviews.ts';
import { isOver, takeLate, takeTooMuch } from './new-money.ts';
import { takenOf } from './document.ts';
import { aboutTransaction, Draft } from './draft.ts';
import {
  attemptOf,
  awaitsEvidence,
  begunAt,
  BY_EVIDENCE,
  type Change,
  hasMoney,
  isOutstanding,
  type Operation,
  type OperationKind,
  operationOf,
  type PaymentRecord,
  SENDING_TIMEOUT_MS,
} from './record.ts';
import { moveRefund, recordCharge } from './refund.ts';
import { loseSale } from './sale.ts';
import { type Receipt, refundedIn } from './judge.ts';
import { type EvidenceRow, isMoney, statusRow, wentBackIn } from './answer.ts';

/** The outcome of a money operation, from its answer or from a person. */
export type OperationOutcome =
  /** Accepted by the gateway; a refund has not succeeded by that. */
  | {
      readonly kind: 'accepted';
      readonly reference: string | null;
      /** The transaction that a recurring charge made, where the gateway names it. */
      readonly transactionId?: TransactionId | undefined;
    }
  | {
      readonly kind: 'succeeded' | 'failed' | 'unknown';
      readonly reason: string;
      /** The person who found it out. */
      readonly by?: string | null;
      /** What the gateway shows of the money then, and whether a review said before that it went back. */
      readonly rows?: readonly EvidenceRow[] | undefined;
      readonly isDoubted?: boolean;
    };

/**
 * Records the outcome of an operation, and what follows for the payment. One that succeeded changes no more. One
 * that was called failed may have been sent by a process that stood still: the gateway's acceptance counts then.
 */
export function recordOutcome(
  record: PaymentRecord,
  operationId: string,
  outcome: OperationOutcome,
  now: number,
): Change | null {
  const operation = operationOf(record, operationId);
  if (operation === undefined || operation.state === 'succeeded') return null;
  if (operation.state === 'failed' && outcome.kind !== 'accepted') return null;
  if (outcome.kind === 'unknown' && operation.state !== 'sending') return null;
  const draft = new Draft(record, now);
  let because: Change['because'];
  if (outcome.kind === 'accepted') accept(draft, operation, outcome);
  else {
    const { kind, reason, by: resolvedBy = null, rows = [], isDoubted = false } = outcome;
    draft.putOperation(operation, kind, { reason, resolvedBy });
    const isGone = hasGoneBack(draft, operation, rows);
    const isMade = kind === 'succeeded' && !isDoubted && !isContradicted(draft, operation);
    if (kind === 'succeeded' && isGone) because = takeBack(draft, operation, rows);
    else if (isMade) takeEffect(draft, operation);
  }
  checkSoon(draft, operation);
  reopenWhenOver(draft);
  const change = draft.finish();
  return change && because ? { ...change, because } : change;
}

/** Takes over the gateway's acceptance, which may come after the operation was marked as interrupted. */
function accept(
  draft: Draft,
  operation: Operation,
  { reference, transactionId: named }: Extract<OperationOutcome, { readonly kind: 'accepted' }>,
): void {
  const next = { reference, resolvedBy: null };
  if (isContradicted(draft, operation)) {
    draft.putOperation(operation, 'unknown', { ...next, reason: 'contradicting_words' });
    return;
  }
  const transactionId = takeEffect(draft, operation, named) ?? operation.transactionId;
  const state = operation.kind === 'refund' ? 'pending' : 'succeeded';
  draft.putOperation(operation, state, { ...next, reason: null, transactionId });
}

/** Marks the operations that a dead process left: it is unknown whether each was sent. */
export function recoverOperations(record: PaymentRecord, now: number): Change | null {
  const sending = record.operations.filter(({ state }) => state === 'sending');
  const abandoned = sending.filter((one) => Math.abs(now - begunAt(one)) >= SENDING_TIMEOUT_MS);
  if (abandoned.length === 0) return null;
  const draft = new Draft(record, now);
  for (const operation of abandoned) {
    const attempt = attemptOf(record, operation.attemptNumber);
    if (operation.kind === 'sale' && attempt !== undefined) {
      loseSale(draft, attempt, operation, 'interrupted');
    } else {
      draft.putOperation(operation, 'unknown', { reason: 'interrupted' });
      checkSoon(draft, operation);
    }
  }
  return draft.finish();
}

/** An accepted operation that no status shows after this long needs a person. */
const PROOF_TIMEOUT_MS = 48 * 3_600_000;

/** Reviews the operations on an attempt that the gateway accepted and that its status never showed. */
export function reviewUnproven(
  record: PaymentRecord,
  attemptNumber: number,
  now: number,
): Change | null {
  const draft = new Draft(record, now);
  for (const operation of record.operations) {
    // What was sent in the future was sent by a clock that ran ahead.
    const age = Math.abs(now - begunAt(operation));
    const isOverdue = operation.state === 'pending' && age >= PROOF_TIMEOUT_MS;
    const isOwn = operation.attemptNumber === attemptNumber && operation.kind !== 'sale';
    if (isOverdue && isOwn) draft.putOperation(operation, 'unknown', { reason: 'no_evidence' });
  }
  return draft.finish();
}

/**
 * What the gateway did at once shows at once; a refund moves the payment by evidence only.
 *
 * @returns the transaction that a recurring charge made, if it is known.
 */
function takeEffect(
  draft: Draft,
  operation: Operation,
  named: TransactionId | null = null,
): TransactionId | null {
  const { kind } = operation;
  if (kind === 'recurring') return recordCharge(draft, operation, named);
  if (kind === 'capture' || kind === 'void') moveHeld(draft, operation);
  return null;
}

/** Whether a capture was accepted of released or refunded money, or a void of captured money. */
function isContradicted(draft: Draft, operation: Operation): boolean {
  if (operation.kind === 'void') return isTaken(draft, operation);
  const isOfOrder = operation.kind === 'capture' && isBase(draft, operation);
  return isOfOrder && (draft.payment.state === 'voided' || reviewSaysRefunded(draft, operation));
}

/** Whether an open review says that as much as a capture took was refunded. */
export const reviewSaysRefunded = (
  { reviews }: Pick<PaymentRecord, 'reviews'>,
  { kind, transactionId, amount }: Operation,
): boolean =>
  reviews.some(({ reason, subject, said, resolvedAt }) => {
    const isOwn = reason === 'refund_contradiction' && subject === transactionId;
    const isGone = said && (parseAmount(said) ?? Infinity) >= amount.minorUnits;
    return kind === 'capture' && resolvedAt === null && isOwn && isGone;
  });

/** The order's capture of which all went back is over, and ships nothing. @returns the evidence. */
function takeBack(draft: Draft, operation: Operation, rows: readonly EvidenceRow[]) {
  const { transactionId, attemptNumber, amount } = operation;
  const attempt = attemptOf(draft.before, attemptNumber);
  const row = transactionId === null ? undefined : draft.rowOf(transactionId);
  const isHeld = isBase(draft, operation) && draft.payment.state === 'authorized';
  const isShown = rows.some((one) => isMoney(one) && one.transactionId === transactionId);
  if (!isHeld || !isShown || attempt === undefined || row === undefined) return undefined;
  const amountMinorUnits = amount.minorUnits;
  draft.enter({ state: 'captured', capturedMinorUnits: amountMinorUnits });
  moveRefund(draft, attempt, { amountMinorUnits, refundedMinorUnits: amountMinorUnits }, row);
  return { attemptNumber, rows: rows.map(statusRow) };
}

/** Whether rows show that as much as a capture took has gone back since. */
function hasGoneBack(
  { before }: Draft,
  { kind, attemptNumber, amount: { minorUnits } }: Operation,
  rows: readonly EvidenceRow[],
): boolean {
  const back = wentBackIn(rows, attemptOf(before, attemptNumber), minorUnits);
  const isAll = rows.some(({ refundStatus }) => refundStatus === 'FULL');
  return kind === 'capture' && (isAll || Math.max(back, refundedIn(rows)) >= minorUnits);
}

function isTaken(draft: Draft, { transactionId }: Operation): boolean {
  const row = transactionId === null ? undefined : draft.rowOf(transactionId);
  return row !== undefined && takenOf(draft.payment, row) > 0;
}

/** Takes or releases the money that an authorization holds. */
function moveHeld(draft: Draft, operation: Operation): void {
  const { kind, transactionId, id: operationId } = operation;
  const takenMinorUnits = operation.amount.minorUnits;
  const { capturedMinorUnits, state, currentAttempt } = draft.payment;
  if (transactionId === null) return;
  const attempt = attemptOf(draft.before, operation.attemptNumber);
  const isNew = draft.rowOf(transactionId) === undefined;
  // Another transaction may pay the order by now, or it is to be paid by another attempt, of another amount.
  const isElsewhere = hasMoney(state) || currentAttempt !== operation.attemptNumber;
  if (!isBase(draft, operation) && (isElsewhere || !isNew)) {
    if (kind === 'void' && !isTaken(draft, operation)) endReviewsOf(draft, transactionId);
    if (kind === 'capture' && attempt !== undefined)
      takeTooMuch(draft, attempt, { transactionId, takenMinorUnits }, operationId);
    return;
  }
  // Evidence may have been faster.
  if (kind === 'void' ? state === 'voided' : capturedMinorUnits > 0) return;
  // An authorization after a challenge may show itself by its capture or void first.
  if (attempt !== undefined && isNew) {
    if (kind === 'capture' && isOver(draft.payment, attempt))
      takeLate(draft, attempt, { transactionId, capturedMinorUnits: 0 }, operationId);
    else draft.bind(transactionId, 'payment', attempt);
    draft.enter({ transactionId });
  }
  if (!isBase(draft, operation)) return;
  if (kind === 'void') enterVoided(draft, transactionId, operation);
  else enterCaptured(draft, transactionId, takenMinorUnits, operation);
}

/** Whether the operation's own transaction pays the order. */
const isBase = ({ payment }: Draft, { transactionId }: Operation): boolean =>
  payment.transactionId === transactionId;

/** Plans a status check soon, while evidence may show the operation. */
function checkSoon(draft: Draft, { id, attemptNumber }: Operation): void {
  const after = draft.operations.find((one) => one.id === id);
  const attempt = attemptOf(draft.before, attemptNumber);
  if (after === undefined || !awaitsEvidence(after)) return;
  if (attempt === undefined || !isAskable(attempt)) return;
  draft.putAttempt(attempt.number, { nextCheckAt: draft.now + CHECK_SOON_MS });
}

/**
 * Takes over a capture that a row proves. A row of the whole that was authorized proves none unless it says
 * so: a status that lags may show the hold alone, long after a capture was sent that the gateway never had. What
 * was captured may be shown as that whole where we captured it; any other amount is for a person.
 */
export function shownCapture(draft: Draft, attempt: Attempt, receipt: Receipt): void {
  const { capturedMinorUnits: captured, state } = draft.payment;
  const { transactionId, amountMinorUnits, isCapture = false, takenMinorUnits } = receipt;
  const { refundedMinorUnits: refunded } = receipt;
  const { amount } = draft.rowOf(transactionId) ?? attempt;
  const isWhole = amountMinorUnits === amount.minorUnits && !isCapture;
  const own = draft.operations.filter((one) => one.attemptNumber === attempt.number);
  const done = own.filter((one) => one.state === 'succeeded');
  const isCaptured = done.some((one) => one.kind === 'capture');
  const isVoided = done.some((one) => one.kind === 'void' && one.reason !== BY_EVIDENCE);
  const operation = outstandingOf(draft, attempt, 'capture');
  // A refund of a part says that something was taken: what our capture was of.
  const isOurWhole = isWhole && refunded > 0 && operation?.amount.minorUnits === amountMinorUnits;
  const isShown = takenMinorUnits > 0 || isOurWhole;
  // Some gateways call an authorization approved for ever, but none that they called failed.
  const isAfterVoid = state === 'voided' && !(isWhole && isVoided);
  const isOther = captured > 0 && amountMinorUnits !== captured && !(isWhole && isCaptured);
  const isPartHeld = captured === 0 && !isWhole && !isShown;
  // What was released or captured is taken no more, and what is held not yet: one of the gateway's two words is wrong.
  const news = { said: decimalOf(amountMinorUnits) };
  if (isAfterVoid || isOther || isPartHeld)
    return void draft.reportReview(transactionId, 'payment_contradiction', { transactionId }, news);
  // What went back in full before it was seen to be taken ships nothing: the refund's contradiction is told.
  const isGone = refunded >= amountMinorUnits;
  if (captured > 0 || state === 'voided' || !isShown || isGone) return;
  enterCaptured(draft, transactionId, amountMinorUnits, operation);
  endByEvidence(draft, attempt, 'void', 'failed');
  if (operation?.amount.minorUnits === amountMinorUnits)
    endByEvidence(draft, attempt, 'capture', 'succeeded');
}

/** The authorized money was taken, in full or in part. `again` is as in {@link EventSubject}. */
export function enterCaptured(
  draft: Draft,
  transactionId: TransactionId,
  capturedMinorUnits: number,
  operation: Operation | undefined,
  again?: string,
): void {
  // Late money stays late: shops ship by the event, which comes when a person accepts the money.
  const isLate = draft.payment.state === 'paid_late';
  draft.enter(isLate ? { capturedMinorUnits } : { capturedMinorUnits, state: 'captured' });
  // A person who let it run out did not know that it would be taken all the same.
  if (isLate) draft.reportReview(transactionId, 'paid_late', { transactionId }, { at: draft.now });
  const about = { ...aboutTransaction(transactionId), operationId: operation?.id, again };
  const amount = { ...draft.payment.amount, minorUnits: capturedMinorUnits };
  if (!isLate) draft.emit('captured', { ...about, amount });
}

/** The authorization was released: nothing can be captured any more. */
function enterVoided(draft: Draft, transactionId: TransactionId, operation: Operation | undefined) {
  draft.enter({ state: 'voided' });
  endReviewsOf(draft, transactionId);
  draft.emit('voided', { ...aboutTransaction(transactionId), operationId: operation?.id });
}

/** The gateway says that an authorization holds nothing any more: it was voided, or ran out. */
export function voidByEvidence(draft: Draft, attempt: Attempt, transactionId: TransactionId): void {
  enterVoided(draft, transactionId, endByEvidence(draft, attempt, 'void', 'succeeded'));
  endByEvidence(draft, attempt, 'capture', 'failed');
}

/** Ends an attempt's operation that may still move money, or may have, as evidence shows it. */
export function endByEvidence(
  draft: Draft,
  attempt: Attempt,
  kind: OperationKind,
  state: 'succeeded' | 'failed',
): Operation | undefined {
  const operation = outstandingOf(draft, attempt, kind);
  // What is being sent has an answer of its own to come.
  if (operation?.state === 'sending' && state === 'failed') return undefined;
  if (operation !== undefined) draft.putOperation(operation, state, { reason: 'evidence' });
  return operation;
}

const outstandingOf = ({ operations }: Draft, { number }: Attempt, wanted: OperationKind) =>
  operations
    .filter(isOutstanding)
    .find(({ kind, attemptNumber }) => kind === wanted && attemptNumber === number);
