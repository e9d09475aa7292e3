import type { Attempt } from './attempt.ts';
import type { TransactionId } from '../ids.ts';
import type { Draft } from './draft.ts';
import { aboutTransaction } from './event.ts';
import { isOutstanding, type Operation, type OperationKind } from './operation.ts';
import type { Receipt } from './judge.ts';

/**
 * Takes over a capture that evidence shows. A gateway may call an authorization approved before it
 * is captured, so the same amount proves a capture only if it was not shown before that was sent; a
 * smaller amount can only have been captured.
 */
export function shownCapture(draft: Draft, attempt: Attempt, receipt: Receipt): void {
  if (draft.payment.capturedMinorUnits > 0) return;
  const operation = outstandingOf(draft, attempt, 'capture');
  const isProven =
    operation !== undefined &&
    operation.amount.minorUnits === receipt.amountMinorUnits &&
    operation.baselineMinorUnits !== receipt.amountMinorUnits;
  if (!isProven && receipt.amountMinorUnits === attempt.amount.minorUnits) return;
  enterCaptured(draft, receipt.transactionId, receipt.amountMinorUnits, operation);
  if (isProven) draft.putOperation(operation, 'succeeded', { reason: 'evidence' });
}

/** The authorized money was taken, in full or in part. `again` is as in {@link EventSubject}. */
export function enterCaptured(
  draft: Draft,
  transactionId: TransactionId,
  capturedMinorUnits: number,
  operation: Operation | undefined,
  again?: string,
): void {
  const { state } = draft.payment;
  // Late money stays late: the kit reports the order and does not fulfil it.
  draft.enter({
    capturedMinorUnits,
    ...(state === 'paid_late' ? {} : { state: 'captured' as const }),
  });
  const about = { ...aboutTransaction(transactionId), operationId: operation?.id, again };
  draft.emit('captured', { ...about, amountMinorUnits: capturedMinorUnits });
}

/** The authorization was released: nothing can be captured any more. */
export function enterVoided(
  draft: Draft,
  transactionId: TransactionId,
  operation: Operation | undefined,
): void {
  draft.enter({ state: 'voided' });
  draft.emit('voided', { ...aboutTransaction(transactionId), operationId: operation?.id });
}

/** The gateway says that an authorization holds nothing any more: it was voided, or ran out. */
export function voidByEvidence(draft: Draft, attempt: Attempt, transactionId: TransactionId): void {
  const operation = outstandingOf(draft, attempt, 'void');
  enterVoided(draft, transactionId, operation);
  if (operation !== undefined) draft.putOperation(operation, 'succeeded', { reason: 'evidence' });
  const capture = outstandingOf(draft, attempt, 'capture');
  if (capture !== undefined) draft.putOperation(capture, 'failed', { reason: 'evidence' });
}

/** An attempt's operation of a kind that may still move money, or may have. */
export function outstandingOf({ operations }: Draft, { number }: Attempt, kind: OperationKind) {
  return operations.find(
    (one) => one.kind === kind && one.attemptNumber === number && isOutstanding(one),
  );
}
