import { GatewayError } from '../gateway/gateway-error.ts';
import { transactionId, type TransactionId } from '../ids.ts';
import type { Attempt } from '../payments/attempt.ts';
import type { EvidenceRow } from '../payments/evidence.ts';
import { expire } from '../payments/expiry.ts';
import { judge } from '../payments/judge.ts';
import type { Change, PaymentRecord } from '../payments/payment-record.ts';
import { transition } from '../payments/transition.ts';
import { nextLook } from '../payments/watch-schedule.ts';
import { afterChange, commitChange, loadRecord } from './commit-change.ts';
import type { FlowContext } from './flow-context.ts';

/** While one process asks the gateway, no other does; longer than a status call can last. */
const LOOK_LEASE_MS = 60_000;

/** When to ask again about an old session whose last look found the gateway silent. */
const SILENCE_MS = 24 * 3_600_000;

/** A payment that changes under us this often is someone's fault; the next look tries again. */
const MAX_DECISIONS = 8;

/** How an order is to be confirmed. */
export interface ConfirmRequest {
  readonly orderId: string;
  /**
   * Whether sessions that are not watched any more are asked about too, for refunds made elsewhere
   * and for an operator who wants to know.
   */
  readonly everySession: boolean;
}

/** What a confirmation found. */
export interface Confirmation {
  readonly record: PaymentRecord | null;
  /** Whether this call asked the gateway. */
  readonly hasAsked: boolean;
  /** Whether the gateway answered to all that was asked. */
  readonly hasEvidence: boolean;
}

/**
 * Asks the gateway about an order's attempts, decides what the answers mean and records it. Hints
 * only cause this call; nothing that came with them is used. Attempts that were asked about moments
 * ago are not asked about again.
 *
 * @returns the order's record as it stands now, or `null` for an order we never had a payment for.
 * @throws {@link PaymentsError} `store_unavailable`. A gateway that does not answer changes nothing
 * and is no error here: the record says what we last verified.
 */
export async function confirm<Tx>(
  context: FlowContext<Tx>,
  { orderId, everySession }: ConfirmRequest,
): Promise<Confirmation> {
  const { store, clock } = context;
  const before = await loadRecord(store, orderId);
  if (before === null || !isWorthLooking(before, everySession)) {
    return { record: before, hasAsked: false, hasEvidence: false };
  }
  const now = clock.now();
  const look = await store.beginLook({ orderId, now, leaseMs: LOOK_LEASE_MS, everySession });
  if (look === null) return { record: null, hasAsked: false, hasEvidence: false };
  let { record } = look;
  const answers: boolean[] = [];
  const failures: unknown[] = [];
  for (const attempt of look.taken) {
    // One attempt's trouble must not hide the money on another.
    try {
      const rows = await askGateway(context, attempt);
      answers.push(rows !== null);
      record = await settleLook(context, record, attempt, rows);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  const hasAsked = answers.length > 0;
  return { record, hasAsked, hasEvidence: hasAsked && answers.every(Boolean) };
}

function isWorthLooking(record: PaymentRecord, everySession: boolean): boolean {
  return record.attempts.some(
    ({ state }) => state === 'open' || (everySession && state !== 'creating'),
  );
}

/** @returns `null` when there is no evidence: an error says nothing about the money. */
async function askGateway<Tx>(
  { gateway, logger }: FlowContext<Tx>,
  attempt: Attempt,
): Promise<readonly EvidenceRow[] | null> {
  if (attempt.sessionId === null) return null;
  try {
    const { transactions } = await gateway.retrieveStatus({ sessionId: attempt.sessionId });
    return transactions;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const { orderId, number } = attempt;
    const { code, httpStatus } = error;
    logger.warn({ orderId, attempt: number, code, httpStatus }, 'the gateway gave no evidence');
    return null;
  }
}

/** Records what a look found, and says when to look again while the attempt is watched. */
async function settleLook<Tx>(
  context: FlowContext<Tx>,
  before: PaymentRecord,
  attempt: Attempt,
  rows: readonly EvidenceRow[] | null,
): Promise<PaymentRecord> {
  const { store, clock, random } = context;
  const record = rows === null ? before : await recordVerdict(context, before, attempt, rows);
  const isSettled = record.attempts.some(
    ({ number, state }) => number === attempt.number && state === 'settled',
  );
  if (!isSettled) {
    const now = clock.now();
    // Without an answer nothing is over, however old the session is.
    const next = nextLook(attempt, now, random()) ?? (rows === null ? now + SILENCE_MS : null);
    await store.endLook(attempt, next);
  }
  return record;
}

/** Decides, commits, and decides again on what others left, until it stands. */
async function recordVerdict<Tx>(
  context: FlowContext<Tx>,
  start: PaymentRecord,
  attempt: Attempt,
  rows: readonly EvidenceRow[],
): Promise<PaymentRecord> {
  const takenBy = new Map<TransactionId, string>();
  let record = start;
  for (let decisions = 0; decisions < MAX_DECISIONS; decisions += 1) {
    const change = decide(record, attempt, rows, takenBy, context.clock.now());
    if (change === null) return record;
    const result = await commitChange(context, change);
    if (result.outcome === 'committed') return afterChange(record, change);
    if (result.outcome === 'transaction_taken') {
      takenBy.set(transactionId(result.transactionId), result.orderId);
    } else {
      record = (await loadRecord(context.store, attempt.orderId)) ?? record;
    }
  }
  return record;
}

function decide(
  record: PaymentRecord,
  attempt: Attempt,
  rows: readonly EvidenceRow[],
  takenBy: ReadonlyMap<TransactionId, string>,
  now: number,
): Change | null {
  const bound = record.ledger.map((row) => [row.transactionId, row.orderId] as const);
  const verdict = judge({ attempt, rows, boundTo: new Map([...bound, ...takenBy]) });
  const change = transition(record, attempt, verdict, now);
  return change ?? (verdict.kind === 'money' ? null : expire(record, attempt, now));
}
