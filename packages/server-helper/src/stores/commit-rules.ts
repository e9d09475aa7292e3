import { attemptName } from '../ids.ts';
import type { Attempt } from '../payments/attempt.ts';
import type { Change } from '../payments/payment-record.ts';
import { endedCheck } from './check-rules.ts';
import type { CommitResult } from './store.ts';

/** What is stored that a change may collide with. */
export interface StoredFacts {
  /** The payment's version; 0 without a payment. */
  readonly version: number;
  orderOfTransaction(transactionId: string): string | undefined;
  orderOfOperation(operationId: string): string | undefined;
}

/** Why a change must not be written, or `null`. */
export function refusalOf(
  { payment, ledger, operations }: Change,
  stored: StoredFacts,
): CommitResult | null {
  const isOfAnother = (orderId: string | undefined): boolean =>
    orderId !== undefined && orderId !== payment.orderId;
  if (stored.version !== payment.version - 1) return { outcome: 'conflict' };
  for (const { transactionId } of ledger) {
    const orderId = stored.orderOfTransaction(transactionId);
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
 * attempt was checked or hinted at, so those times stay as stored.
 *
 * @param stored - The order's attempts.
 */
export function attemptsOf(change: Change, stored: readonly Attempt[]): WrittenAttempts {
  const written = change.attempts.map((attempt): Attempt => {
    const { lastCheckAt, hintedAt } = withNumber(stored, attempt.number) ?? attempt;
    return { ...attempt, lastCheckAt, hintedAt };
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
 * Refuses what no store could keep: rows of another order, one row twice, a misnamed attempt, and
 * the character U+0000, which PostgreSQL cannot store. A flow that makes such a change is broken.
 *
 * @param entry - The change as text, for the log.
 * @throws when the change is one of these.
 */
export function checkChange(change: Change, entry: string): void {
  const { payment, attempts, ledger, reviews, operations, events } = change;
  const rows = [...attempts, ...ledger, ...reviews, ...operations, ...events];
  const keys = [
    ...attempts.map(({ number }) => `attempt ${number}`),
    ...ledger.map(({ transactionId }) => `transaction ${transactionId}`),
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
 * Whether a change does no more than to take the names of payment links that are yet to be asked
 * for. A shopper learns a link's address only from a later change, which opens the link, and money
 * comes only to an address that somebody has. A sale is different: its card is charged at once.
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
