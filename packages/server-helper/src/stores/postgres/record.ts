import type { PaymentRecord } from '../../payments/payment-record.ts';
import { recordOf, type RecordRows } from '../rows.ts';

/**
 * Puts an order's rows together, each kind in its order: most orders have one row of a kind or none,
 * which costs the database less to hand over than to sort.
 */
export function recordInOrder(rows: RecordRows): PaymentRecord {
  const { payment, attempts, ledger, reviews, operations } = recordOf(rows);
  return {
    payment,
    attempts: attempts.toSorted((left, right) => left.number - right.number),
    ledger: ledger.toSorted((left, right) => left.recordedAt - right.recordedAt),
    reviews: reviews.toSorted((left, right) => left.createdAt - right.createdAt),
    operations: operations.toSorted(
      (left, right) => left.createdAt - right.createdAt || (left.id < right.id ? -1 : 1),
    ),
  };
}
