import type { PaymentRecord } from '../payments/payment-record.ts';
import { recordOf } from './rows.ts';
import type { Statements } from './sqlite-statements.ts';

/** Reads an order's rows; `null` when there are none. */
export function readRecord(sql: Statements, orderId: string): PaymentRecord | null {
  const payment = sql.payment.get(orderId);
  if (payment === undefined) return null;
  return recordOf({
    payment,
    attempts: sql.attempts.all(orderId),
    ledger: sql.ledger.all(orderId),
    reviews: sql.reviews.all(orderId),
    intents: sql.intents.all(orderId),
  });
}
