import { transactionKey } from '../../ids.ts';
import type { Attempt } from '../../payments/attempt.ts';
import { closedEntry } from '../../payments/audit.ts';
import type { Change, PaymentRecord } from '../../payments/payment-record.ts';
import {
  attemptColumns,
  changeable,
  ledgerColumns,
  movementColumns,
  namesOf,
  operationColumns,
  paymentColumns,
  reviewColumns,
  rowOf,
  taking,
  type ColumnRow,
} from '../columns.ts';
import { attemptsOf } from '../commit-rules.ts';
import { text, type Row } from '../rows.ts';
import type { Run, Statement } from './connections.ts';
import { readOrder, recordJson } from './record.ts';

/** A change to write, and the attempts that it was decided on. */
export interface CommitRequest {
  readonly change: Change;
  /** The change as text, for the log. */
  readonly entry: string;
  /** The attempts of the order as the caller read them; {@link attemptsOf} uses them. */
  readonly attempts: readonly Attempt[];
}

/** The result of one change. */
export interface CommitAnswer {
  readonly isWritten: boolean;
  /** The stored record when the statement began; `null` where the change was written. */
  readonly record: PaymentRecord | null;
}

/** Rows of a JSON array, in the table's own types. */
const rowsIn = (table: string, parameter: string): string =>
  `jsonb_populate_recordset(NULL::${table}, ${parameter}) AS n`;

/** Inserts those rows of a JSON array whose orders are written. */
const insertInto = (table: string, columns: object, parameter: string): string => `
    INSERT INTO ${table} (${namesOf(columns)}) SELECT ${namesOf(columns)}
    FROM ${rowsIn(table, parameter)} JOIN written USING (order_id)`;

/** What the end of a status check is decided by and writes back, beside when to check next. */
const known = (table: string): string =>
  ['state', 'session_id', 'redirect_url', 'transaction_id', 'last_check_at', 'hinted_at']
    .map((name) => `${table}.${name}`)
    .join(', ');

/** The same for what is numbered: in the order of the array, which a join alone need not keep. */
const insertInOrder = (table: string, columns: object, parameter: string): string => `
    INSERT INTO ${table} (${namesOf(columns)}) SELECT ${namesOf(columns)}
    FROM jsonb_populate_recordset(NULL::${table}, ${parameter}) WITH ORDINALITY AS n
    JOIN written USING (order_id) ORDER BY n.ordinality`;

const auditColumns = { order_id: 0, recorded_at: 0, entry: 0 };
const outboxColumns = { order_id: 0, event_id: 0, type: 0, event: 0, next_try_at: 0 };

/**
 * Writes any number of changes, each whole or not at all, and returns the stored record of each
 * order that is not written. A payment is written when the stored version is the one before. Where
 * the change ends a status check ($3), the attempt must also be as the caller knows it, since the
 * end writes the attempt's whole row. A unique value that is taken is an error, which undoes the
 * whole statement.
 *
 * Rows are found by lookups (LATERAL) and never by a join with a table, so that the plan suits
 * tables of every size.
 *
 * @param lock - Whether to pass over a payment that another transaction has locked, or to wait.
 */
const commitSql = (lock: 'SKIP LOCKED' | ''): string => `
  WITH ready AS (
    SELECT n.* FROM ${rowsIn('pay_payments', '$1')}
    LEFT JOIN LATERAL (SELECT o.version FROM pay_payments o
      WHERE o.order_id = n.order_id LIMIT 1) stored ON true
    LEFT JOIN LATERAL (SELECT o.order_id, o.version FROM pay_payments o
      WHERE o.order_id = n.order_id FOR NO KEY UPDATE ${lock}) locked ON true
    LEFT JOIN jsonb_populate_recordset(NULL::pay_attempts, $3) AS c ON c.order_id = n.order_id
    LEFT JOIN LATERAL (SELECT true AS is_same FROM pay_attempts o
      WHERE o.order_id = locked.order_id AND o.number = c.number
        AND (${known('o')}) IS NOT DISTINCT FROM (${known('c')})
      FOR NO KEY UPDATE ${lock}) checked ON true
    WHERE CASE WHEN stored.version IS NULL THEN n.version = 1
        ELSE locked.version = n.version - 1 END
      AND (c.order_id IS NULL OR checked.is_same)
  ), written AS (
    INSERT INTO pay_payments (${namesOf(paymentColumns)})
    SELECT ${namesOf(paymentColumns)} FROM ready
    ON CONFLICT (order_id) DO UPDATE SET ${taking(changeable.payment)}
      WHERE pay_payments.version = excluded.version - 1
    RETURNING order_id
  ), owners AS (
    INSERT INTO pay_owners (kind, id, order_id) SELECT n.kind, n.id, n.order_id
    FROM ${rowsIn('pay_owners', '$4')} JOIN written USING (order_id)
    LEFT JOIN LATERAL (SELECT o.order_id AS own FROM pay_owners o
      WHERE o.kind = n.kind AND o.id = n.id LIMIT 1) stored ON true
    WHERE stored.own IS DISTINCT FROM n.order_id
  ), attempts AS (${insertInto('pay_attempts', attemptColumns, '$2')}
    ON CONFLICT (order_id, number) DO UPDATE SET ${taking(changeable.attempt)},
      unended_since = CASE WHEN excluded.unended_since IS NOT NULL
        THEN pay_attempts.unended_since END
  ), ledger AS (${insertInto('pay_ledger', ledgerColumns, '$5')}
    ON CONFLICT (order_id, lower(transaction_id COLLATE "C")) DO UPDATE SET ${taking(changeable.ledger)}
  ), reviews AS (${insertInto('pay_reviews', reviewColumns, '$6')}
    ON CONFLICT (order_id, reason, subject) DO UPDATE SET ${taking(changeable.review)}
  ), operations AS (${insertInto('pay_operations', operationColumns, '$7')}
    ON CONFLICT (order_id, id) DO UPDATE SET ${taking(changeable.operation)}
  ), audit AS (${insertInOrder('pay_audit', auditColumns, '$8')}
  ), outbox AS (${insertInOrder('pay_outbox', outboxColumns, '$9')}
    ON CONFLICT DO NOTHING
  ), movements AS (${insertInto('pay_movements', movementColumns, '$10')}
  )
  SELECT n.order_id, stored.record FROM ${rowsIn('pay_payments', '$1')}
  LEFT JOIN written USING (order_id)
  LEFT JOIN LATERAL (SELECT ${recordJson} AS record FROM pay_payments p
    WHERE p.order_id = n.order_id LIMIT 1) stored ON true
  WHERE written.order_id IS NULL`;

