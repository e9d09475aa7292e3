import { nameIn, transactionId as idOf, type TransactionId, transactionKey } from '../ids.ts';
import {
  allows,
  type Answer,
  areDeclined,
  answerOf,
  goesBack,
  isCapture,
  isKnown,
  isMoney,
  isOfRefund,
  ofHeldMoney,
  spelling,
  statusRow,
} from './answer.ts';
import { type Attempt, CHECK_SOON_MS, isAfter, isNameOf } from './attempt.ts';
import { decideUnpaid, endSilence } from './end-unpaid.ts';
import { judge, type Receipt, saidBy, type Verdict } from './judge.ts';
import { withdrawLink } from './link-decision.ts';
import {
  endByEvidence,
  reviewUnproven,
  shownCapture,
  voidByEvidence,
} from './operation-outcome.ts';
import {
  attemptOf,
  begunAt,
  type Change,
  isPaid,
  type LedgerRow,
  type PaymentRecord,
} from './record.ts';
import {
  discrepancy,
  noteIncomplete,
  noteUnreadable,
  type PriceNow,
  reopenWhenOver,
} from './reviews.ts';
import { aboutAttempt, Draft } from './draft.ts';
import { hasReleased, moveRefund, proveRefunds } from './refund.ts';
import { takeNewMoney, takeTooMuch } from './new-money.ts';
import { enterAfterDecline } from './sale.ts';
import { YOUNG_MS } from './watch.ts';

/** Facts besides the record and the answer. */
export interface StatusFacts {
  /** Transactions of other orders, with those orders. */
  readonly boundElsewhere?: ReadonlyMap<TransactionId, string>;
  readonly price?: PriceNow;
  /** Whether the gateway's page takes another card after a failed one. @defaultValue `payable` */
  readonly afterFailure?: 'payable' | 'closed' | undefined;
}

/** Judges the rows of a status answer, and says what the verdict changes. */
export function decideByEvidence(
  record: PaymentRecord,
  attempt: Attempt,
  answer: Answer,
  now: number,
  { boundElsewhere = new Map(), price }: StatusFacts = {},
): { readonly verdict: Verdict; readonly change: Change | null } {
  const { unattributed, unreadableIds } = answer;
  const { isFull } = allows[answer.kind];
  const { ledger, reviews } = record;
  const spell = spelling(transactionsOf(record));
  const spelled = answer.rows.map((row) => ({ ...row, transactionId: spell(row.transactionId) }));
  const rows = ofHeldMoney(spelled, attempt);
  const { capturedMinorUnits, transactionId } = record.payment;
  const isOwn = (row: LedgerRow): boolean =>
    row.transactionId === transactionId && row.attemptNumber === attempt.number;
  const captured = ledger.some(isOwn) ? capturedMinorUnits : 0;
  const known = { ledger, reviews, captured, unattributed, boundElsewhere };
  const verdict = judge({ attempt, rows, isFull, ...known });
  const read = { ...answer, rows, unreadableIds: unreadableIds.map(spell) };
  const change = transition(record, attempt, verdict, now, read, price);
  if (change === null) return { verdict, change };
  const because = { attemptNumber: attempt.number, rows: answer.rows.map(statusRow) };
  return { verdict, change: { ...change, because } };
}

/** The transactions that the record names, where the oldest spelling counts. */
function transactionsOf({ ledger, attempts, operations, reviews }: PaymentRecord) {
  return [
    ...ledger.map((row) => row.transactionId),
    ...[...attempts, ...operations].flatMap((one) => one.transactionId ?? []),
    ...reviews.map(({ subject }) => idOf(subject)),
  ];
}

/**
 * Decides what a status answer changes: by its evidence, else by what it does not show for too long. An
 * operation that no answer proves in time needs a person.
 *
 * @returns `null` when nothing changes.
 */
