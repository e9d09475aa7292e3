import type { TransactionId } from '../ids.ts';
import { type Attempt, CHECK_SOON_MS, isAskable } from './attempt.ts';
import { reopenWhenOver } from './reviews.ts';
import { takeTooMuch } from './new-money.ts';
import { aboutTransaction, Draft } from './draft.ts';
import {
  attemptOf,
  awaitsEvidence,
  begunAt,
  type Change,
  hasMoney,
  isAbandoned,
  isOutstanding,
  type Operation,
  type OperationKind,
  operationOf,
  type PaymentRecord,
  wasCalledFailed,
} from './record.ts';
import { recordCharge } from './refund.ts';
import { loseSale } from './sale.ts';
import type { Receipt } from './judge.ts';

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
    };

/**
 * Records the outcome of an operation, and what follows for the payment. An operation that succeeded or
 * failed does not change any more, but for {@link wasCalledFailed}.
 *
 * @returns `null` when it changes nothing.
 */
export function recordOutcome(
  record: PaymentRecord,
  operationId: string,
  outcome: OperationOutcome,
  now: number,
): Change | null {
  const operation = operationOf(record, operationId);
  if (operation === undefined || operation.state === 'succeeded') return null;
  const isNews = wasCalledFailed(operation) && outcome.kind === 'accepted';
  if (operation.state === 'failed' && !isNews) return null;
  const draft = new Draft(record, now);
  switch (outcome.kind) {
    case 'failed':
      draft.putOperation(operation, 'failed', decided(outcome));
      break;
    case 'unknown':
      if (operation.state !== 'sending') return null;
      putUnknown(draft, operation, outcome.reason);
      break;
    case 'succeeded':
      draft.putOperation(operation, 'succeeded', decided(outcome));
      takeEffect(draft, operation);
      break;
    case 'accepted': {
      const { reference, transactionId: named } = outcome;
      const transactionId = takeEffect(draft, operation, named) ?? operation.transactionId;
      const state = operation.kind === 'refund' ? 'pending' : 'succeeded';
      // An answer may come after the operation was marked as interrupted.
      draft.putOperation(operation, state, {
        reference,
        reason: null,
        transactionId,
        resolvedBy: null,
      });
      break;
    }
  }
  checkSoon(draft, operation);
  reopenWhenOver(draft);
  return draft.finish();
}

const decided = ({ reason, by = null }: Exclude<OperationOutcome, { kind: 'accepted' }>) => ({
  reason,
  resolvedBy: by,
});

