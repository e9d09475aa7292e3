import type { Attempt } from '../payments/attempt.ts';
import type { PaymentRecord } from '../payments/payment-record.ts';
import { recordInOrder } from './postgres-record.ts';
import type { Connection } from './postgres-transaction.ts';
import { optionalWhole, text, type RecordRows, type Row } from './rows.ts';
import { lookEndRow } from './columns.ts';
import { lookEndOf, takenForLook, withAttempt } from './look-rules.ts';
import { BY_ITSELF } from './shared-calls.ts';
import { LOOK_GAP_MS, type Look, type LookRequest } from './store.ts';

// JSON is asked for as text: a merchant may have set another way to parse it on the shared driver.
const loadSql = 'SELECT id, record::text FROM pay_load($1)';
const beginLooksSql = 'SELECT id, record::text, taken, busy FROM pay_begin_looks($1, $2, $3)';
const beginLookSql = `SELECT id, record::text, taken, busy
  FROM pay_begin_look($1, $2, $3, $4, $5, $6, $7) WHERE id IS NOT NULL`;
const endLooksSql = 'SELECT busy FROM pay_end_looks($1, $2, $3, $4)';
const hintSql = 'SELECT name, id, busy FROM pay_hint($1, $2, $3, $4)';

/** Reads several orders in one statement. */
export async function loadTogether(
  connection: Connection,
  orderIds: readonly string[],
): Promise<readonly (PaymentRecord | null)[]> {
  const { rows } = await connection.query(loadSql, [orderIds]);
  const byId = new Map(rows.map((row) => [text(row, 'id'), row]));
  return orderIds.map((id) => {
    const row = byId.get(id);
    return row === undefined ? null : readRecord(row);
  });
}

/** Begins several orders' looks in one statement; each order is asked for once. */
export async function beginLooks(
  connection: Connection,
  requests: readonly LookRequest[],
  waits: boolean,
): Promise<readonly (Look | null | typeof BY_ITSELF)[]> {
  const values = requests.map(requestRow);
  const [first, second] = values;
  const isOne = first !== undefined && second === undefined && !waits;
  const { rows } = await (isOne
    ? connection.query(beginLookSql, [...Object.values(first), LOOK_GAP_MS])
    : connection.query(beginLooksSql, [JSON.stringify(values), waits, LOOK_GAP_MS]));
  const byId = new Map(rows.map((row) => [text(row, 'id'), row]));
  return requests.map((request) => {
    const row = byId.get(request.orderId);
    if (row === undefined) return null;
    return row['busy'] === true ? BY_ITSELF : lookOf(row, request);
  });
}

/** In the order of the parameters of the function for one. */
const requestRow = (request: LookRequest): object => ({
  order_id: request.orderId,
  now: request.now,
  lease_ms: request.leaseMs,
  every_session: request.everySession,
  attempt_number: request.attemptNumber,
  unless_settled: request.unlessSettled,
});

/** The record as it stood before the look, with what the look wrote. */
function lookOf(row: Row, request: LookRequest): Look {
  const record = readRecord(row);
  const number = optionalWhole(row, 'taken');
  const before = record.attempts.find((attempt) => attempt.number === number);
  if (before === undefined) return { record, taken: null };
  const taken = takenForLook(before, request);
  return { record: withAttempt(record, taken), taken };
}

/** A look that ended without a change. */
export interface EndedLook {
  readonly attempt: Attempt;
  readonly nextLookAt: number | null;
  readonly now: number;
}

/** Ends several looks in one statement; each attempt is named once. */
export async function endLooks(
  connection: Connection,
  ends: readonly EndedLook[],
  waits: boolean,
): Promise<readonly (true | typeof BY_ITSELF)[]> {
  const values = ends.map(({ attempt, nextLookAt, now }) =>
    lookEndRow(attempt.orderId, lookEndOf(attempt, nextLookAt), now),
  );
  const names = ends.map(({ attempt }) => attempt.merchantOrderId);
  const parameters = [names, JSON.stringify(values), waits, LOOK_GAP_MS];
  const { rows } = await connection.query(endLooksSql, parameters);
  const busy = new Set(rows.map((row) => text(row, 'busy')));
  return ends.map(({ attempt }) => (busy.has(attempt.merchantOrderId) ? BY_ITSELF : true));
}

/** A hint about an attempt. */
export interface Hint {
  readonly merchantOrderId: string;
  readonly now: number;
}

/** Notes several hints in one statement, each attempt named once; tells which orders they are about. */
export async function noteHints(
  connection: Connection,
  hints: readonly Hint[],
  waits: boolean,
): Promise<readonly (string | null | typeof BY_ITSELF)[]> {
  const values = hints.map(({ merchantOrderId, now }) => ({
    merchant_order_id: merchantOrderId,
    now,
  }));
  const names = hints.map(({ merchantOrderId }) => merchantOrderId);
  const parameters = [names, JSON.stringify(values), waits, LOOK_GAP_MS];
  const { rows } = await connection.query(hintSql, parameters);
  const byName = new Map(rows.map((row) => [text(row, 'name'), row]));
  return hints.map(({ merchantOrderId }) => {
    const row = byName.get(merchantOrderId);
    if (row === undefined) return null;
    return row['busy'] === true ? BY_ITSELF : text(row, 'id');
  });
}

const readRecord = (row: Row): PaymentRecord =>
  recordInOrder(JSON.parse(text(row, 'record')) as RecordRows);
