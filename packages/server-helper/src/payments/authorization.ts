import type { Attempt } from './attempt.ts';
import type { Draft } from './draft.ts';
import { isOutstanding, type Intent, type IntentKind } from './intent.ts';
import type { Receipt } from './judge.ts';

/**
 * Takes over a capture that evidence shows. A gateway may call an authorization approved before it
 * is captured, so the same amount proves a capture only if it was not shown before that was sent; a
 * smaller amount can only have been captured.
 */
export function shownCapture(draft: Draft, attempt: Attempt, receipt: Receipt): void {
  if (draft.payment.capturedMinorUnits > 0) return;
  const intent = waiting(draft, attempt, 'capture');
  const isProven =
    intent !== undefined &&
    intent.amount.minorUnits === receipt.amountMinorUnits &&
    intent.baselineMinorUnits !== receipt.amountMinorUnits;
  if (!isProven && receipt.amountMinorUnits === attempt.amount.minorUnits) return;
  enterCaptured(draft, receipt.amountMinorUnits, intent);
  if (isProven) draft.putIntent(intent, 'done', { reason: 'evidence' });
}

/** The authorized money was taken, in full or in part. */
export function enterCaptured(
  draft: Draft,
  capturedMinorUnits: number,
  intent: Intent | undefined,
): void {
  const { transactionId, state } = draft.payment;
  // What came late stays late: it is reported, not fulfilled.
  draft.enter({
    capturedMinorUnits,
    ...(state === 'paid_late' ? {} : { state: 'captured' as const }),
  });
  draft.tell('captured', transactionId ?? '', {
    transactionId,
    amountMinorUnits: capturedMinorUnits,
    ...(intent === undefined ? {} : { intentId: intent.id }),
  });
}

/** The hold was given up: nothing can be captured any more. */
export function enterVoided(draft: Draft, intent: Intent | undefined): void {
  const { transactionId } = draft.payment;
  draft.enter({ state: 'voided' });
  draft.tell('voided', transactionId ?? '', {
    transactionId,
    ...(intent === undefined ? {} : { intentId: intent.id }),
  });
}

/** The gateway says that an authorization holds nothing any more: it was voided, or ran out. */
export function voidByEvidence(draft: Draft, attempt: Attempt): void {
  const intent = waiting(draft, attempt, 'void');
  enterVoided(draft, intent);
  if (intent !== undefined) draft.putIntent(intent, 'done', { reason: 'evidence' });
  const capture = waiting(draft, attempt, 'capture');
  if (capture !== undefined) draft.putIntent(capture, 'failed', { reason: 'evidence' });
}

function waiting(draft: Draft, { number }: Attempt, kind: IntentKind): Intent | undefined {
  return draft.intents.find(
    (intent) => intent.kind === kind && intent.attemptNumber === number && isOutstanding(intent),
  );
}
