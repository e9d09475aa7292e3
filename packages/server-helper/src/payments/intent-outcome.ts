import { LOOK_SOON_MS } from './attempt.ts';
import { enterCaptured, enterVoided } from './authorization.ts';
import { Draft } from './draft.ts';
import { awaitsEvidence, isAbandoned, type Intent } from './intent.ts';
import { isSettled } from './payment.ts';
import type { Change, PaymentRecord } from './payment-record.ts';
import { loseSale } from './sale-outcome.ts';

/** What is known of a money operation after it was sent, or after a person looked. */
export type IntentOutcome =
  /** Taken on by the gateway; a refund is not settled by that. */
  | { readonly kind: 'accepted'; readonly reference: string | null }
  | { readonly kind: 'done' | 'failed' | 'unknown'; readonly reason: string };

/**
 * Records what became of an intent, and what follows for the payment. An intent that is done or
 * failed stays so.
 *
 * @returns `null` when it changes nothing.
 */
export function recordOutcome(
  record: PaymentRecord,
  intentId: string,
  outcome: IntentOutcome,
  now: number,
): Change | null {
  const intent = record.intents.find(({ id }) => id === intentId);
  if (intent === undefined || intent.state === 'done' || intent.state === 'failed') return null;
  const draft = new Draft(record, now);
  switch (outcome.kind) {
    case 'failed':
      draft.putIntent(intent, 'failed', { reason: outcome.reason });
      break;
    case 'unknown':
      if (intent.state !== 'sending') return null;
      putUnknown(draft, intent, outcome.reason);
      break;
    case 'done':
      draft.putIntent(intent, 'done', { reason: outcome.reason });
      takeEffect(draft, record, intent);
      break;
    case 'accepted': {
      const { reference } = outcome;
      const state = intent.kind === 'refund' ? 'pending' : 'done';
      // An answer may come after somebody had given it up as interrupted.
      draft.putIntent(intent, state, { reference, reason: null });
      takeEffect(draft, record, intent);
      break;
    }
  }
  lookSoon(draft, record, intent, now);
  return draft.finish();
}

/** What a process that died left behind: whether it was sent, nobody knows. */
export function recoverIntents(record: PaymentRecord, now: number): Change | null {
  const abandoned = record.intents.filter((intent) => isAbandoned(intent, now));
  if (abandoned.length === 0) return null;
  const draft = new Draft(record, now);
  for (const intent of abandoned) {
    const sale = record.attempts.find(
      ({ number }) => intent.kind === 'sale' && number === intent.attemptNumber,
    );
    if (sale !== undefined) {
      loseSale(draft, sale, intent, 'interrupted');
    } else {
      putUnknown(draft, intent, 'interrupted');
      lookSoon(draft, record, intent, now);
    }
  }
  return draft.finish();
}

/** What was taken on and is not shown after this long needs a person, as what was lost does. */
const PROOF_TIMEOUT_MS = 48 * 3_600_000;

/** Operations on an attempt that the gateway took on, and that its status still does not show. */
export function doubtUnproven(
  record: PaymentRecord,
  attemptNumber: number,
  now: number,
): Change | null {
  const draft = new Draft(record, now);
  for (const intent of record.intents) {
    const isOverdue = intent.state === 'pending' && now - intent.createdAt >= PROOF_TIMEOUT_MS;
    const isOwn = intent.attemptNumber === attemptNumber && intent.kind !== 'sale';
    if (isOverdue && isOwn) putUnknown(draft, intent, 'no_evidence');
  }
  return draft.finish();
}

function putUnknown(draft: Draft, intent: Intent, reason: string): void {
  draft.putIntent(intent, 'unknown', { reason });
  if (!draft.askForReview(intent.id, 'unknown_outcome')) return;
  draft.tell('review', `unknown_outcome:${intent.id}`, {
    transactionId: intent.transactionId,
    reason: 'unknown_outcome',
    intentId: intent.id,
  });
}

/** A refund moves the payment by evidence only; what the gateway did at once shows at once. */
function takeEffect(draft: Draft, record: PaymentRecord, intent: Intent): void {
  const { capturedMinorUnits, state } = draft.payment;
  switch (intent.kind) {
    case 'capture':
      if (isOfAnother(draft, intent)) {
        takeTooMuch(draft, record, intent);
        return;
      }
      // Evidence may have been faster.
      if (capturedMinorUnits > 0) return;
      bindHeld(draft, record, intent);
      if (isBase(draft, intent)) enterCaptured(draft, intent.amount.minorUnits, intent);
      break;
    case 'void':
      // A hold that was given up beside another payment changes nothing of that.
      if (state === 'voided' || isOfAnother(draft, intent)) return;
      bindHeld(draft, record, intent);
      if (isBase(draft, intent)) enterVoided(draft, intent);
      break;
    case 'recurring':
      draft.tell('charged', intent.id, {
        transactionId: intent.transactionId,
        intentId: intent.id,
        amountMinorUnits: intent.amount.minorUnits,
      });
      break;
    case 'refund':
    case 'sale':
      break;
  }
}

/** Whether the payment stands on the operation's own transaction; what is in doubt moves nothing. */
const isBase = ({ payment }: Draft, { transactionId }: Intent): boolean =>
  payment.transactionId === transactionId;

/**
 * Whether another transaction was accepted for the order while this operation was under way, or the
 * order is to be paid by another attempt since, which may be of another amount.
 */
const isOfAnother = (draft: Draft, intent: Intent): boolean => {
  const { state, currentAttempt } = draft.payment;
  return !isBase(draft, intent) && (isSettled(state) || currentAttempt !== intent.attemptNumber);
};

/** Money was taken of a hold beside what pays the order, or is to pay it. */
function takeTooMuch(draft: Draft, record: PaymentRecord, intent: Intent): void {
  const attempt = record.attempts.find(({ number }) => number === intent.attemptNumber);
  const { transactionId } = intent;
  if (transactionId === null || attempt === undefined || draft.rowOf(transactionId)) return;
  draft.bind(transactionId, 'duplicate', attempt);
  draft.askForReview(transactionId, 'duplicate_charge');
  draft.tell('duplicateCharge', transactionId, { transactionId, intentId: intent.id });
}

/** An authorization after a challenge may show itself by its capture or void first. */
function bindHeld(draft: Draft, record: PaymentRecord, intent: Intent): void {
  const attempt = record.attempts.find(({ number }) => number === intent.attemptNumber);
  const { transactionId } = intent;
  if (transactionId === null || attempt === undefined || draft.rowOf(transactionId)) return;
  draft.bind(transactionId, 'payment', attempt);
  draft.enter({ transactionId });
}

/** Evidence is asked for soon, while there is something that it may tell. */
function lookSoon(draft: Draft, record: PaymentRecord, intent: Intent, now: number): void {
  const after = draft.intents.find(({ id }) => id === intent.id);
  const attempt = record.attempts.find(({ number }) => number === intent.attemptNumber);
  const hasId = attempt !== undefined && (attempt.sessionId ?? attempt.transactionId) !== null;
  if (after === undefined || !awaitsEvidence(after) || !hasId) return;
  draft.putAttempt(attempt.number, { nextLookAt: now + LOOK_SOON_MS });
}
