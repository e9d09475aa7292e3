import type { TransactionId } from '../ids.ts';
import type { Attempt } from './attempt.ts';
import { Draft } from './draft.ts';
import type { Intent } from './intent.ts';
import { isSettled } from './payment.ts';
import type { Change, PaymentRecord } from './payment-record.ts';
import type { SaleOutcome } from './sale-decision.ts';

/**
 * Records what a sale's one answer says. It pays nothing: the status does. Only that an amount is
 * held is taken from the answer, since no status may tell it.
 *
 * @returns `null` when it changes nothing.
 */
export function recordSale(
  record: PaymentRecord,
  intentId: string,
  outcome: SaleOutcome,
  now: number,
): Change | null {
  const intent = record.intents.find(({ id }) => id === intentId);
  const attempt = record.attempts.find(({ number }) => number === intent?.attemptNumber);
  if (intent === undefined || attempt === undefined) return null;
  if (intent.state !== 'sending' && intent.state !== 'unknown') return null;
  const draft = new Draft(record, now);
  // An answer that came after all ends what stopped the order.
  const isAnswer = outcome.kind !== 'unknown';
  if (isAnswer && isStoppedBy(record, intent)) draft.enter({ state: 'pending' });
  switch (outcome.kind) {
    case 'success':
    case 'redirect':
      openSale(draft, attempt, outcome.transactionId, now);
      draft.putIntent(intent, 'pending', {
        reference: outcome.reference,
        transactionId: outcome.transactionId,
      });
      if (outcome.kind === 'success' && attempt.kind === 'authorization') {
        hold(draft, attempt, intent, outcome.transactionId);
      }
      break;
    case 'declined':
      endSale(draft, attempt, intent, 'declined');
      if (isSettled(draft.payment.state) || draft.payment.state === 'review') break;
      draft.enter({ state: 'failed', currentAttempt: attempt.number, amount: attempt.amount });
      draft.tell('failed', `${attempt.number}`);
      break;
    case 'failed':
      endSale(draft, attempt, intent, outcome.reason);
      if (isStoppedBy(record, intent)) draft.enter({ state: 'failed' });
      break;
    case 'unknown':
      loseSale(draft, attempt, intent, outcome.reason);
      break;
  }
  return draft.finish();
}

/**
 * Nobody knows whether the card was charged, and without a transaction nothing can be asked: the
 * order takes no other payment until a person has looked.
 */
export function loseSale(draft: Draft, attempt: Attempt, intent: Intent, reason: string): void {
  draft.putIntent(intent, 'unknown', { reason });
  draft.putAttempt(attempt.number, { state: 'lost', nextLookAt: null });
  if (!isSettled(draft.payment.state)) draft.enter({ state: 'review' });
  if (!draft.askForReview(intent.id, 'unknown_outcome')) return;
  draft.tell('review', `unknown_outcome:${intent.id}`, {
    reason: 'unknown_outcome',
    intentId: intent.id,
  });
}

/**
 * What a person found out about a sale whose answer was lost. One that was made needs its
 * transaction, whose status decides like any other's.
 *
 * @returns `null` when that is missing.
 */
export function settleSale(
  record: PaymentRecord,
  intent: Intent,
  found: { readonly kind: 'done' | 'failed'; readonly why: string },
  transactionId: TransactionId | null,
  now: number,
): Change | null {
  const attempt = record.attempts.find(({ number }) => number === intent.attemptNumber);
  if (attempt === undefined) return null;
  const draft = new Draft(record, now);
  const isStopped = isStoppedBy(record, intent);
  if (found.kind === 'failed') {
    endSale(draft, attempt, intent, found.why);
    const { state, currentAttempt } = record.payment;
    const isWaiting = state === 'pending' && currentAttempt === attempt.number;
    if (isStopped || isWaiting) draft.enter({ state: 'failed' });
    return draft.finish();
  }
  if (transactionId === null) return null;
  if (isStopped) draft.enter({ state: 'pending' });
  openSale(draft, attempt, transactionId, now);
  // Whether an amount is held nobody says here: its capture or the status does.
  draft.putIntent(intent, 'pending', { transactionId, reason: found.why });
  return draft.finish();
}

/** The sale's transaction is watched like a link, from now on. */
function openSale(draft: Draft, attempt: Attempt, transactionId: TransactionId, now: number): void {
  draft.putAttempt(attempt.number, { state: 'open', transactionId, nextLookAt: now });
  if (isSettled(draft.payment.state) || draft.payment.state === 'review') return;
  draft.enter({ state: 'pending', amount: attempt.amount, currentAttempt: attempt.number });
}

/**
 * The amount is held on the card: of an order that is paid already, it is held too much; of one that
 * was given up, it came late, and can only be voided.
 */
function hold(draft: Draft, attempt: Attempt, intent: Intent, transactionId: TransactionId): void {
  draft.putIntent({ ...intent, transactionId }, 'done', { reason: 'accepted' });
  if (draft.rowOf(transactionId) !== undefined) return;
  const about = { transactionId, intentId: intent.id };
  const { state, cancelled } = draft.payment;
  if (state !== 'pending') {
    draft.bind(transactionId, 'duplicate', attempt);
    draft.askForReview(transactionId, 'duplicate_charge');
    draft.tell('duplicateCharge', transactionId, about);
  } else if (cancelled) {
    draft.bind(transactionId, 'late', attempt);
    draft.enter({ state: 'paid_late', transactionId });
    draft.askForReview(transactionId, 'paid_late');
    draft.tell('paidLate', transactionId, about);
  } else {
    draft.bind(transactionId, 'payment', attempt);
    draft.enter({ state: 'authorized', transactionId });
    draft.tell('authorized', transactionId, about);
  }
}

function endSale(draft: Draft, { number }: Attempt, intent: Intent, reason: string): void {
  draft.putIntent(intent, 'failed', { reason });
  draft.putAttempt(number, { state: 'closed', nextLookAt: null });
}

/** Whether nothing but this sale's unknown outcome keeps the order from being paid. */
function isStoppedBy({ payment, reviews }: PaymentRecord, { id, state }: Intent): boolean {
  const isOnlyMatter = reviews.every(
    ({ subject, resolvedAt }) => subject === id || resolvedAt !== null,
  );
  return payment.state === 'review' && state === 'unknown' && isOnlyMatter;
}
