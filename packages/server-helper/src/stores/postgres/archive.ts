import {
  archivePageStatement,
  hasOpenMatter,
  nextAfter,
  ordersOfPage,
  type ArchivedPage,
  type ArchivePage,
} from '../archive.ts';
import { auditEntryOf, queuedEventOf } from '../queue-rows.ts';
import { text, whole, type Row } from '../rows.ts';
import type { History } from '../store.ts';
import type { PostgresConnections, Statement } from './connections.ts';
import type { StoredOrder } from './record.ts';

const rowsIn = (table: string, columns: string): string => `
    (SELECT coalesce(json_agg(r ORDER BY r.seq), '[]') FROM (
      SELECT seq, ${columns} FROM ${table}_archive WHERE order_id = $1
      UNION ALL SELECT seq, ${columns} FROM ${table} WHERE order_id = $1) r)::text`;

/** An order's log and its events, archived or not, in one round trip and of one moment. */
const loadHistory: Statement = {
  name: 'pay_history',
  text: `SELECT ${rowsIn('pay_audit', 'entry')} AS log,
    ${rowsIn('pay_outbox', 'event, outcome, tries')} AS events`,
};

/** Reads the log and the events of an order. */
export async function readHistory(
  connections: PostgresConnections,
  orderId: string,
): Promise<History> {
  const [row = {}] = (await connections.query(loadHistory, [orderId])).rows;
  const rowsOf = (column: string): Row[] => JSON.parse(text(row, column)) as Row[];
  return { log: rowsOf('log').map(auditEntryOf), events: rowsOf('events').map(queuedEventOf) };
}

const archivePage: Statement = {
  name: 'pay_archive_page',
  text: archivePageStatement((position) => `$${position}`, 'o.order_id = p.order_id'),
};

const moved = (table: string, columns: string): string => `
  moved_${table} AS (
    DELETE FROM ${table} WHERE order_id = ANY (ARRAY(SELECT order_id FROM finished))
    RETURNING ${columns}
  ), stored_${table} AS (
    INSERT INTO ${table}_archive (${columns}) SELECT ${columns} FROM moved_${table}
  )`;

/**
 * Moves the rows of orders that are still at the version at which they were found finished. An order
 * that another transaction has locked is passed over. Only rows that this statement deleted are
 * inserted, so that a second archiver doubles nothing.
 */
const move: Statement = {
  name: 'pay_archive',
  text: `
  WITH finished AS (
    SELECT n.order_id FROM jsonb_to_recordset($1) AS n (order_id text, version bigint)
    CROSS JOIN LATERAL (SELECT FROM pay_payments p
      WHERE p.order_id = n.order_id AND p.version = n.version
      FOR NO KEY UPDATE SKIP LOCKED) same
  ), ${moved('pay_audit', 'order_id, seq, recorded_at, entry')},
  ${moved('pay_outbox', 'order_id, seq, event_id, type, event, outcome, tries')}, forgotten AS (
    DELETE FROM pay_transaction_hints WHERE order_id = ANY (ARRAY(SELECT order_id FROM finished))
  )
  SELECT count(DISTINCT order_id) AS archived FROM moved_pay_audit`,
};

/** Archives what is finished of one page of orders; see `Store.archive`. */
export async function archive(
  connections: PostgresConnections,
  load: (orderId: string) => Promise<StoredOrder | null>,
  { after, before, limit }: ArchivePage,
): Promise<ArchivedPage> {
  const page = await connections.query(archivePage, [after ?? '', before, limit]);
  const { orderIds, candidates } = ordersOfPage(page.rows);
  const orders = await Promise.all(candidates.map(load));
  const finished = orders.flatMap((order) =>
    order === null || hasOpenMatter(order.record) ? [] : order.record.payment,
  );
  const next = nextAfter(orderIds, limit);
  if (finished.length === 0) return { archived: 0, next };
  const asked = finished.map(({ orderId, version }) => ({ order_id: orderId, version }));
  const { rows } = await connections.query(move, [JSON.stringify(asked)]);
  return { archived: whole(rows[0] ?? {}, 'archived'), next };
}
