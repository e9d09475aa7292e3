import type { Attempt } from '../payments/attempt.ts';
import type { PaymentRecord } from '../payments/payment-record.ts';

/** Asks to check one of an order's attempts now. */
export interface CheckRequest {
  readonly orderId: string;
  readonly now: number;
  /** How long the attempt is leased to this caller, in milliseconds. */
  readonly leaseMs: number;
  /** Whether sessions that are not watched any more are checked too: succeeded and closed ones. */
  readonly everySession: boolean;
  /** Whether an order that has its money is left alone: nothing is taken then. */
  readonly unlessHasMoney: boolean;
  /**
   * Which attempt; `null` for the one whose turn it is: the one checked longest ago. An attempt that
   * awaits a hint gives its turn to that one as well, unless every session is asked about.
   */
  readonly attemptNumber: number | null;
}

/** The record, and the attempt that this caller took for a status check, if any. */
export interface StartedStatusCheck {
  readonly record: PaymentRecord;
  readonly taken: Attempt | null;
}

/** An attempt that is due for a status check. */
export interface DueAttempt {
  readonly orderId: string;
  readonly attemptNumber: number;
}

/** Which of the due attempts are wanted. Times are milliseconds since the epoch. */
export interface WantedAttempts {
  /** Only those that are due since after this. */
  readonly dueAfter: number;
  /** Only those made after this, and those with a hint that no status check has followed yet. */
  readonly madeAfter: number;
  /** Of those made after `madeAfter` only these: the age grew by half since the last status check. */
  readonly bySchedule: boolean;
}

/** All that are due. */
export const everyAttempt: WantedAttempts = { dueAfter: 0, madeAfter: 0, bySchedule: false };
