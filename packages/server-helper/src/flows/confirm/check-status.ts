import { currentActivity, observe } from '../../observability/steps.ts';
import type { Attributes } from '../../observability/otel.ts';
import { countConfirmation } from '../../observability/instruments.ts';
import { transactionKey } from '../../ids.ts';
import type { Money } from '../../money.ts';
import { allows, isKnown, isSilence, type Answer } from '../../payments/answer.ts';
import { awaitsHint, type Attempt } from '../../payments/attempt.ts';
import { apply } from '../../payments/audit.ts';
import type { EvidenceRow } from '../../payments/evidence.ts';
import { attributed, type Attributed } from '../../payments/hinted-rows.ts';
import type { TransactionHint } from '../../payments/transaction-hint.ts';
import type { Change, CheckEnd, PaymentRecord } from '../../payments/payment-record.ts';
import { decideStatus, paysOrder } from '../../payments/status-decision.ts';
import { type CheckOutcome, nextCheckAt, usualWatch } from '../../payments/watch.ts';
import { gapEnd } from '../../stores/check-rules.ts';
import { CHECK_GAP_MS } from '../../stores/store.ts';
import { changeIn, changePayment, type Decide } from '../change-payment.ts';
import { recheckPrice } from '../checkout/load-order.ts';
import type { FlowContext } from '../flow-context.ts';
import { askStore } from '../store-access.ts';
import { askAttempt, type AskedAnswer, type HeardAnswer } from './ask.ts';

/** No other process asks about the attempt during this time; longer than a status call can last. */
const CHECK_LEASE_MS = 60_000;

/** Which of an order's attempts the gateway is asked about. */
export interface StatusCheckRequest {
  readonly orderId: string;
  /**
   * Whether sessions that are not watched any more are asked about too: for refunds made elsewhere,
   * and for an operator who wants to know.
   */
  readonly everySession?: boolean;
  /** The attempt that is due. @defaultValue the attempt whose turn it is */
  readonly attemptNumber?: number;
  /**
   * Whether the attempt is asked about although its order was asked about a moment ago, for a money
   * operation that is about to be sent, or money that is about to be accepted.
   */
  readonly ignoresGap?: boolean;
}

/** The result of a status check. */
export interface StatusCheck {
  /** The order's record now; `null` for an order that never had a payment. */
  readonly record: PaymentRecord | null;
  /** The attempt that the gateway was asked about; `null` where it was not asked. */
  readonly asked: {
    readonly attemptNumber: number;
    readonly answer: Answer;
  } | null;
}

/**
 * Asks the gateway about one of an order's attempts, decides what the answer means and records it.
 * Hints only cause this call, or name transactions to ask about. An order that was asked about moments
 * ago is not asked about again.
 *
 * A gateway that does not answer changes nothing and is no error: the record has what was last
 * verified.
 *
 * @throws {@link PaymentsError} `hook_failed`, `store_unavailable`.
 */
export function checkStatus<Tx>(
  context: FlowContext<Tx>,
  request: StatusCheckRequest,
): Promise<StatusCheck> {
  const { orderId } = request;
  return observe('confirm', { details: { orderId }, result: reportOf }, async () => {
    const { attemptNumber = null, everySession = false, ignoresGap = false } = request;
    const { record, taken } = await takeAttempt(context, orderId, attemptNumber, everySession);
    if (record === null) return { record, asked: null };
    if (attemptNumber !== null && !everySession && taken?.number !== attemptNumber) {
      await postpone(context, record, attemptNumber);
    }
    if (taken !== null) return askAndRecord(context, record, taken, true);
    const due = record.attempts.find(({ number }) => number === attemptNumber);
    if (!ignoresGap || due === undefined) return { record, asked: null };
    return askAndRecord(context, record, due, false);
  });
}

/** Takes the attempt to ask about; none while the gap since the last status check is not over. */
async function takeAttempt<Tx>(
  context: FlowContext<Tx>,
  orderId: string,
  attemptNumber: number | null,
  everySession: boolean,
): Promise<{ readonly record: PaymentRecord | null; readonly taken: Attempt | null }> {
  const check = await askStore(() =>
    context.store.beginStatusCheck({
      orderId,
      now: context.clock.now(),
      leaseMs: CHECK_LEASE_MS,
      everySession,
      attemptNumber,
      // A paid order needs no answer for a caller who waits; its other links are checked when due.
      unlessHasMoney: attemptNumber === null && !everySession,
    }),
  );
  const read = check?.record ?? null;
  const { record } = await changePayment(context, orderId, () => null, { record: read });
  return { record, taken: check?.taken ?? null };
}