const commitAtOnce: Statement = { name: 'pay_commit', text: commitSql('SKIP LOCKED') };
const commitWaiting: Statement = { name: 'pay_commit_waiting', text: commitSql('') };

/** Writes changes of different orders in one statement; answers in their order. */
export async function sendChanges(
  run: Run,
  requests: readonly CommitRequest[],
  waits: boolean,
): Promise<readonly CommitAnswer[]> {
  const parameters = rowsOf(requests).map((rows) => JSON.stringify(rows));
  const { rows } = await run(waits ? commitWaiting : commitAtOnce, parameters);
  const refused = new Map(rows.map((row) => [text(row, 'order_id'), row]));
  return requests.map(({ change }) => answerOf(refused.get(change.payment.orderId)));
}

const answerOf = (row: Row | undefined): CommitAnswer =>
  row === undefined
    ? { isWritten: true, record: null }
    : { isWritten: false, record: readOrder(row)?.record ?? null };

/** The rows of all changes, one list for each parameter of the statement. */
function rowsOf(requests: readonly CommitRequest[]): readonly (readonly ColumnRow[])[] {
  const changes = requests.map(({ change }) => change);
  const all = <T>(
    columns: Parameters<typeof rowOf<T>>[0],
    rows: (change: Change) => readonly T[],
  ): ColumnRow[] => changes.flatMap((change) => rows(change).map((one) => rowOf(columns, one)));
  const written = requests.map(writtenOf);
  return [
    // All processes sort alike, so that no two transactions wait for each other in a circle.
    sorted(all(paymentColumns, ({ payment }) => [payment])),
    written.flatMap(({ attempts }) => attempts),
    requests.flatMap(checkedRows),
    sorted(changes.flatMap(ownerRows)),
    all(ledgerColumns, ({ ledger }) => ledger),
    all(reviewColumns, ({ reviews }) => reviews),
    all(operationColumns, ({ operations }) => operations),
    written.flatMap(({ entries }) => entries),
    changes.flatMap(outboxRows),
    all(movementColumns, ({ movements = [] }) => movements),
  ];
}

const sorted = (rows: readonly ColumnRow[]): readonly ColumnRow[] =>
  rows.toSorted((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
const keyOf = ({ kind, id, order_id: orderId }: ColumnRow): string =>
  id === undefined ? String(orderId) : `${kind} ${id}`;

/** A change's attempts, and its entries in the log. */
function writtenOf({ change, entry, attempts }: CommitRequest) {
  const { orderId, updatedAt } = change.payment;
  const written = attemptsOf(change, attempts);
  const closed = written.closed && JSON.stringify(closedEntry(written.closed.number, updatedAt));
  return {
    attempts: written.attempts.map((one) => rowOf(attemptColumns, one)),
    entries: [entry, ...(closed === null ? [] : [closed])].map((one) => ({
      order_id: orderId,
      recorded_at: updatedAt,
      entry: one,
    })),
  };
}

/** The attempt whose status check the change ends, as it must be stored. */
const checkedRows = ({ change: { checkEnd }, attempts }: CommitRequest): readonly ColumnRow[] =>
  attempts
    .filter(({ number }) => number === checkEnd?.attempt.number)
    .map((attempt) => rowOf(attemptColumns, attempt));

/** The ids that no other order may have. */
function ownerRows({ payment, attempts, ledger, operations }: Change): readonly ColumnRow[] {
  const { orderId } = payment;
  return [
    ...attempts.flatMap(({ sessionId }) => sessionId ?? []).map((id) => ['session', id] as const),
    ...ledger.map(({ transactionId }) => ['transaction', transactionKey(transactionId)] as const),
    ...operations.map(({ id }) => ['operation', id] as const),
  ].map(([kind, id]) => ({ kind, id, order_id: orderId }));
}

function outboxRows({ payment, events }: Change): readonly ColumnRow[] {
  return events.map((event) => ({
    order_id: event.orderId,
    event_id: event.id,
    type: event.type,
    event: JSON.stringify(event),
    next_try_at: payment.updatedAt,
  }));
}