export function decideStatus(
  record: PaymentRecord,
  attempt: Attempt,
  answer: Answer,
  now: number,
  facts: StatusFacts = {},
): Change | null {
  let decided: Change | null = null;
  let hasMoney = false;
  if (isKnown(answer)) {
    const { verdict, change } = decideByEvidence(record, attempt, answer, now, facts);
    // A page that takes no more cards would stay on offer until it expires, and the order unpaid.
    const isClosed = facts.afterFailure === 'closed' && verdict.kind === 'failed';
    const isDead = isClosed && answer.kind === 'whole';
    decided = isDead ? withdrawLink(record, attempt, now, change) : change;
    hasMoney = verdict.kind === 'money';
  }
  decided ??= hasMoney ? null : decideUnpaid(record, attempt, answer, now);
  const change = decided ?? reviewUnproven(record, attempt.number, now);
  return endSilence(record, attempt, answer, change, now);
}

/** Whether a change pays or holds: before its commit the merchant is asked for the price. */
export const paysOrder = (change: Change | null): boolean =>
  change?.events.some(({ type }) => type === 'paid' || type === 'authorized') === true;

/**
 * Decides the effect of a verdict about one attempt. Pure: the caller commits the change or, after
 * a conflict, drops it and decides again on the new record.
 *
 * @param answer - The answer behind the verdict, which may hold rows that could be money.
 * @returns `null` when nothing changes.
 */
export function transition(
  record: PaymentRecord,
  attempt: Attempt,
  verdict: Verdict,
  now: number,
  answer: Answer = answerOf('part'),
  price?: PriceNow,
): Change | null {
  const draft = new Draft(record, now);
  const { askedAt = now } = answer;
  if (verdict.kind === 'failed') fail(draft, attempt, answer, askedAt);
  if (verdict.kind === 'money') take(draft, attempt, verdict, askedAt, price);
  if (verdict.kind === 'failed' || takesBack(draft, attempt, answer, askedAt)) {
    contradict(draft, attempt, answer, askedAt);
  }
  noteUnreadable(draft, attempt, answer);
  noteIncomplete(draft, attempt, answer);
  reopenWhenOver(draft);
  return draft.finish();
}

function take(
  draft: Draft,
  attempt: Attempt,
  verdict: Extract<Verdict, { readonly kind: 'money' }>,
  askedAt: number,
  price: PriceNow,
): void {
  // Receipts first: good money pays the order even when a discrepancy is in the same answer.
  const isOld = isAfter(draft.before.payment.updatedAt, askedAt);
  const receipts = verdict.receipts.filter((one) => !isReleased(draft, one));
  for (const receipt of inOwnOrder(draft, receipts)) {
    // Of a refund that the record has learnt of since the question, the answer says nothing.
    const refunded = draft.rowOf(receipt.transactionId)?.refundedMinorUnits ?? 0;
    if (isOld && receipt.refundedMinorUnits < refunded) continue;
    receive(draft, attempt, receipt, price);
    proveRefunds(draft, receipt, askedAt);
  }
  for (const found of verdict.discrepancies) discrepancy(draft, attempt, found);
  const isAccepted = receipts.some(({ transactionId }) => {
    const known = draft.before.ledger.find((row) => row.transactionId === transactionId);
    return known?.kind !== 'discrepancy';
  });
  if (isAccepted) {
    attemptSucceeded(draft, attempt);
    endByEvidence(draft, attempt, 'sale', 'succeeded');
  }
}

/** Whether this shop has released a hold beside the payment: a status may go on to show it. */
const isReleased = (draft: Draft, { transactionId: id, takenMinorUnits }: Receipt): boolean =>
  takenMinorUnits === 0 &&
  draft.rowOf(id) === undefined &&
  draft.operations.some((one) => one.transactionId === id && hasReleased(one));

/**
 * Receipts in an order that the gateway's rows do not decide: money that can pay the order comes before
 * refunded or known money, which would stop it, and then the transaction's id counts.
 */
