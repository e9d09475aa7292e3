import type { Pool } from 'pg';
import { changeEntry } from '../payments/audit.ts';
import type { Change } from '../payments/payment-record.ts';
import {
  attemptColumns,
  intentColumns,
  ledgerColumns,
  lookEndRow,
  paymentColumns,
  reviewColumns,
  rowOf,
  type ColumnRow,
} from './columns.ts';
import { isContended } from './postgres-errors.ts';
import { recordInOrder } from './postgres-record.ts';
import { inPostgresTransaction, type PostgresTransaction } from './postgres-transaction.ts';
import { RefusedChange, resultOfRefusal } from './refused-change.ts';
import { text, type RecordRows, type Row } from './rows.ts';
import { BY_ITSELF } from './shared-calls.ts';
import { LOOK_GAP_MS, type CommitHook, type CommitResult } from './store.ts';

/** Where statements go: a pool, or a transaction that is open. */
export type Connection = Pick<PostgresTransaction, 'query'>;

/** A change, and the merchant's own work that goes with its events. */
export interface CommitRequest {
  readonly change: Change;
  readonly hook: CommitHook<PostgresTransaction> | undefined;
}

const commitSql = 'SELECT pay_commit($1, $2, $3)::text AS refusals';

/** Others who write the same ids at the same moment have ended after so many tries, or never will. */
const MAX_TRIES = 5;

const committed: CommitResult = { outcome: 'committed' };

/** Whether the merchant's own work is to run inside the commit. */
export const runsHook = ({ change, hook }: CommitRequest): boolean =>
  hook !== undefined && change.events.length > 0;

/** What no two changes of one statement may have in common. */
export function keysOfChange({ change }: CommitRequest): readonly string[] {
  const { payment, ledger, intents } = change;
  return [
    `order ${payment.orderId}`,
    ...ledger.map(({ transactionId }) => `transaction ${transactionId}`),
    ...intents.map(({ id }) => `intent ${id}`),
  ];
}

/** Writes several changes in one statement, each whole or not at all. */
export async function commitTogether(
  connection: Connection,
  changes: readonly Change[],
): Promise<readonly (CommitResult | typeof BY_ITSELF)[]> {
  const refusals = await sendChanges(connection, changes, false);
  return changes.map(({ payment }) => resultOf(refusals, payment.orderId));
}

/**
 * Writes one change, with the merchant's own work where it has any: that takes a transaction of its
 * own, so that a slow hook holds nobody's rows but its order's.
 */
export async function commitAlone(pool: Pool, request: CommitRequest): Promise<CommitResult> {
  for (let tries = 1; ; tries += 1) {
    try {
      if (!runsHook(request)) return await writeOne(pool, request.change);
      return await inPostgresTransaction(pool, (tx) => writeWithHook(tx, request));
    } catch (error) {
      if (!(error instanceof ContendedError)) return resultOfRefusal(error);
      if (tries >= MAX_TRIES) throw error.cause;
    }
  }
}

async function writeWithHook(
  tx: PostgresTransaction,
  { change, hook }: CommitRequest,
): Promise<CommitResult> {
  const result = await writeOne(tx, change);
  if (result.outcome !== 'committed') throw new RefusedChange(result);
  for (const event of change.events) await hook?.(tx, event);
  return result;
}

async function writeOne(connection: Connection, change: Change): Promise<CommitResult> {
  const refusals = await sendChanges(connection, [change], true).catch((error: unknown) => {
    throw isContended(error) ? new ContendedError(error) : error;
  });
  const result = resultOf(refusals, change.payment.orderId);
  return result === BY_ITSELF ? { outcome: 'conflict' } : result;
}

/** The change itself met others who wrote at the same moment; the merchant's work had not begun. */
class ContendedError extends Error {
  override readonly name = 'ContendedError';

  constructor(cause: unknown) {
    super('others wrote the same ids', { cause });
  }
}

async function sendChanges(
  connection: Connection,
  changes: readonly Change[],
  waits: boolean,
): Promise<readonly Row[]> {
  const values = [JSON.stringify(rowsOf(changes)), waits, LOOK_GAP_MS];
  const { rows } = await connection.query(commitSql, values);
  const refusals = rows[0]?.['refusals'];
  return typeof refusals === 'string' ? (JSON.parse(refusals) as Row[]) : [];
}

/** The rows of all changes by table; a table without any is left out. */
function rowsOf(changes: readonly Change[]): object {
  const [created, changed] = [changes.filter(isFirst), changes.filter((one) => !isFirst(one))];
  return {
    created: sorted('order_id', created.map(paymentRow)),
    changed: sorted('order_id', changed.map(paymentRow)),
    first_attempts: sorted('order_id', created.flatMap(attemptRows)),
    attempts: sorted('order_id', changed.flatMap(attemptRows)),
    ledger: sorted(
      'transaction_id',
      changes.flatMap(({ ledger }) => ledger.map((one) => rowOf(ledgerColumns, one))),
    ),
    reviews: sorted(
      'order_id',
      changes.flatMap(({ reviews }) => reviews.map((one) => rowOf(reviewColumns, one))),
    ),
    intents: sorted(
      'id',
      changes.flatMap(({ intents }) => intents.map((one) => rowOf(intentColumns, one))),
    ),
    audit: changes.map(auditRow),
    events: sorted('event_id', changes.flatMap(eventRows)),
    look_ends: sorted('order_id', changes.flatMap(lookEndRows)),
  };
}

/** In an order that every process shares, so that two never wait for each other in a circle. */
function sorted(id: string, rows: readonly ColumnRow[]): readonly ColumnRow[] | undefined {
  if (rows.length < 2) return rows.length === 0 ? undefined : rows;
  const byId = ({ [id]: left }: ColumnRow, { [id]: right }: ColumnRow): number =>
    left === right ? 0 : String(left) < String(right) ? -1 : 1;
  return rows.toSorted(byId);
}

const paymentRow = ({ payment }: Change): ColumnRow => rowOf(paymentColumns, payment);
const attemptRows = ({ attempts }: Change): readonly ColumnRow[] =>
  attempts.map((one) => rowOf(attemptColumns, one));
const isFirst = ({ payment }: Change): boolean => payment.version === 1;

function auditRow(change: Change): ColumnRow {
  const { orderId, updatedAt } = change.payment;
  return { order_id: orderId, recorded_at: updatedAt, entry: JSON.stringify(changeEntry(change)) };
}

function lookEndRows({ payment: { orderId, updatedAt }, lookEnd }: Change): readonly ColumnRow[] {
  return lookEnd === undefined ? [] : [lookEndRow(orderId, lookEnd, updatedAt)];
}

function eventRows({ payment, events }: Change): readonly ColumnRow[] {
  return events.map((event) => ({
    event_id: event.id,
    order_id: event.orderId,
    event: JSON.stringify(event),
    next_try_at: payment.updatedAt,
  }));
}

function resultOf(refusals: readonly Row[], orderId: string): CommitResult | typeof BY_ITSELF {
  const refusal = refusals.find(({ id }) => id === orderId);
  if (refusal === undefined) return committed;
  switch (refusal['outcome']) {
    case 'transaction_taken':
      return {
        outcome: 'transaction_taken',
        transactionId: text(refusal, 'transactionId'),
        orderId: text(refusal, 'orderId'),
      };
    case 'intent_taken':
      return { outcome: 'intent_taken', intentId: text(refusal, 'intentId') };
    case 'busy':
      return BY_ITSELF;
    default: {
      const record = refusal['record'] as RecordRows | null;
      return { outcome: 'conflict', record: record === null ? null : recordInOrder(record) };
    }
  }
}
