import type { TransactionId } from '../ids.ts';
import type { Money } from '../money.ts';

/** The kinds of operations: to move money, or to hold it. */
export type OperationKind = 'refund' | 'capture' | 'void' | 'recurring' | 'sale';

/**
 * `proposed` it waits for the approval of another person, and nothing was sent · `sending` committed
 * before its one POST, whose answer is not recorded yet · `pending` the gateway
 * accepted it, and no evidence shows it yet · `succeeded` it happened · `failed` it did not, and
 * nothing moved · `unknown` it may have happened: only evidence or a person shows it.
 */
export type OperationState =
  | 'proposed'
  | 'sending'
  | 'pending'
  | 'succeeded'
  | 'failed'
  | 'unknown';

/** One money operation that the merchant asked for. It is sent once, ever. */
export interface Operation {
  /** Unique over all orders; made of the merchant's own key, so that a repeat finds it. */
  readonly id: string;
  readonly orderId: string;
  readonly kind: OperationKind;
  readonly state: OperationState;
  /** The merchant's `requestId`, or the `periodKey` of a recurring charge. */
  readonly requestId: string;
  /** The attempt whose transaction it is about; a sale's own attempt. */
  readonly attemptNumber: number;
  /** From our own evidence; `null` for a sale that has none yet. */
  readonly transactionId: TransactionId | null;
  readonly amount: Money;
  /** The other terms of the request. A repeat must have the same terms. Holds nothing of a card. */
  readonly terms: string;
  /**
   * What the gateway's status showed when this was sent. For a refund: refunds beyond our own, or
   * {@link UNKNOWN_BASELINE}; for a capture: the amount already shown as paid.
   */
  readonly baselineMinorUnits: number;
  /** The call that committed it; only that call may send it. */
  readonly owner: string;
  /** The gateway's reference, where it gave one. */
  readonly reference: string | null;
  /**
   * The reason for the state: an error's code, `declined`, `evidence`, or the explanation of a
   * person.
   */
  readonly reason: string | null;
  /** The person who asked for it, where the caller said so. */
  readonly requestedBy: string | null;
  /** The person who approved what another one had proposed. */
  readonly approvedBy: string | null;
  /** The person who resolved it, where they said so. */
  readonly resolvedBy: string | null;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** When it was committed as `sending`; `null` for one that is proposed or was withdrawn. */
  readonly sentAt: number | null;
  readonly updatedAt: number;
}

/**
 * The baseline of a refund when the gateway did not answer just before. No total proves such a
 * refund after a lost answer, since another refund may explain the total.
 */
export const UNKNOWN_BASELINE = -1;

/**
 * After this time an operation that is still `sending` was left by a process that died or could not
 * record.
 */
export const SENDING_TIMEOUT_MS = 60_000;

/** The id of an operation with a merchant's request id. */
export const requestOperationId = (requestId: string): string => `request/${requestId}`;

/** The id of an order's recurring charge of one period. */
export const periodOperationId = (orderId: string, periodKey: string): string =>
  `period/${orderId}/${periodKey}`;

/** Whether it may still move money, or may have: it counts against every balance. */
export function isOutstanding({ state }: Operation): boolean {
  return state === 'sending' || state === 'pending' || state === 'unknown';
}

/** When it began to move money: a proposal, when it was approved. */
export const begunAt = ({ sentAt, createdAt }: Operation): number => sentAt ?? createdAt;

/** Whether evidence may still show its outcome. */
export function awaitsEvidence({ kind, state }: Operation): boolean {
  return (state === 'pending' || state === 'unknown') && kind !== 'recurring';
}

/** Whether its process died, or could not record the answer. */
export function isAbandoned(operation: Operation, now: number): boolean {
  const isOld = Math.abs(now - begunAt(operation)) >= SENDING_TIMEOUT_MS;
  return operation.state === 'sending' && isOld;
}
