import {
  changedHints,
  type HintChange,
  type TransactionHint,
} from '../../payments/transaction-hint.ts';
import { transactionHintOf, writesOf } from '../transaction-hints.ts';
import type { Statements } from './statements.ts';

/** Reads an order's hints. */
export const readTransactionHints = (sql: Statements, orderId: string): TransactionHint[] =>
  sql.transactionHints.all(orderId).map(transactionHintOf);

/** Changes an order's hints, inside the open transaction. */
export function changeTransactionHints(
  sql: Statements,
  orderId: string,
  change: HintChange,
  now: number,
): void {
  if (sql.version.get(orderId) === undefined) return;
  const before = readTransactionHints(sql, orderId);
  const { removed, written } = writesOf(before, changedHints(before, change, now));
  for (const id of removed) sql.removeTransactionHint.run(orderId, id);
  for (const { transactionId, source, hintedAt, askedAt, answeredAt } of written) {
    sql.putTransactionHint.run(orderId, transactionId, source, hintedAt, askedAt, answeredAt);
  }
}
