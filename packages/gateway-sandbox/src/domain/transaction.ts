import { approvedCode, declineReason } from './outcome.ts';
import type { CardEntry, TestCard, DecidedBy, Decision, SideEffects } from './outcome.ts';
import type { LinkRequest } from './requests.ts';

/** The gateway's two environments; a credential and a checkout session belong to exactly one. */
export type Environment = 'staging' | 'production';

/** §2.1: a checkout session can be paid for 48 hours after its creation. */
export const sessionLifeMs = 48 * 60 * 60 * 1000;

/** A checkout session, and what its request asked for. */
export interface Session extends LinkRequest {
  readonly id: string;
  /**
   * A payment link's session is the specification's. A sale and a recurring charge get one of their
   * own inside the sandbox only: no page shows it, nothing else pays it, and the wire never names it.
   */
  readonly kind: 'link' | 'sale' | 'recurring';
  readonly environment: Environment;
  readonly createdAt: number;
  expiresAt: number;
  /** The transaction that paid the session; null while nothing has. */
  paidBy: Transaction | null;
  /** In their order, which is the order of the status rows. */
  attempts: readonly Transaction[];
}

/** Payable before `expiresAt` and no longer at it; EXPIRED is the sandbox's own word (N3). */
export function sessionState(session: Session, now: number) {
  if (session.paidBy !== null) return 'PAID';
  return now < session.expiresAt ? 'PENDING' : 'EXPIRED';
}

/** The kinds of movements; the first one is a purchase or an authorization. */
export type EntryKind = 'purchase' | 'authorization' | 'capture' | 'void' | 'refund';

/** `pending` is open; `done` moved money (or held or freed it), `failed` did not. Both are final. */
type EntryResult = 'pending' | 'done' | 'failed';

export interface LedgerEntry {
  /** Of a refund it is the wire's `refundId`. */
  readonly id: string;
  readonly kind: EntryKind;
  readonly amountMinor: number;
  result: EntryResult;
  readonly createdAt: number;
  finishedAt: number | null;
  /** Why it failed, in the words of the wire; null otherwise. */
  reason: string | null;
  /** Of a pending refund: why it will fail; null when it will not. */
  readonly plannedReason: string | null;
}

/** The first movement is the payment itself. */
export type Entries = [payment: LedgerEntry, ...moves: LedgerEntry[]];

export function newEntry(
  entry: Pick<LedgerEntry, 'id' | 'kind' | 'amountMinor' | 'createdAt'>,
  plannedReason: string | null = null,
): LedgerEntry {
  return { ...entry, result: 'pending', finishedAt: null, reason: null, plannedReason };
}

export function endEntry(entry: LedgerEntry, reason: string | null, at: number): void {
  entry.result = reason === null ? 'done' : 'failed';
  entry.finishedAt = at;
  entry.reason = reason;
}

/** Every statement about a transaction's money is derived from its ledger here. */
export function balanceOf(entries: readonly LedgerEntry[]) {
  const sum = (result: EntryResult, ...kinds: EntryKind[]): number =>
    entries
      .filter((entry) => entry.result === result && kinds.includes(entry.kind))
      .reduce((total, { amountMinor }) => total + amountMinor, 0);
  const capturedMinor = sum('done', 'purchase', 'capture');
  const refundedMinor = sum('done', 'refund');
  const pendingRefundMinor = sum('pending', 'refund');
  return {
    /** The amount that the issuer granted: held by an authorization or taken by a purchase. */
    authorizedMinor: sum('done', 'purchase', 'authorization'),
    capturedMinor,
    refundedMinor,
    /** The refunded amount that was accepted and has not settled (X6). */
    pendingRefundMinor,
    refundableMinor: capturedMinor - refundedMinor - pendingRefundMinor,
  };
}

/** §3: NONE, then PARTIAL, then FULL when all that was taken is refunded. */
export function refundStatusOf(balance: ReturnType<typeof balanceOf>) {
  const { capturedMinor, refundedMinor } = balance;
  if (refundedMinor === 0) return 'NONE';
  return refundedMinor < capturedMinor ? 'PARTIAL' : 'FULL';
}

export function hasDone(entries: readonly LedgerEntry[], kind: EntryKind): boolean {
  return entries.some((entry) => entry.kind === kind && entry.result === 'done');
}

