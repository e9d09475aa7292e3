import { GatewayError, type GatewayErrorCode } from '../gateway/gateway-error.ts';
import type { GatewayClient } from '../gateway/gateway-client.ts';
import { partOf } from '../gateway/partial-status.ts';
import type { Attempt } from '../payments/attempt.ts';
import { judge } from '../payments/judge.ts';
import type { PaymentState } from '../payments/payment.ts';
import type { PaymentRecord } from '../payments/payment-record.ts';
import { transition } from '../payments/transition.ts';

/** What the gateway says of one attempt, held against our record of it. */
export type Comparison =
  | { readonly outcome: 'same' }
  /** Recording the gateway's word would change the payment, from a state to a state. */
  | { readonly outcome: 'differs'; readonly from: PaymentState; readonly to: PaymentState }
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
    const boundTo = new Map(record.ledger.map((row) => [row.transactionId, row.orderId] as const));
    const verdict = judge({ attempt, rows: status.transactions, isWhole, boundTo });
    const change = transition(record, attempt, verdict, now);
    if (change !== null) {
      return { outcome: 'differs', from: record.payment.state, to: change.payment.state };
    }
    return isWhole ? { outcome: 'same' } : { outcome: 'silent', code: 'partial_answer' };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    // It knows of no such session, so there is no money on it.
    return error.code === 'not_found'
      ? { outcome: 'same' }
      : { outcome: 'silent', code: error.code };
  }
}