/** An attempt that is due while another attempt has its turn, or just had it, waits for the gap. */
async function postpone<Tx>(
  { store, clock }: FlowContext<Tx>,
  { attempts }: PaymentRecord,
  attemptNumber: number,
): Promise<void> {
  const due = attempts.find(({ number }) => number === attemptNumber);
  const now = clock.now();
  if (due === undefined || due.nextCheckAt === null) return;
  // Another caller has just checked it.
  if (due.lastCheckAt !== null && now - due.lastCheckAt < CHECK_GAP_MS && !awaitsHint(due)) return;
  const turnAt = gapEnd(attempts, now);
  const notTaken = { ...due, unendedSince: null };
  await store.endStatusCheck(notTaken, turnAt > now ? turnAt : now + CHECK_GAP_MS, now);
}

/** The decision about an answer. Before an order becomes paid, the merchant is asked for its price. */
type StatusDecision =
  | { readonly kind: 'ask_price' }
  | { readonly kind: 'decided'; readonly change: Change | null };

/** The order's price, and when the merchant answered it. */
interface AskedPrice {
  readonly price: Money | null | undefined;
  readonly answeredAt: number;
}

const notAsked: AskedPrice = { price: undefined, answeredAt: -Infinity };

/** A commit that waits for longer than this does not ship at the price from before. */
const PRICE_AGE_MS = 30_000;

/**
 * Asks, decides and records. A commit also ends the status check; where nothing is committed, a check
 * that was taken is ended by a call of its own.
 */
async function askAndRecord<Tx>(
  context: FlowContext<Tx>,
  before: PaymentRecord,
  attempt: Attempt,
  isTaken: boolean,
): Promise<StatusCheck> {
  const { store, clock } = context;
  const isRechecked = context.recheckOrder !== false;
  const askedAt = clock.now();
  const heard = sealTokens(context, attempt.orderId, await askAttempt(context, before, attempt));
  const asked = { ...heard, answer: { ...heard.answer, askedAt } };
  logWhatIsMissing(context, attempt, heard.answer);
  if (attempt.sessionId !== null && heard.hinted === undefined) {
    context.unknownLinks?.note(attempt, heard.answer, askedAt);
  }
  let read = attributed(before, attempt, asked, askedAt, new Map());
  const random = context.random();
  const { afterPayment } = context.watch ?? usualWatch;
  const decide =
    ({ price, answeredAt }: AskedPrice): Decide<StatusDecision> =>
    (current, now, { boundElsewhere }) => {
      const record = current ?? before;
      read = attributed(record, attempt, asked, now, boundElsewhere);
      const { answer } = read;
      const facts = { boundElsewhere, price, afterFailure: context.readings?.afterFailure };
      const change = decideStatus(record, attempt, answer, now, facts);
      const isPriced = now - answeredAt < PRICE_AGE_MS;
      if (isRechecked && paysOrder(change) && !isPriced) return { kind: 'ask_price' };
      if (change === null) return { kind: 'decided', change };
      const end = endOf(apply(record, change), attempt, answer, { now, random, afterPayment });
      const ended = end === undefined ? change : { ...change, checkEnd: end };
      return { kind: 'decided', change: ended };
    };
  const options = { record: before, busyCode: 'store_unavailable' } as const;
  let changed = await changePayment(context, attempt.orderId, decide(notAsked), options);
  while (changed.decision.kind === 'ask_price') {
    // Outside of every transaction, and mostly once: a conflict decides again with the same price.
    const price = await recheckPrice(context, attempt.orderId);
    const priced = { price, answeredAt: clock.now() };
    const { record } = changed;
    changed = await changePayment(context, attempt.orderId, decide(priced), { ...options, record });
  }
  const record = changed.record ?? before;
  const { answer } = read;
  const now = clock.now();
  const committed = changeIn(changed.decision);
  const end = committed?.checkEnd ?? endOf(record, attempt, answer, { now, random, afterPayment });
  if (isTaken && committed === null && end !== undefined) {
    await store.endStatusCheck(attempt, end.nextCheckAt, now);
  }
  await endHints(context, record, heard, read, end);
  return { record, asked: { attemptNumber: attempt.number, answer } };
}

