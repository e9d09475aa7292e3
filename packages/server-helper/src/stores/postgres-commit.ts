import type { Pool } from 'pg';
import type { Change } from '../payments/payment-record.ts';
import { rowsOf, valuesOfOne } from './postgres-change-rows.ts';
import { commitOneSql } from './postgres-commit-one-function.ts';
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
  const [first, second] = changes;
  const one = first === undefined || second !== undefined ? null : valuesOfOne(first);
  const refusals = await (one === null
    ? sendChanges(connection, changes, false)
    : refusalsOf(connection.query(commitOneSql, one)));
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

function sendChanges(
  connection: Connection,
  changes: readonly Change[],
  waits: boolean,
): Promise<readonly Row[]> {
  const values = [JSON.stringify(rowsOf(changes)), waits, LOOK_GAP_MS];
  return refusalsOf(connection.query(commitSql, values));
}

async function refusalsOf(answer: ReturnType<Connection['query']>): Promise<readonly Row[]> {
  const { rows } = await answer;
  const refusals = rows[0]?.['refusals'];
  return typeof refusals === 'string' ? (JSON.parse(refusals) as Row[]) : [];
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
