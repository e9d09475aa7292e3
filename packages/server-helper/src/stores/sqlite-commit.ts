import type { Attempt } from '../payments/attempt.ts';
import type { Payment } from '../payments/payment.ts';
import type { Change, PaymentEvent } from '../payments/payment-record.ts';
import { RefusedChange } from './refused-change.ts';
import { text } from './rows.ts';
import type { Statements } from './sqlite-statements.ts';

/**
 * Writes a change inside the open savepoint.
 *
 * @param runHook - Runs the merchant's own writes for one event.
 * @throws {@link RefusedChange} when the payment has changed or a transaction is taken.
 */
export function writeChange(
  sql: Statements,
  change: Change,
  runHook: (event: PaymentEvent) => void,
): void {
  writePayment(sql, change.payment);
  for (const attempt of change.attempts) putAttempt(sql, attempt);
  for (const row of change.ledger) {
    const owner = sql.ownerOf.get(row.transactionId);
    if (owner !== undefined) {
      throw new RefusedChange({
        outcome: 'transaction_taken',
        transactionId: row.transactionId,
        orderId: text(owner, 'order_id'),
      });
    }
    sql.insertLedger.run(
      row.transactionId,
      row.orderId,
      row.attemptNumber,
      row.kind,
      row.amount.minorUnits,
      row.amount.currency,
      row.recordedAt,
    );
  }
  for (const item of change.reviews) {
    sql.insertReview.run(item.orderId, item.reason, item.transactionId, item.createdAt);
  }
  for (const event of change.events) {
    sql.insertEvent.run(event.id, event.orderId, JSON.stringify(event), change.payment.updatedAt);
    runHook(event);
  }
}

function writePayment(sql: Statements, payment: Payment): void {
  const statement = payment.version === 1 ? sql.insertPayment : sql.updatePayment;
  const { changes } = statement.run(
    payment.orderId,
    payment.amount.minorUnits,
    payment.amount.currency,
    payment.state,
    payment.cancelled ? 1 : 0,
    payment.transactionId,
    payment.refundedMinorUnits,
    payment.currentAttempt,
    payment.version,
    payment.updatedAt,
  );
  if (changes === 0) throw new RefusedChange({ outcome: 'conflict' });
}

function putAttempt(sql: Statements, attempt: Attempt): void {
  sql.putAttempt.run(
    attempt.orderId,
    attempt.number,
    attempt.merchantOrderId,
    attempt.amount.minorUnits,
    attempt.amount.currency,
    attempt.state,
    attempt.sessionId,
    attempt.redirectUrl,
    attempt.createdAt,
    attempt.expiresAt,
    attempt.nextLookAt,
  );
}