function inOwnOrder(draft: Draft, receipts: readonly Receipt[]): readonly Receipt[] {
  const keyOf = ({ transactionId, refundedMinorUnits }: Receipt): string => {
    const canPay = refundedMinorUnits === 0 && draft.rowOf(transactionId) === undefined;
    return `${canPay ? 'first' : 'then'} ${transactionKey(transactionId)}`;
  };
  return receipts.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

/** Every try of an attempt was declined. */
function fail(draft: Draft, attempt: Attempt, answer: Answer, askedAt: number): void {
  // A capture that failed was a step of money that is held.
  if (attempt.kind === 'authorization' && answer.rows.some(isCapture)) return;
  const { state, currentAttempt, transactionId } = draft.payment;
  const row = confirmedRow(draft, attempt);
  // Another card than the one that was declined may hold the amount, also since the question.
  const isHold = state === 'authorized' && row !== undefined && !isAfter(row.recordedAt, askedAt);
  if (isHold && transactionId !== null) voidByEvidence(draft, attempt, transactionId);
  const isNews = attempt.number === currentAttempt && state === 'pending';
  if (isNews) {
    enterAfterDecline(draft, attempt);
    draft.emit('failed', aboutAttempt(draft.operations, attempt));
  }
  const stored = attemptOf(draft.before, attempt.number) ?? attempt;
  // Near a link's end a status that lags may not be shown any more (N3).
  const isLast = askedAt >= stored.expiresAt - YOUNG_MS;
  const explainedAt = explainedUpTo(draft.before, stored, answer, isNews && !isLast, askedAt);
  const isOpen = (stored.hintedAt ?? 0) > (stored.explainedAt ?? 0);
  if (isOpen && explainedAt > (stored.explainedAt ?? 0)) {
    draft.putAttempt(attempt.number, { explainedAt });
  }
  // The shopper had to pass a challenge, or the sale's answer was lost.
  endByEvidence(draft, attempt, 'sale', 'failed');
}

/**
 * Up to when declines explain the hints about their attempt. Declines that are all of a session explain what came
 * before the question: at once where they are the news, and later once another try's status cannot lag behind. A
 * transaction with the attempt's name explains what came before its shopper's return; its webhook may be late.
 */
function explainedUpTo(
  { hints = [] }: PaymentRecord,
  { hintedAt, merchantOrderId }: Attempt,
  { kind, rows }: Answer,
  isNews: boolean,
  askedAt: number,
): number {
  if (kind === 'whole') return isNews || askedAt - (hintedAt ?? 0) >= YOUNG_MS ? askedAt : 0;
  const own = rows.filter((row) => nameIn(row.merchantOrderId) === merchantOrderId);
  const keys = new Set(own.map(({ transactionId }) => transactionKey(transactionId)));
  const named = hints.filter(
    ({ transactionId: id, source }) => source === 'return' && keys.has(transactionKey(id)),
  );
  return Math.min(askedAt, Math.max(0, ...named.map((hint) => hint.hintedAt)));
}

/** The payment, or a recurring charge, that the gateway has confirmed for an attempt. */
function confirmedRow(draft: Draft, attempt: Attempt): LedgerRow | undefined {
  const { transactionId } = attempt.kind === 'charge' ? attempt : draft.payment;
  const row = transactionId === null ? undefined : draft.rowOf(transactionId);
  return row?.attemptNumber === attempt.number ? row : undefined;
}

/** A status may lag behind for so long; an answer that still does not confirm money takes it back. */
const LONGEST_LAG_MS = 24 * 3_600_000;

/**
 * Whether an answer takes confirmed money back: at once where it is full and calls the money failed, and after
 * a day where it calls it anything else, or is full and leaves it out. A gateway may forget a session that has
 * ended. What is held may be called what it will, but for words that say it went back, and may be left out.
 */
function takesBack(draft: Draft, attempt: Attempt, answer: Answer, askedAt: number): boolean {
  const row = confirmedRow(draft, attempt);
  if (row === undefined || !isKnown(answer)) return false;
  const { isFull } = allows[answer.kind];
  const own = answer.rows.filter(({ transactionId }) => transactionId === row.transactionId);
  const isBack = own.some(goesBack);
  // A refund that failed, or is under way, says that there is money. A hold may be shown beside its release.
  const isShown = own.some((one) => isMoney(one) || (isOfRefund(one) && !goesBack(one)));
  if (isShown && !(isBack && draft.payment.state === 'authorized')) return false;
  if (isFull && areDeclined(own)) return true;
  const mayForget = answer.kind === 'whole' && askedAt >= attempt.expiresAt;
  const isLeftOut = own.length === 0 && !answer.rows.some(isCapture);
  const isTaken = draft.payment.capturedMinorUnits > 0 && isLeftOut;
  const isHeld = attempt.kind === 'authorization' && !isBack && !isTaken;
  if ((mayForget && answer.rows.length === 0) || isHeld) return false;
  // What is missing may be the money's row.
  if (!isFull && (isNameOf(attempt, row.transactionId) || own.every(isOfRefund))) return false;
  const captures = draft.operations.filter(({ kind }) => kind === 'capture').map(begunAt);
  return askedAt - Math.max(row.recordedAt, ...captures) >= LONGEST_LAG_MS;
}

/**
 * The payment, or a recurring charge, that the gateway confirmed and now takes back is for a person. Refunded
 * money is not. An answer to a question from before the money was recorded contradicts nothing.
 */
function contradict(draft: Draft, attempt: Attempt, { rows }: Answer, askedAt: number): void {
  const row = confirmedRow(draft, attempt);
  if (row === undefined || isAfter(row.recordedAt, askedAt)) return;
  const { state } = draft.payment;
  const isLeft = row.refundedMinorUnits < row.amount.minorUnits;
  const own = rows.filter(({ transactionId }) => transactionId === row.transactionId);
  const isHeld = state === 'authorized' && own.some(goesBack);
  const isKept = attempt.kind === 'charge' ? isLeft : isPaid(state) || state === 'paid_late';
  const reason = 'payment_contradiction';
  const said = saidBy(own, reason) || 'left out';
  if (isKept || isHeld) discrepancy(draft, attempt, { ...row, reason, said });
}

/** A receipt either pays the order, moves its refund forward, or is money too much. */
function receive(draft: Draft, attempt: Attempt, receipt: Receipt, price: PriceNow) {
  const { transactionId } = receipt;
  const known = draft.rowOf(transactionId);
  if (known === undefined) {
    const pays = takeNewMoney(draft, attempt, receipt, price);
    if (pays && attempt.kind === 'authorization') shownCapture(draft, attempt, receipt);
  } else {
    // What pays the order; the rest is a duplicate or a discrepancy.
    if (known.kind === 'payment' || known.kind === 'late') {
      if (attempt.kind === 'authorization') shownCapture(draft, attempt, receipt);
      const { recurringToken } = receipt;
      if (draft.payment.recurringToken === null && recurringToken !== null)
        draft.enter({ recurringToken });
    } else takeTooMuch(draft, attempt, receipt);
    moveRefund(draft, attempt, receipt, draft.rowOf(transactionId) ?? known);
  }
}

/**
 * Money was accepted through the attempt. The end of its status check says when it is checked next.
 * Where a person accepted the money, a check soon says so: what was planned for an open link may be a day off.
 */
export function attemptSucceeded(draft: Draft, { number }: Attempt): void {
  const stored = attemptOf(draft.before, number);
  if (stored?.state === 'succeeded') return;
  const soon = draft.payment.updatedAt + CHECK_SOON_MS;
  draft.putAttempt(number, {
    state: 'succeeded',
    nextCheckAt: Math.min(stored?.nextCheckAt ?? soon, soon),
  });
}
