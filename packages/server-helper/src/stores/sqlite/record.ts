import type { SQLOutputValue, StatementSync } from 'node:sqlite';
import type { PaymentRecord } from '../../payments/payment-record.ts';
import { attemptColumns, paymentColumns } from '../columns.ts';
import { recordOf, type Row } from '../rows.ts';

const paymentNames = Object.keys(paymentColumns);
const attemptNames = Object.keys(attemptColumns);
/** Tables in which most orders have no row. They are read only where a row exists. */
const others = ['ledger', 'reviews', 'operations'] as const;
const ATTEMPT_AT = paymentNames.length;
const OTHERS_AT = ATTEMPT_AT + attemptNames.length;

/** The statements that a record is read with. */
type RecordStatements = Readonly<Record<'record' | (typeof others)[number], StatementSync>>;

/**
 * Prepares the one statement that most orders are read with: a row for each attempt, each with the
 * payment in it and with whether there is more. Rows come as lists, which take half the time.
 */
export function prepareRecord(prepare: (sql: string) => StatementSync): StatementSync {
  const columns = [
    ...paymentNames.map((name) => `p.${name}`),
    ...attemptNames.map((name) => `a.${name}`),
    ...others.map((name) => `EXISTS (SELECT 1 FROM pay_${name} WHERE order_id = ?1)`),
  ];
  const statement = prepare(`
    SELECT ${columns.join(', ')} FROM pay_payments p LEFT JOIN pay_attempts a USING (order_id)
    WHERE p.order_id = ?1 ORDER BY a.number`);
  statement.setReturnArrays(true);
  return statement;
}

/** Reads an order's rows; `null` when there are none. */
export function readRecord(sql: RecordStatements, orderId: string): PaymentRecord | null {
  const rows = sql.record.all(orderId) as unknown as readonly (readonly SQLOutputValue[])[];
  const [first] = rows;
  if (first === undefined) return null;
  const has = named(others, first, OTHERS_AT);
  const restOf = (name: (typeof others)[number]): readonly Row[] =>
    has[name] === 1 ? sql[name].all(orderId) : [];
  return recordOf({
    payment: named(paymentNames, first, 0),
    attempts:
      first[ATTEMPT_AT] === null ? [] : rows.map((row) => named(attemptNames, row, ATTEMPT_AT)),
    ledger: restOf('ledger'),
    reviews: restOf('reviews'),
    operations: restOf('operations'),
  });
}

/** A part of a list of values, by names. */
function named(names: readonly string[], values: readonly SQLOutputValue[], from: number): Row {
  const row: Record<string, SQLOutputValue | undefined> = {};
  for (const [index, name] of names.entries()) row[name] = values[from + index];
  return row;
}