/** Marks the operations that a dead process left: it is unknown whether each was sent. */
export function recoverOperations(record: PaymentRecord, now: number): Change | null {
  const abandoned = record.operations.filter((operation) => isAbandoned(operation, now));
  if (abandoned.length === 0) return null;
  const draft = new Draft(record, now);
  for (const operation of abandoned) {
    const attempt = attemptOf(record, operation.attemptNumber);
    if (operation.kind === 'sale' && attempt !== undefined) {
      loseSale(draft, attempt, operation, 'interrupted');
    } else {
      putUnknown(draft, operation, 'interrupted');
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
    const isOverdue = operation.state === 'pending' && now - begunAt(operation) >= PROOF_TIMEOUT_MS;
    const isOwn = operation.attemptNumber === attemptNumber && operation.kind !== 'sale';
    if (isOverdue && isOwn) putUnknown(draft, operation, 'no_evidence');
  }
  return draft.finish();
}

function putUnknown(draft: Draft, operation: Operation, reason: string): void {
  draft.putOperation(operation, 'unknown', { reason });
  const { id: operationId, transactionId } = operation;
  draft.reportReview(operationId, 'unknown_outcome', { transactionId, operationId });
}

/**
 * What the gateway did at once shows at once; a refund moves the payment by evidence only.
 *
 * @param named - The transaction in the gateway's answer, if any.
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

/** Takes or releases the money that an authorization holds. */
function moveHeld(draft: Draft, operation: Operation): void {
  const { kind, transactionId, amount, id: operationId } = operation;
  const { capturedMinorUnits, state } = draft.payment;
  const isOther = isOfAnother(draft, operation);
  // Evidence may have been faster.
  const isShown = kind === 'void' ? state === 'voided' : !isOther && capturedMinorUnits > 0;
  // Releasing an authorization beside another payment does not change that payment.
  if (transactionId === null || isShown || (kind === 'void' && isOther)) return;
  const attempt = attemptOf(draft.before, operation.attemptNumber);
  const isNew = draft.rowOf(transactionId) === undefined;
  if (isOther) {
    const money = { transactionId, refundedMinorUnits: 0 };
    if (attempt !== undefined && isNew) takeTooMuch(draft, attempt, money, operationId);
    return;
  }
  // An authorization after a challenge may show itself by its capture or void first.
  if (attempt !== undefined && isNew) {
    draft.bind(transactionId, 'payment', attempt);
    draft.enter({ transactionId });
  }
  // A discrepancy moves nothing.
  if (!isBase(draft, operation)) return;
  if (kind === 'void') enterVoided(draft, transactionId, operation);
  else enterCaptured(draft, transactionId, amount.minorUnits, operation);
}

/** Whether the operation's own transaction pays the order. */
const isBase = ({ payment }: Draft, { transactionId }: Operation): boolean =>
  payment.transactionId === transactionId;

/**
 * Whether another transaction was accepted for the order while this operation was under way, or the
 * order is to be paid by another attempt since, which may be of another amount.
 */
const isOfAnother = (draft: Draft, operation: Operation): boolean => {
  const { state, currentAttempt } = draft.payment;
  return (
    !isBase(draft, operation) && (hasMoney(state) || currentAttempt !== operation.attemptNumber)
  );
};

/** Plans a status check soon, while evidence may show the operation. */
function checkSoon(draft: Draft, { id, attemptNumber }: Operation): void {
  const after = draft.operations.find((one) => one.id === id);
  const attempt = attemptOf(draft.before, attemptNumber);
  if (after === undefined || !awaitsEvidence(after)) return;
  if (attempt === undefined || !isAskable(attempt)) return;
  draft.putAttempt(attempt.number, { nextCheckAt: draft.now + CHECK_SOON_MS });
}

/**
 * Takes over a capture that evidence shows. A gateway may call an authorization approved before it
 * is captured, so the same amount proves a capture only if it was not shown before that was sent; a smaller
 * amount can only have been captured, unless the row says that it is held. What was captured may be shown as
 * the whole that was authorized where we captured it; any other amount is for a person.
 */
export function shownCapture(draft: Draft, attempt: Attempt, receipt: Receipt): void {
  const { capturedMinorUnits: captured, state } = draft.payment;
  const { transactionId, amountMinorUnits, isCapture = false, isHold = false } = receipt;
  const isWhole = amountMinorUnits === attempt.amount.minorUnits && !isCapture;
  const isOurs = (wanted: Operation['kind']): boolean =>
    draft.operations.some((one) => one.kind === wanted && one.state === 'succeeded');
  const operation = outstandingOf(draft, attempt, 'capture');
  const isProven =
    operation?.amount.minorUnits === amountMinorUnits &&
    (isCapture || operation.baselineMinorUnits !== amountMinorUnits);
  // Some gateways call an authorization approved for ever, but none that they called failed.
  const isAfterVoid = state === 'voided' && !(isWhole && !isProven && isOurs('void'));
  const isOther = captured > 0 && amountMinorUnits !== captured && !(isWhole && isOurs('capture'));
  const isPartHeld = isHold && captured === 0 && !isWhole && !isProven;
  // What was released or captured is taken no more, and what is held not yet: one of the gateway's two words is wrong.
  if (isAfterVoid || isOther || isPartHeld)
    return void draft.reportReview(transactionId, 'payment_contradiction', { transactionId });
  if (captured > 0 || state === 'voided' || (isWhole && !isProven)) return;
  enterCaptured(draft, transactionId, amountMinorUnits, operation);
  if (isProven) endByEvidence(draft, attempt, 'capture', 'succeeded');
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
  const about = { ...aboutTransaction(transactionId), operationId: operation?.id, again };
  if (!isLate) draft.emit('captured', { ...about, amountMinorUnits: capturedMinorUnits });
}

/** The authorization was released: nothing can be captured any more. */
function enterVoided(draft: Draft, transactionId: TransactionId, operation: Operation | undefined) {
  draft.enter({ state: 'voided' });
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
  if (operation !== undefined) draft.putOperation(operation, state, { reason: 'evidence' });
  return operation;
}

const outstandingOf = ({ operations }: Draft, { number }: Attempt, wanted: OperationKind) =>
  operations
    .filter(isOutstanding)
    .find(({ kind, attemptNumber }) => kind === wanted && attemptNumber === number);
