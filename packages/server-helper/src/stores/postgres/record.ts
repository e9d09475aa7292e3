import type { PaymentRecord } from '../../payments/payment-record.ts';
import { optionalWhole, recordOf, text, type RecordRows, type Row } from '../rows.ts';

const rowsOfOrder = (table: string): string =>
  `(SELECT coalesce(json_agg(r), '[]') FROM ${table} r WHERE r.order_id = p.order_id)`;

/**
 * An order's rows, of the payment `p`. As text: a merchant may have set another way to parse JSON
 * on the driver that the store shares.
 */
export const recordJson = `json_build_object('payment', p,
      'attempts', ${rowsOfOrder('pay_attempts')}, 'ledger', ${rowsOfOrder('pay_ledger')},
      'reviews', ${rowsOfOrder('pay_reviews')},
      'operations', ${rowsOfOrder('pay_operations')})::text`;

/** An order's record, and when any of its attempts was last checked. */
export interface StoredOrder {
  readonly record: PaymentRecord;
  readonly lastCheckAt: number | null;
}

/** Reads an order's rows; `null` without any. Each kind is sorted here: most orders have few. */
export function readOrder(row: Row | undefined): StoredOrder | null {
  if (row === undefined || row['record'] === null) return null;
  const rows = JSON.parse(text(row, 'record')) as RecordRows;
  const { payment, attempts, ledger, reviews, operations } = recordOf(rows);
  const record = {
    payment,
    attempts: attempts.toSorted((left, right) => left.number - right.number),
    ledger: ledger.toSorted((left, right) => left.recordedAt - right.recordedAt),
    reviews: reviews.toSorted((left, right) => left.createdAt - right.createdAt),
    operations: operations.toSorted(
      (left, right) => left.createdAt - right.createdAt || (left.id < right.id ? -1 : 1),
    ),
  };
  return { record, lastCheckAt: optionalWhole(rows.payment, 'last_check_at') };
}
