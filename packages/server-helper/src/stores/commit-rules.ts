import { attemptName, transactionKey } from '../ids.ts';
import type { Attempt } from '../payments/attempt.ts';
import type { Change } from '../payments/payment-record.ts';
import { endedCheck } from './check-rules.ts';
import type { CommitResult } from './store.ts';

/** The stored facts that a change may contradict. */
export interface StoredFacts {
  /** The payment's version; 0 without a payment. */
  readonly version: number;
  /** @param key - The transaction's {@link transactionKey}. */
  orderOfTransaction(key: string): string | undefined;
  orderOfOperation(operationId: string): string | undefined;
}

/** Why a store refuses a change, or `null` when it does not. */
export function refusalOf(
  { payment, ledger, operations }: Change,
  stored: StoredFacts,
): CommitResult | null {
  const isOfAnother = (orderId: string | undefined): boolean =>
    orderId !== undefined && orderId !== payment.orderId;
  if (stored.version !== payment.version - 1) return { outcome: 'conflict' };
  for (const { transactionId } of ledger) {
    const orderId = stored.orderOfTransaction(transactionKey(transactionId));
    if (orderId !== undefined && isOfAnother(orderId)) {
      return { outcome: 'transaction_taken', transactionId, orderId };
    }
  }
  const taken = operations.find(({ id }) => isOfAnother(stored.orderOfOperation(id)));
  return taken === undefined ? null : { outcome: 'operation_taken', operationId: taken.id };
}

/** The attempts that a change writes. */
export interface WrittenAttempts {
  readonly attempts: readonly Attempt[];
  /** The attempt that the end of a status check closes, for the log. */
  readonly closed: Attempt | null;
}

/**
 * The attempts that a change writes, with the end of its status check. No change says when an
 * attempt ends, was checked or hinted at, so those times stay as stored.
 *
 * @param stored - The order's attempts.
 */
export function attemptsOf(change: Change, stored: readonly Attempt[]): WrittenAttempts {
  const written = change.attempts.map((attempt): Attempt => {
    const known = withNumber(stored, attempt.number) ?? attempt;
    const { expiresAt, lastCheckAt, hintedAt, unendedSince } = known;
    return { ...attempt, expiresAt, lastCheckAt, hintedAt, unendedSince };
  });
  const end = change.checkEnd;
  if (end === undefined) return { attempts: written, closed: null };
  const isWritten = (one: Attempt): boolean => withNumber(written, one.number) !== undefined;
  const after = [...stored.filter((one) => !isWritten(one)), ...written];
  const before = withNumber(after, end.attempt.number);
  if (before === undefined) return { attempts: written, closed: null };
  const ended = endedCheck(before, end, after, change.payment.updatedAt);
  if (ended === before) return { attempts: written, closed: null };
  const others = written.filter(({ number }) => number !== ended.number);
  return { attempts: [...others, ended], closed: ended.state === before.state ? null : ended };
}

const withNumber = (attempts: readonly Attempt[], wanted: number): Attempt | undefined =>
  attempts.find(({ number }) => number === wanted);

/**
 * Refuses a change that no store can hold: rows of another order, one row twice, a misnamed
 * attempt, or the character U+0000, which PostgreSQL cannot store. Such a change is a defect of a
 * flow.
 *
 * @param entry - The change as text, for the log.
 * @throws when the change is one of these.
 */
export function checkChange(change: Change, entry: string): void {
  const { payment, attempts, ledger, reviews, operations, events, movements = [] } = change;
  const rows = [...attempts, ...ledger, ...reviews, ...operations, ...events, ...movements];
  const keys = [
    ...attempts.map(({ number }) => `attempt ${number}`),
    ...ledger.map(({ transactionId }) => `transaction ${transactionKey(transactionId)}`),
    ...reviews.map(({ reason, subject }) => `review ${reason} ${subject}`),
    ...operations.map(({ id }) => `operation ${id}`),
    ...events.map(({ id }) => `event ${id}`),
  ];
  const isMisnamed = attempts.some(
    ({ orderId, number, merchantOrderId }) => merchantOrderId !== attemptName(orderId, number),
  );
  if (
    rows.some(({ orderId }) => orderId !== payment.orderId) ||
    new Set(keys).size < keys.length ||
    isMisnamed ||
    NUL.test(entry)
  ) {
    throw new Error(`The change of the order ${payment.orderId} contradicts itself.`);
  }
}

/** U+0000 in JSON: an escape that is not itself escaped. */
const NUL = /(?<!\\)(?:\\\\)*\\u0000/;

/**
 * Whether a change only reserves the names of payment links. Such a change may be lost: a shopper
 * learns the address of a link from a later change, which opens the link, and no money arrives
 * before that. A sale is no reservation, since its card is charged at once.
 */
export function isReservation(change: Change): boolean {
  const { attempts, ledger, reviews, operations, events, checkEnd } = change;
  const others = ledger.length + reviews.length + operations.length + events.length;
  return (
    others === 0 &&
    checkEnd === undefined &&
    attempts.length > 0 &&
    attempts.every(({ kind, state }) => kind === 'link' && state === 'creating')
  );
}
