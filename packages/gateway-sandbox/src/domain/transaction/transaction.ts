import { balanceOf, endEntry, hasDone } from '../money/ledger.ts';
import type { LedgerEntry } from '../money/ledger.ts';
import type { Environment } from '../session/session.ts';
import type { TestCard } from './cards.ts';
import { approvedCode, declineReason } from './cards.ts';
import type { DecidedBy, SideEffects } from './outcome.ts';

/** §2.2; both SUCCESS and FAILED are final (N5). */
export type TransactionStatus = 'SUCCESS' | 'FAILED' | 'PENDING';

/** How a transaction came to be. */
export type PaymentMethod = 'card' | 'apple-pay' | 'saved-card' | 'sale' | 'recurring';

/** The stored part of a charged card. */
export interface StoredCard extends TestCard {
  /** Epoch milliseconds; from this instant on the card has expired. */
  readonly goodUntil: number;
}

/** A 3-D Secure challenge between a transaction and its answer. */
export interface Challenge {
  readonly id: string;
  /** `never-returns`: the issuer's page gives no answer, to any step of the shopper. */
  readonly kind: 'one-time-password' | 'never-returns';
  /** Epoch milliseconds; at this instant the time limit has passed. Null: no limit. */
  readonly openUntil: number | null;
  readonly wrongPasswords: number;
  /** The result of the last password, for the page. */
  readonly lastPassword: 'wrong' | 'expired' | null;
  /** The response code that a passed challenge leads to. */
  readonly codeAfter: string;
}

export interface Transaction {
  readonly id: string;
  readonly sessionId: string;
  /** The numeric name of §2.3, for reconciliation only. */
  readonly paymentId: string;
  readonly method: PaymentMethod;
  /** Every movement of its money, oldest first; `entries[0]` is the payment itself. */
  readonly entries: readonly LedgerEntry[];
  /**
   * The amount of the status row: the requested amount or, of a captured authorization, the
   * captured amount.
   */
  readonly amountMinor: number;
  /** Follows from the entries: see `withEntries`. */
  readonly status: TransactionStatus;
  /** Null while the issuer has not answered. */
  readonly responseCode: string | null;
  /** The later answer of the issuer to a payment that waits; null otherwise. */
  readonly awaitedCode: string | null;
  readonly card: StoredCard;
  readonly decidedBy: DecidedBy;
  /** Retrieval reference number: twelve digits. */
  readonly rrn: string;
  readonly createdAt: number;
  /** Which rendering of the form sent it; a second submission of the same form is no second try. */
  readonly formKey: string | null;
  readonly challenge: Challenge | null;
  /** Drawn when recurring was asked for; worth something once the payment was approved (N10). */
  readonly recurringToken: string | null;
  /** The later side effects of a magic amount. */
  readonly sideEffects: SideEffects;
}

/** A challenge's time limit; assumed, the specification says nothing of 3-D Secure's duration. */
export const challengeLimitMs = 10 * 60 * 1000;

/** Whether the issuer has not answered the payment itself yet. */
export function isOpen(transaction: Transaction): boolean {
  return transaction.responseCode === null;
}

/** Whether a shopper can answer the transaction's challenge now. */
export function hasOpenChallenge(transaction: Transaction): boolean {
  return isOpen(transaction) && transaction.challenge !== null;
}

/** Whether the issuer held or took the money. */
export function isApproved(transaction: Transaction): boolean {
  return transaction.responseCode === approvedCode;
}

/** Whether one of these transactions failed. */
export function hasFailed(transactions: readonly Transaction[]): boolean {
  return transactions.some(({ status }) => status === 'FAILED');
}

/** The token for recurring charges, once the payment was approved (N10). */
export function tokenOf(transaction: Transaction): string | null {
  return isApproved(transaction) ? transaction.recurringToken : null;
}

/** The transaction with the issuer's answer. A transaction that has an answer keeps it. */
export function settle(transaction: Transaction, responseCode: string, at: number): Transaction {
  const [payment] = transaction.entries;
  if (payment === undefined || !isOpen(transaction)) return transaction;
  const reason = declineReason(responseCode);
  const entries = endEntry(transaction.entries, payment.id, { reason, at });
  return withEntries({ ...transaction, responseCode }, entries);
}

/** The transaction with these entries; its status fields follow from them. */
export function withEntries(
  transaction: Transaction,
  entries: readonly LedgerEntry[],
): Transaction {
  return {
    ...transaction,
    entries,
    status: statusFrom(entries),
    amountMinor: amountFrom(entries),
  };
}

/** The transaction as it was at an instant; of one that is younger, only the open payment is there. */
export function asOf(transaction: Transaction, at: number): Transaction {
  const known = transaction.entries
    .filter(({ createdAt }, index) => index === 0 || createdAt <= at)
    .map((entry) =>
      (entry.finishedAt ?? at) <= at
        ? entry
        : ({ ...entry, result: 'pending', finishedAt: null, reason: null } as const),
    );
  const responseCode = known[0]?.result === 'pending' ? null : transaction.responseCode;
  return withEntries({ ...transaction, responseCode }, known);
}

/**
 * A purchase is over when the issuer answered. An authorization stays PENDING until it is captured
 * (SUCCESS) or voided (FAILED).
 */
export function statusFrom(entries: readonly LedgerEntry[]): TransactionStatus {
  const [payment] = entries;
  if (payment === undefined || payment.result === 'pending') return 'PENDING';
  if (payment.result === 'failed') return 'FAILED';
  if (payment.kind === 'purchase' || hasDone(entries, 'capture')) return 'SUCCESS';
  return hasDone(entries, 'void') ? 'FAILED' : 'PENDING';
}

/** The captured amount, else the requested amount. */
export function amountFrom(entries: readonly LedgerEntry[]): number {
  const { capturedMinor } = balanceOf(entries);
  return capturedMinor > 0 ? capturedMinor : (entries[0]?.amountMinor ?? 0);
}

/** The reason when there is no authorization to capture or to void. */
export type AuthorizationRefusal =
  | 'no-authorization'
  | 'not-authorized'
  | 'already-captured'
  | 'voided';

/** Null when the transaction is an authorization that is neither captured nor voided. */
export function refusalOfAuthorization(transaction: Transaction): AuthorizationRefusal | null {
  const { entries } = transaction;
  if (entries[0]?.kind !== 'authorization') return 'no-authorization';
  if (hasDone(entries, 'capture')) return 'already-captured';
  if (hasDone(entries, 'void')) return 'voided';
  return isApproved(transaction) ? null : 'not-authorized';
}

/** A card that a customer paid with before; the phone identifies the customer. */
export interface SavedCard {
  readonly id: string;
  readonly environment: Environment;
  readonly customerKey: string;
  readonly card: StoredCard;
}
