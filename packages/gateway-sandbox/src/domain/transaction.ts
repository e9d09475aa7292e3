import type { CardScheme } from './cards.ts';
import type { DecidedBy } from './outcome.ts';
import { approvedCode } from './response-codes.ts';

/** §2.2; both SUCCESS and FAILED are final (N5). */
export type TransactionStatus = 'SUCCESS' | 'FAILED' | 'PENDING';

/** What remains of a card once it was charged. */
export interface KeptCard {
  readonly firstSix: string;
  readonly lastFour: string;
  readonly scheme: CardScheme;
}

/** A 3-D Secure challenge that stands between a transaction and its answer. */
export interface Challenge {
  readonly id: string;
  /** `never-returns`: the issuer's page gives no answer, whatever the shopper does. */
  readonly kind: 'one-time-password' | 'never-returns';
  /** Epoch milliseconds; at this instant the time limit has passed. Null: no limit. */
  readonly openUntil: number | null;
  readonly wrongPasswords: number;
  /** What the last password was, so that the page can say it. */
  readonly lastPassword: 'wrong' | 'expired' | null;
  /** The response code that a passed challenge leads to. */
  readonly codeAfter: string;
}

export interface Transaction {
  readonly id: string;
  readonly sessionId: string;
  readonly amountMinor: number;
  readonly status: TransactionStatus;
  /** Null while the transaction is pending. */
  readonly responseCode: string | null;
  readonly card: KeptCard;
  readonly decidedBy: DecidedBy;
  /** Retrieval reference number: twelve digits. */
  readonly rrn: string;
  readonly createdAt: number;
  /** Which rendering of the form sent it; a second submission of the same form is no second try. */
  readonly formKey: string | null;
  readonly challenge: Challenge | null;
}

/** A challenge's time limit; assumed, the specification says nothing of 3-D Secure's duration. */
export const challengeLimitMs = 10 * 60 * 1000;

/** A time limit needs no one to notice it: read at or after that instant, the transaction failed. */
export function transactionAt(transaction: Transaction, now: number): Transaction {
  const limit = transaction.challenge?.openUntil ?? null;
  const timedOut = transaction.status === 'PENDING' && limit !== null && now >= limit;
  return timedOut ? settle(transaction, '3T') : transaction;
}

/** The transaction with the issuer's answer in it. */
export function settle(transaction: Transaction, responseCode: string): Transaction {
  const status = responseCode === approvedCode ? 'SUCCESS' : 'FAILED';
  return { ...transaction, status, responseCode };
}
