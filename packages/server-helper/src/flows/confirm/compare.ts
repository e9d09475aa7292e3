import { GatewayError, type GatewayErrorCode } from '../../gateway/gateway-error.ts';
import type { GatewayClient } from '../../gateway/gateway-client.ts';
import { partOf } from '../../gateway/partial-status.ts';
import type { Attempt } from '../../payments/attempt.ts';
import type { EvidenceRow } from '../../payments/evidence.ts';
import { judge, type Verdict } from '../../payments/judge.ts';
import type { PaymentState } from '../../payments/payment.ts';
import type { PaymentRecord } from '../../payments/payment-record.ts';
import { transition } from '../../payments/transition.ts';

/**
 * How the gateway contradicts money that we recorded by its own word: it does not know the session ·
 * it does not name the transaction · it names the transaction, and does not confirm it any more.
 */
export type Discrepancy = 'session_unknown' | 'transaction_missing' | 'transaction_unconfirmed';

/** What the gateway says of one attempt, held against our record of it. */
export type Comparison =
  | { readonly outcome: 'same' }
  /** Recording the gateway's word would change the payment, from a state to a state. */
  | { readonly outcome: 'differs'; readonly from: PaymentState; readonly to: PaymentState }
  /** We hold money of which the gateway knows nothing; recording that would change nothing. */
  | {
      readonly outcome: 'contradicts';
      readonly from: PaymentState;
      readonly discrepancy: Discrepancy;
    }
  /** The gateway did not say, so nothing is known. */
  | { readonly outcome: 'silent'; readonly code: GatewayErrorCode | 'partial_answer' };

/** Asks the gateway about one attempt and compares, without recording anything. */
export async function compareAttempt(
  gateway: Pick<GatewayClient, 'retrieveStatus'>,
  record: PaymentRecord,
  attempt: Attempt,
  now: number,
): Promise<Comparison> {
  const { sessionId, transactionId } = attempt;
  const asked = sessionId === null ? { transactionId: transactionId ?? '' } : { sessionId };
  try {
    const status = await gateway.retrieveStatus(asked);
    const isWhole = partOf(status) === undefined;
    const found = compareRows(record, attempt, { rows: status.transactions, isWhole }, now);
    return isWhole || found.outcome !== 'same'
      ? found
      : { outcome: 'silent', code: 'partial_answer' };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const { code } = error;
    if (code === 'not_found') return compareUnknown(record, attempt);
    // One row that is unreadable does not hide another that says paid.
    const rows = partOf(error) ?? [];
    const found = compareRows(record, attempt, { rows, isWhole: false }, now);
    return found.outcome === 'same' ? { outcome: 'silent', code } : found;
  }
}

interface Answer {
  readonly rows: readonly EvidenceRow[];
  readonly isWhole: boolean;
}

function compareRows(
  record: PaymentRecord,
  attempt: Attempt,
  { rows, isWhole }: Answer,
  now: number,
): Comparison {
  const { state } = record.payment;
  const boundTo = new Map(record.ledger.map((row) => [row.transactionId, row.orderId] as const));
  const verdict = judge({ attempt, rows, isWhole, boundTo });
  const change = transition(record, attempt, verdict, now);
  if (change !== null) return { outcome: 'differs', from: state, to: change.payment.state };
  const discrepancy = isWhole ? discrepancyOf(moneyOf(record, attempt), rows, verdict) : undefined;
  return discrepancy === undefined
    ? { outcome: 'same' }
    : { outcome: 'contradicts', from: state, discrepancy };
}

/** A session that the gateway does not know can hold no money: it agrees where we hold none. */
function compareUnknown(record: PaymentRecord, attempt: Attempt): Comparison {
  const { state } = record.payment;
  return moneyOf(record, attempt).size === 0
    ? { outcome: 'same' }
    : { outcome: 'contradicts', from: state, discrepancy: 'session_unknown' };
}

/** The transactions whose money we recorded for an attempt; of a voided one there is none. */
function moneyOf({ payment, ledger }: PaymentRecord, { number }: Attempt): ReadonlySet<string> {
  if (payment.state === 'voided') return new Set();
  const own = ledger.filter(({ attemptNumber }) => attemptNumber === number);
  return new Set(own.map(({ transactionId }) => transactionId));
}

function discrepancyOf(
  money: ReadonlySet<string>,
  rows: readonly EvidenceRow[],
  verdict: Verdict,
): Discrepancy | undefined {
  const named = new Set<string>(rows.map(({ transactionId }) => transactionId));
  if ([...money].some((id) => !named.has(id))) return 'transaction_missing';
  return money.size > 0 && verdict.kind === 'nothing' ? 'transaction_unconfirmed' : undefined;
}
