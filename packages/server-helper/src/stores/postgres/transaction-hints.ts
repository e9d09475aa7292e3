import {
  changedHints,
  type HintChange,
  type TransactionHint,
} from '../../payments/transaction-hint.ts';
import { text, whole, type Row } from '../rows.ts';
import { transactionHintOf, writesOf } from '../transaction-hints.ts';
import type { PostgresConnections, Statement } from './connections.ts';

/** Scalar subqueries are always lookups; a database may read a whole table for EXISTS. */
const read: Statement = {
  name: 'pay_transaction_hints',
  text: `SELECT (SELECT count(*) FROM pay_payments WHERE order_id = $1) AS orders,
    (SELECT coalesce(json_agg(h), '[]') FROM pay_transaction_hints h WHERE order_id = $1)::text AS hints`,
};

/**
 * A hint that another process wrote meanwhile keeps the better source, and the later question. The rows
 * are locked in one order, so that two processes do not wait in a circle.
 */
const write: Statement = {
  name: 'pay_change_transaction_hints',
  text: `
  WITH locked AS MATERIALIZED (
    SELECT transaction_id FROM pay_transaction_hints WHERE order_id = $1
    ORDER BY transaction_id FOR UPDATE
  ), removed AS (
    DELETE FROM pay_transaction_hints
    WHERE order_id = $1 AND transaction_id = ANY ($2::text[])
      AND (SELECT count(*) FROM locked) >= 0
  )
  INSERT INTO pay_transaction_hints AS h
    (order_id, transaction_id, source, hinted_at, asked_at, answered_at)
  SELECT $1, n.transaction_id, n.source, n.hinted_at, n.asked_at, n.answered_at
  FROM jsonb_to_recordset($3::jsonb) AS n
    (transaction_id text, source text, hinted_at bigint, asked_at bigint, answered_at bigint)
  WHERE (SELECT count(*) FROM locked) >= 0
  ORDER BY n.transaction_id
  ON CONFLICT (order_id, transaction_id) DO UPDATE SET
    source = LEAST(h.source, excluded.source), asked_at = GREATEST(h.asked_at, excluded.asked_at),
    answered_at = GREATEST(h.answered_at, excluded.answered_at)`,
};

interface StoredHints {
  readonly hasOrder: boolean;
  readonly hints: readonly TransactionHint[];
}

/** Reads an order's hints. */
export async function readTransactionHints(
  connections: PostgresConnections,
  orderId: string,
): Promise<StoredHints> {
  const [row = {}] = (await connections.query(read, [orderId])).rows;
  const rows = JSON.parse(text(row, 'hints')) as Row[];
  return { hasOrder: whole(row, 'orders') > 0, hints: rows.map(transactionHintOf) };
}

/**
 * Changes an order's hints. Two processes that add hints at one moment may store a few more than the
 * rule allows; the next change waits until some of these were asked about.
 */
export async function changeTransactionHints(
  connections: PostgresConnections,
  orderId: string,
  change: HintChange,
  now: number,
): Promise<void> {
  const { hasOrder, hints } = await readTransactionHints(connections, orderId);
  const { removed, written } = writesOf(hints, changedHints(hints, change, now));
  if (!hasOrder || removed.length + written.length === 0) return;
  const rows = written.map((hint) => ({
    transaction_id: hint.transactionId,
    source: hint.source,
    hinted_at: hint.hintedAt,
    asked_at: hint.askedAt,
    answered_at: hint.answeredAt,
  }));
  await connections.query(write, [orderId, removed, JSON.stringify(rows)]);
}