/** §2.2; both SUCCESS and FAILED are final (N5). */
export type TransactionStatus = 'SUCCESS' | 'FAILED' | 'PENDING';

export type PaymentMethod = 'card' | 'apple-pay' | 'saved-card' | 'sale' | 'recurring';

export type StoredCard = TestCard & Pick<CardEntry, 'goodUntil'>;

/** A challenge's time limit; assumed, the specification says nothing of 3-D Secure's duration. */
export const challengeLimitMs = 10 * 60 * 1000;

/** A 3-D Secure challenge between a transaction and its answer. */
export type Challenge = ReturnType<typeof newChallenge>;

export function newChallenge(
  id: string,
  { returns, codeAfter }: Extract<Decision, { kind: 'challenge' }>,
  now: number,
) {
  return {
    id,
    /** False: the issuer's page gives no answer, to any step of the shopper. */
    returns,
    /** Epoch milliseconds; at this instant the time limit has passed. Null: no limit. */
    openUntil: returns ? now + challengeLimitMs : null,
    wrongPasswords: 0,
    /** The result of the last password, for the page. */
    lastPassword: null as 'wrong' | 'expired' | null,
    /** The response code that a passed challenge leads to. */
    codeAfter,
  };
}

export interface Transaction {
  readonly id: string;
  readonly session: Session;
  /** The numeric name of §2.3, for reconciliation only. */
  readonly paymentId: string;
  readonly method: PaymentMethod;
  /** Every movement of its money, oldest first. */
  readonly entries: Entries;
  /** What was asked for or, of a captured authorization, what was captured. */
  amountMinor: number;
  /** Follows from the entries: see `followEntries`. */
  status: TransactionStatus;
  /** Null while the issuer has not answered. */
  responseCode: string | null;
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

/** Whether the issuer has not answered the payment itself yet. */
export function isOpen(transaction: Transaction): boolean {
  return transaction.responseCode === null;
}

export function hasOpenChallenge(transaction: Transaction): boolean {
  return isOpen(transaction) && transaction.challenge !== null;
}

/** Whether the issuer held or took the money. */
export function isApproved(transaction: Transaction): boolean {
  return transaction.responseCode === approvedCode;
}

export function hasFailed({ attempts }: Session): boolean {
  return attempts.some(({ status }) => status === 'FAILED');
}

/** The token for recurring charges, once the payment was approved (N10). */
export function tokenOf(transaction: Transaction): string | null {
  return isApproved(transaction) ? transaction.recurringToken : null;
}

/** Gives a payment the issuer's answer, and answers its entry; null: it had an answer before. */
export function answerPayment(
  transaction: Transaction,
  responseCode: string,
  at: number,
): LedgerEntry | null {
  if (!isOpen(transaction)) return null;
  const [payment] = transaction.entries;
  transaction.responseCode = responseCode;
  endEntry(payment, declineReason(responseCode), at);
  return payment;
}

export function followEntries(transaction: Transaction): void {
  transaction.status = statusFrom(transaction.entries);
  transaction.amountMinor = amountFrom(transaction.entries);
}

/** The transaction as it was at an instant; of one that is younger, only the open payment is there. */
export function asOf(transaction: Transaction, at: number): Transaction {
  const [payment, ...moves] = transaction.entries;
  const then = (entry: LedgerEntry) =>
    (entry.finishedAt ?? at) <= at ? entry : newEntry(entry, entry.plannedReason);
  const begun = moves.filter(({ createdAt }) => createdAt <= at);
  const entries: Entries = [then(payment), ...begun.map(then)];
  const responseCode = entries[0].result === 'pending' ? null : transaction.responseCode;
  const past = { ...transaction, responseCode, entries };
  followEntries(past);
  return past;
}

/** An authorization stays PENDING until it is captured (SUCCESS) or voided (FAILED). */
export function statusFrom(entries: Readonly<Entries>): TransactionStatus {
  const [payment] = entries;
  if (payment.result === 'pending') return 'PENDING';
  if (payment.result === 'failed') return 'FAILED';
  if (payment.kind === 'purchase' || hasDone(entries, 'capture')) return 'SUCCESS';
  return hasDone(entries, 'void') ? 'FAILED' : 'PENDING';
}

export function amountFrom(entries: Readonly<Entries>): number {
  const { capturedMinor } = balanceOf(entries);
  return capturedMinor > 0 ? capturedMinor : entries[0].amountMinor;
}
