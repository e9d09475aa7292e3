import { GatewayError } from '../../gateway/gateway-error.ts';
import { partOf, unreadableMoneyOf } from '../../gateway/partial-status.ts';
import { transactionId, type TransactionId } from '../../ids.ts';
import { observe } from '../../observability/steps.ts';
import type { Attempt } from '../../payments/attempt.ts';
import { apply } from '../../payments/audit.ts';
import { statusRow } from '../../payments/evidence.ts';
import { expire } from '../../payments/expiry.ts';
import { reviewUnproven } from '../../payments/operation-outcome.ts';
import { judge } from '../../payments/judge.ts';
import { withdrawLink } from '../../payments/link-decision.ts';
import type { Change, CheckEnd, PaymentRecord } from '../../payments/payment-record.ts';
import { transition } from '../../payments/transition.ts';
import type { ReadAnswer } from '../../payments/unreadable-answer.ts';
import { nextCheckAt } from '../../payments/watch.ts';
import { gapEnd } from '../../stores/check-rules.ts';
import { CHECK_GAP_MS } from '../../stores/store.ts';
import type { Confirmation } from './confirmation.ts';
import { reportConfirmation } from './report-confirmation.ts';
import { answered, commitChange, recordAfter } from '../commit-change.ts';
import type { FlowContext } from '../flow-context.ts';
import { recovered } from '../recover.ts';

/** While one process asks the gateway, no other does; longer than a status call can last. */
const CHECK_LEASE_MS = 60_000;

/** A payment that changes under us this often is someone's fault; the next status check tries again. */
const MAX_DECISIONS = 8;

/** How an order is to be confirmed. */
export interface ConfirmRequest {
  readonly orderId: string;
  /**
   * Whether sessions that are not watched any more are asked about too, for refunds made elsewhere
   * and for an operator who wants to know.
   */
  readonly everySession?: boolean;
  /** The attempt that is due; without it, the one whose turn it is. */
  readonly attemptNumber?: number;
}

/** What the gateway said about an attempt. */
type Answer =
  | ({ readonly kind: 'rows' } & ReadAnswer)
  /** It knows no such session; money may come to it all the same. */
  | { readonly kind: 'gone' }
  /** An error says nothing about the money. */
  | { readonly kind: 'silence' };

/**
 * Asks the gateway about one of an order's attempts, decides what the answer means and records it.
 * Hints only cause this call; nothing that came with them is used. An order that was asked about
 * moments ago is not asked about again.
 *
 * @returns the order's record as it stands now, or `null` for an order we never had a payment for.
 * @throws {@link PaymentsError} `store_unavailable`. A gateway that does not answer changes nothing
 * and is no error here: the record says what we last verified.
 */
export function confirm<Tx>(
  context: FlowContext<Tx>,
  request: ConfirmRequest,
): Promise<Confirmation> {
  const { orderId } = request;
  return observe('confirm', { details: { orderId }, result: reportConfirmation }, () =>
    confirmNow(context, request),
  );
}

async function confirmNow<Tx>(
  context: FlowContext<Tx>,
  request: ConfirmRequest,
): Promise<Confirmation> {
  const { store, clock } = context;
  const { orderId, everySession = false, attemptNumber = null } = request;
  const check = await answered(() =>
    store.beginStatusCheck({
      orderId,
      now: clock.now(),
      leaseMs: CHECK_LEASE_MS,
      everySession,
      attemptNumber,
      // A paid order needs no answer for whoever waits; its other links are looked at when due.
      unlessHasMoney: attemptNumber === null && !everySession,
    }),
  );
  const record = await recovered(context, check?.record ?? null);
  const taken = check?.taken ?? null;
  if (record === null) return { record, asked: null };
  if (!everySession && taken?.number !== attemptNumber) {
    await putOff(context, record, attemptNumber);
  }
  if (taken === null) return { record, asked: null };
  const answer = await askGateway(context, taken);
  const hasAnswer = answer.kind === 'rows' && answer.isWhole;
  return {
    record: await endCheckWithAnswer(context, record, taken, answer),
    asked: { attemptNumber: taken.number, hasAnswer },
  };
}

/**
 * Asks about an attempt although its order was asked about a moment ago, for an operation that the
 * merchant is about to send. No lease is taken: a status check beside it is decided as ever.
 *
 * @returns whether the gateway answered in full.
 * @throws {@link PaymentsError} `store_unavailable`.
 */
export async function confirmAnew<Tx>(
  context: FlowContext<Tx>,
  record: PaymentRecord,
  attempt: Attempt,
): Promise<boolean> {
  const answer = await askGateway(context, attempt);
  await recordAnswer(context, record, attempt, answer);
  return answer.kind === 'rows' && answer.isWhole;
}

