import { changeEntry, closedEntry } from '../../payments/audit.ts';
import type { Change, CheckEnd, PaymentEvent } from '../../payments/payment-record.ts';
import {
  attemptColumns,
  operationColumns,
  ledgerColumns,
  paymentColumns,
  reviewColumns,
  valuesOf,
} from '../columns.ts';
import { RefusedChange } from '../refused-change.ts';
import { text } from '../rows.ts';
import { readRecord } from './record.ts';
import type { Statements } from './statements.ts';
import { CHECK_GAP_MS, type CommitResult } from '../store.ts';

/**
 * Writes a change inside the open transaction. Nothing is written where the payment has changed.
 *
 * @param runHook - Runs the merchant's own writes for one event.
 * @throws {@link RefusedChange} when a transaction or an operation is taken; what was written by then
 * is to be undone.
 */
export function writeChange(
  sql: Statements,
  change: Change,
  runHook: (event: PaymentEvent) => void,
): CommitResult {
  const { payment } = change;
  const writePayment = payment.version === 1 ? sql.insertPayment : sql.updatePayment;
  const { changes } = writePayment.run(...valuesOf(paymentColumns, payment));
  if (changes === 0) {
    return { outcome: 'conflict', record: readRecord(sql, payment.orderId) };
  }
  for (const one of change.attempts) sql.putAttempt.run(...valuesOf(attemptColumns, one));
  writeLedger(sql, change);
  for (const item of change.reviews) sql.putReview.run(...valuesOf(reviewColumns, item));
  for (const operation of change.operations) {
    const written = sql.putOperation.run(...valuesOf(operationColumns, operation));
    if (written.changes === 0) {
      throw new RefusedChange({ outcome: 'operation_taken', operationId: operation.id });
    }
  }
  const at = payment.updatedAt;
  sql.insertAudit.run(payment.orderId, at, JSON.stringify(changeEntry(change)));
  for (const event of change.events) {
    sql.insertEvent.run(event.id, event.orderId, event.type, JSON.stringify(event), at);
    runHook(event);
  }
  if (change.checkEnd !== undefined) writeCheckEnd(sql, payment.orderId, change.checkEnd, at);
  return { outcome: 'committed' };
}

/** Writes the end of a status check inside the open transaction. */
export function writeCheckEnd(
  sql: Statements,
  orderId: string,
  { attemptNumber, checkedAt, nextCheckAt }: CheckEnd,
  now: number,
): void {
  const values = [orderId, attemptNumber, checkedAt, nextCheckAt, CHECK_GAP_MS, now] as const;
  const ended = sql.endStatusCheck.get(...values);
  if (ended === undefined) sql.endClosedCheck.run(...values);
  if (ended?.['state'] !== 'closed') return;
  sql.insertAudit.run(orderId, now, JSON.stringify(closedEntry(attemptNumber, now)));
}

function writeLedger(sql: Statements, { ledger }: Change): void {
  for (const row of ledger) {
    const { changes } = sql.putLedger.run(...valuesOf(ledgerColumns, row));
    if (changes !== 0) continue;
    const { transactionId } = row;
    throw new RefusedChange({
      outcome: 'transaction_taken',
      transactionId,
      orderId: text(sql.ownerOf.get(transactionId) ?? {}, 'order_id'),
    });
  }
}
