import {
  attemptColumns,
  operationColumns,
  ledgerColumns,
  paymentColumns,
  reviewColumns,
} from './columns.ts';

/** How a database marks the n-th value of a statement: `?1` or `$1`. */
export type Placeholder = (position: number) => string;

/** The statements that write a change's rows; their values are the columns' in their order. */
export function writeStatements(at: Placeholder) {
  const insert = (table: string, columns: object, whatIfThere = ''): string => {
    const names = Object.keys(columns);
    const values = names.map((_, index) => at(index + 1));
    return `INSERT INTO ${table} (${names.join(', ')}) VALUES (${values.join(', ')}) ${whatIfThere}`;
  };
  const assign = (columns: object, names: readonly string[]): string =>
    names.map((name) => `${name} = ${position(columns, name)}`).join(', ');
  const position = (columns: object, name: string): string =>
    at(Object.keys(columns).indexOf(name) + 1);
  const version = position(paymentColumns, 'version');
  const changing = Object.keys(paymentColumns).filter((name) => name !== 'order_id');
  const own = (table: string, columns: object): string =>
    `${table}.order_id = ${position(columns, 'order_id')}`;
  return {
    insertPayment: insert('pay_payments', paymentColumns, 'ON CONFLICT DO NOTHING'),
    updatePayment: `UPDATE pay_payments SET ${assign(paymentColumns, changing)}
      WHERE ${own('pay_payments', paymentColumns)} AND version = ${version} - 1`,
    putAttempt: insert(
      'pay_attempts',
      attemptColumns,
      `ON CONFLICT (order_id, number) DO UPDATE SET ${assign(attemptColumns, [
        'state',
        'session_id',
        'redirect_url',
        'transaction_id',
        'next_check_at',
      ])}`,
    ),
    /** Changes no row when the transaction is another order's. */
    putLedger: insert(
      'pay_ledger',
      ledgerColumns,
      `ON CONFLICT (transaction_id) DO UPDATE SET ${assign(ledgerColumns, ['refunded'])}
        WHERE ${own('pay_ledger', ledgerColumns)}`,
    ),
    putReview: insert(
      'pay_reviews',
      reviewColumns,
      `ON CONFLICT (order_id, reason, transaction_id) DO UPDATE SET ${assign(reviewColumns, [
        'resolved_at',
        'resolution',
      ])}`,
    ),
    /** Changes no row when the id is another order's. */
    putOperation: insert(
      'pay_operations',
      operationColumns,
      `ON CONFLICT (id) DO UPDATE SET ${assign(operationColumns, [
        'state',
        'transaction_id',
        'reference',
        'reason',
        'updated_at',
      ])} WHERE ${own('pay_operations', operationColumns)}`,
    ),
  };
}
