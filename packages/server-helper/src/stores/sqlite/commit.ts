import type { Attempt } from '../../payments/attempt.ts';
import { changeEntry, closedEntry } from '../../payments/audit.ts';
import type { Change, PaymentEvent } from '../../payments/payment-record.ts';
import {
  attemptColumns,
  ledgerColumns,
  movementColumns,
  operationColumns,
  paymentColumns,
  reviewColumns,
  valuesOf,
} from '../columns.ts';
import { attemptsOf, checkChange, refusalOf, type StoredFacts } from '../commit-rules.ts';
import { text, whole, type Row } from '../rows.ts';
import type { CommitResult } from '../store.ts';
import { readRecord } from './record.ts';
import type { Statements } from './statements.ts';

/**
 * Writes a change inside the open transaction. Nothing is written when the change is refused.
 *
 * @param runHook - Runs the merchant's own writes for one event.
 */
export function writeChange(
  sql: Statements,
  change: Change,
  runHook: (event: PaymentEvent) => void,
): CommitResult {
  const { payment, events, movements = [] } = change;
  const { orderId, updatedAt } = payment;
  const entry = JSON.stringify(changeEntry(change));
  checkChange(change, entry);
  const refusal = refusalOf(change, factsOf(sql, orderId));
  if (refusal?.outcome === 'conflict') return { ...refusal, record: readRecord(sql, orderId) };
  if (refusal !== null) return refusal;
  const { attempts, closed } = attemptsOf(change, storedAttempts(sql, change));
  sql.putPayment.run(...valuesOf(paymentColumns, payment));
  for (const one of attempts) sql.putAttempt.run(...valuesOf(attemptColumns, one));
  for (const one of change.ledger) sql.putLedger.run(...valuesOf(ledgerColumns, one));
  for (const one of change.reviews) sql.putReview.run(...valuesOf(reviewColumns, one));
  for (const one of change.operations) sql.putOperation.run(...valuesOf(operationColumns, one));
  for (const one of movements) sql.insertMovement.run(...valuesOf(movementColumns, one));
  sql.insertAudit.run(orderId, updatedAt, entry);
  for (const event of events) {
    sql.insertEvent.run(event.id, orderId, event.type, JSON.stringify(event), updatedAt);
    runHook(event);
  }
  if (closed !== null) logClosed(sql, closed, updatedAt);
  return { outcome: 'committed' };
}

/** Writes the times of checks and hints of an attempt. */
export function writeWatch(sql: Statements, attempt: Attempt): void {
  const { orderId, number, state, lastCheckAt, nextCheckAt, hintedAt, unendedSince } = attempt;
  sql.watch.run(orderId, number, state, lastCheckAt, nextCheckAt, hintedAt, unendedSince);
}

/** Logs that an attempt is not watched any more. */
export function logClosed(sql: Statements, { orderId, number }: Attempt, now: number): void {
  sql.insertAudit.run(orderId, now, JSON.stringify(closedEntry(number, now)));
}

function factsOf(sql: Statements, orderId: string): StoredFacts {
  const stored = sql.version.get(orderId);
  return {
    version: stored === undefined ? 0 : whole(stored, 'version'),
    orderOfTransaction: (id) => orderIn(sql.orderOfTransaction.get(id)),
    orderOfOperation: (id) => orderIn(sql.orderOfOperation.get(id)),
  };
}

const orderIn = (row: Row | undefined): string | undefined =>
  row === undefined ? undefined : text(row, 'order_id');

/** The attempts that a change may concern. */
function storedAttempts(sql: Statements, { payment, attempts, checkEnd }: Change) {
  const concernsStored = payment.version > 1 && (attempts.length > 0 || checkEnd !== undefined);
  return concernsStored ? (readRecord(sql, payment.orderId)?.attempts ?? []) : [];
}
