import type { Change } from '../../payments/payment-record.ts';
import { rowsOf, valuesOfOne } from './change-rows.ts';
import { commitOneSql } from './commit-one-function.ts';
import { again, type PostgresConnections } from './connections.ts';
import { isTaken, isTransient } from './errors.ts';
import { recordInOrder } from './record.ts';
import type { Connection, PostgresTransaction } from './postgres-transaction.ts';
import { RefusedChange, resultOfRefusal } from '../refused-change.ts';
import { text, type RecordRows, type Row } from '../rows.ts';
import { BY_ITSELF } from './shared-calls.ts';
import { CHECK_GAP_MS, type CommitHook, type CommitResult } from '../store.ts';

export type { Connection };

/** A change, and the merchant's own work that goes with its events. */
export interface CommitRequest {
  readonly change: Change;
  readonly hook: CommitHook<PostgresTransaction> | undefined;
  /** How long the hook may take, in milliseconds. */
  readonly hookTimeoutMs: number;
}

const commitSql = 'SELECT pay_commit($1, $2, $3)::text AS refusals';

const committed: CommitResult = { outcome: 'committed' };

/** Whether the merchant's own work is to run inside the commit. */
export const runsHook = ({ change, hook }: CommitRequest): boolean =>
  hook !== undefined && change.events.length > 0;

/** What no two changes of one statement may have in common. */
export function keysOfChange({ change }: CommitRequest): readonly string[] {
  const { payment, ledger, operations } = change;
  return [
    `order ${payment.orderId}`,
    ...ledger.map(({ transactionId }) => `transaction ${transactionId}`),
    ...operations.map(({ id }) => `intent ${id}`),
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
export async function commitAlone(
  connections: PostgresConnections,
  request: CommitRequest,
): Promise<CommitResult> {
  try {
    return await (runsHook(request)
      ? commitWithHook(connections, request)
      : again(() => writeOne(connections.waiting, request.change), isTaken));
  } catch (error) {
    if (error instanceof TakenError) throw error.cause;
    return resultOfRefusal(error);
  }
}

function commitWithHook(
  connections: PostgresConnections,
  { change, hook, hookTimeoutMs }: CommitRequest,
): Promise<CommitResult> {
  const ours = async (tx: PostgresTransaction): Promise<CommitResult> => {
    const result = await writeOne(tx, change).catch((error: unknown) => {
      throw isTaken(error) ? new TakenError(error) : error;
    });
    if (result.outcome !== 'committed') throw new RefusedChange(result);
    return result;
  };
  const theirs = async (tx: PostgresTransaction, isTimeUp: () => boolean): Promise<void> => {
    for (const event of change.events) if (!isTimeUp()) await hook?.(tx, event);
  };
  return again(
    () => connections.withHook(hookTimeoutMs, ours, theirs),
    (error) => error instanceof TakenError || isTransient(error),
  );
}

async function writeOne(connection: Connection, change: Change): Promise<CommitResult> {
  const refusals = await sendChanges(connection, [change], true);
  const result = resultOf(refusals, change.payment.orderId);
  return result === BY_ITSELF ? { outcome: 'conflict' } : result;
}

/** Others wrote the same ids at the same moment; the merchant's work had not begun. */
class TakenError extends Error {
  override readonly name = 'TakenError';

  constructor(cause: unknown) {
    super('others wrote the same ids', { cause });
  }
}

function sendChanges(
  connection: Connection,
  changes: readonly Change[],
  waits: boolean,
): Promise<readonly Row[]> {
  const values = [JSON.stringify(rowsOf(changes)), waits, CHECK_GAP_MS];
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
    case 'operation_taken':
      return { outcome: 'operation_taken', operationId: text(refusal, 'operationId') };
    case 'busy':
      return BY_ITSELF;
    default: {
      const record = refusal['record'] as RecordRows | null;
      return { outcome: 'conflict', record: record === null ? null : recordInOrder(record) };
    }
  }
}