/** An attempt that is due while another one has its turn, or just had it, waits for the gap to pass. */
async function putOff<Tx>(
  { store, clock }: FlowContext<Tx>,
  { attempts }: PaymentRecord,
  attemptNumber: number | null,
): Promise<void> {
  const due = attempts.find(({ number }) => number === attemptNumber);
  const now = clock.now();
  if (due === undefined || due.nextCheckAt === null) return;
  const turnAt = gapEnd(attempts, now);
  await store.endStatusCheck(due, turnAt > now ? turnAt : now + CHECK_GAP_MS, now);
}

async function askGateway<Tx>(
  { gateway, logger }: FlowContext<Tx>,
  { sessionId: session, transactionId: transaction, orderId, number }: Attempt,
): Promise<Answer> {
  try {
    const status =
      session === null
        ? await gateway.retrieveStatus({ transactionId: transaction ?? '' })
        : await gateway.retrieveStatus({ sessionId: session });
    const isWhole = partOf(status) === undefined;
    if (!isWhole) logger.warn({ orderId, attempt: number }, 'the gateway did not tell every row');
    return { kind: 'rows', rows: status.transactions, isWhole, unreadableMoney: 0 };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const rows = partOf(error);
    const { code, httpStatus } = error;
    if (rows !== undefined) {
      const unreadableMoney = unreadableMoneyOf(error);
      const fields = { orderId, attempt: number, code, unreadableMoney };
      logger.warn(fields, 'the gateway told a row that is unreadable');
      return { kind: 'rows', rows, isWhole: false, unreadableMoney };
    }
    logger.warn({ orderId, attempt: number, code, httpStatus }, 'the gateway gave no evidence');
    return { kind: code === 'not_found' ? 'gone' : 'silence' };
  }
}

/** Records what a status check found, and says when to look again while the attempt is watched. */
async function endCheckWithAnswer<Tx>(
  context: FlowContext<Tx>,
  before: PaymentRecord,
  attempt: Attempt,
  answer: Answer,
): Promise<PaymentRecord> {
  const { record, isEnded } = await recordAnswer(context, before, attempt, answer);
  if (isEnded) return record;
  const now = context.clock.now();
  const end = checkEnd(context, record, attempt, answer, now);
  if (end !== undefined) await context.store.endStatusCheck(attempt, end.nextCheckAt, now);
  return record;
}

/** When to look again at what stands in a record; `undefined` when the attempt is not watched. */
function checkEnd<Tx>(
  { random }: FlowContext<Tx>,
  record: PaymentRecord,
  attempt: Attempt,
  answer: Answer,
  now: number,
): CheckEnd | undefined {
  const isWhole = answer.kind === 'rows' && answer.isWhole;
  const isSilent = answer.kind === 'silence';
  const next = nextCheckAt(record, attempt, { isWhole, isSilent, now, random: random() });
  if (next === 'unchanged') return undefined;
  return { attemptNumber: attempt.number, checkedAt: attempt.lastCheckAt, nextCheckAt: next };
}

/**
 * Decides, commits, and decides again on what others left, until it stands. What is committed ends
 * the status check as well.
 */
async function recordAnswer<Tx>(
  context: FlowContext<Tx>,
  start: PaymentRecord,
  attempt: Attempt,
  answer: Answer,
): Promise<{ readonly record: PaymentRecord; readonly isEnded: boolean }> {
  const takenBy = new Map<TransactionId, string>();
  let record = start;
  for (let decisions = 0; decisions < MAX_DECISIONS; decisions += 1) {
    const now = context.clock.now();
    const change = decide(record, attempt, answer, takenBy, now);
    if (change === null) break;
    const after = apply(record, change);
    const end = checkEnd(context, after, attempt, answer, now);
    const ending = end === undefined ? change : { ...change, checkEnd: end };
    const result = await commitChange(context, ending);
    if (result.outcome === 'committed') return { record: after, isEnded: true };
    if (result.outcome === 'transaction_taken') {
      takenBy.set(transactionId(result.transactionId), result.orderId);
    } else {
      record = (await recordAfter(context, change, result)) ?? record;
    }
  }
  return { record, isEnded: false };
}

function decide(
  record: PaymentRecord,
  attempt: Attempt,
  answer: Answer,
  takenBy: ReadonlyMap<TransactionId, string>,
  now: number,
): Change | null {
  // However the gateway answers: what its status has not shown for long needs a person.
  const unproven = reviewUnproven(record, attempt.number, now);
  if (answer.kind === 'silence') return unproven;
  if (answer.kind === 'gone') return withdrawLink(record, attempt, now) ?? unproven;
  const { rows, isWhole } = answer;
  const bound = record.ledger.map((row) => [row.transactionId, row.orderId] as const);
  const boundTo = new Map([...bound, ...takenBy]);
  const verdict = judge({ attempt, rows, isWhole, boundTo });
  const change = transition(record, attempt, verdict, now, answer);
  if (change !== null) {
    return { ...change, because: { attemptNumber: attempt.number, rows: rows.map(statusRow) } };
  }
  if (!isWhole) return unproven;
  const expired = verdict.kind === 'money' ? null : expire(record, attempt, now);
  return expired ?? unproven;
}