/** No token of the gateway goes further than this, except encrypted. */
function sealTokens<Tx>(
  { recurringTokens }: FlowContext<Tx>,
  orderId: string,
  { answer, hinted }: HeardAnswer,
): HeardAnswer {
  const sealed = (row: EvidenceRow): EvidenceRow =>
    row.recurringToken === undefined
      ? row
      : { ...row, recurringToken: recurringTokens.seal(orderId, row.recurringToken) };
  return {
    answer: { ...answer, rows: answer.rows.map(sealed) },
    hinted: hinted && {
      ...hinted,
      rows: hinted.rows.map(({ row, hint }) => ({ row: sealed(row), hint })),
    },
  };
}

/** When the attempt is checked next, by the record after this check; `undefined`: not watched. */
function endOf(
  record: PaymentRecord,
  attempt: Attempt,
  answer: Answer,
  at: Pick<CheckOutcome, 'now' | 'random' | 'afterPayment'>,
): CheckEnd | undefined {
  const next = nextCheckAt(record, attempt, { isSilent: isSilence(answer), ...at });
  if (next === 'unchanged') return undefined;
  return { attempt, nextCheckAt: next };
}

/**
 * Notes which hinted transactions the gateway was asked about, and forgets those of other orders and those
 * whose money is bound. An attempt that one of them names is checked soon.
 *
 * @param end - When the attempt is checked next. Where no attempt of the order is, nothing is left.
 */
async function endHints<Tx>(
  { store, clock }: FlowContext<Tx>,
  { payment: { orderId }, ledger, attempts }: PaymentRecord,
  { hinted }: HeardAnswer,
  { forgotten, unsettled, due }: Attributed,
  end: CheckEnd | undefined,
): Promise<void> {
  if (hinted === undefined) return;
  const now = clock.now();
  const isOver =
    end?.nextCheckAt === null &&
    attempts.every((one) => one.number === end.attempt.number || one.nextCheckAt === null);
  const all = isOver ? await store.transactionHints(orderId) : [];
  const bound = new Set(ledger.map(({ transactionId }) => transactionKey(transactionId)));
  const isBound = (id: string): boolean => bound.has(transactionKey(id));
  const idsOf = (hints: readonly TransactionHint[]) => hints.map((hint) => hint.transactionId);
  const asked = idsOf(hinted.asked);
  // What came while the gateway was asked made the attempt due again.
  const ended = all.filter(({ hintedAt }) => now - hintedAt > CHECK_LEASE_MS);
  const needless = [...hinted.needless, ...asked.filter(isBound), ...idsOf(ended)];
  const change = {
    asked,
    answered: idsOf(hinted.answered).filter((id) => !unsettled.includes(id)),
    forgotten: [...forgotten, ...needless],
  };
  if (asked.length + change.forgotten.length > 0) {
    await store.changeTransactionHints(orderId, change, now);
  }
  for (const name of due) await store.hint(name, now);
}

function logWhatIsMissing<Tx>(
  { logger }: FlowContext<Tx>,
  { orderId, number }: Attempt,
  answer: AskedAnswer,
): void {
  const { code, httpStatus } = answer;
  if (code === undefined) return;
  const fields = { orderId, attempt: number, code, httpStatus };
  if (!isKnown(answer)) {
    logger.warn(fields, 'the gateway gave no evidence');
  } else {
    const unreadableMoney = answer.unreadableMoney + answer.unreadableIds.length;
    logger.warn({ ...fields, unreadableMoney }, 'the gateway gave a part of its answer only');
  }
}

/** Counts a status check by what the payment is after it; only where the gateway was asked. */
function reportOf({ record, asked }: StatusCheck): Attributes {
  if (asked === null) return { asked: false };
  const verdict = allows[asked.answer.kind].isFull
    ? (record?.payment.state ?? 'unpaid')
    : 'no_answer';
  countConfirmation(verdict, currentActivity()?.trigger ?? 'call');
  return { asked: true, attempt: asked.attemptNumber, verdict };
}
