import type { Attempt } from '../../payments/attempt.ts';
import type { PaymentRecord } from '../../payments/payment-record.ts';
import { recordInOrder } from './record.ts';
import type { Connection } from './postgres-transaction.ts';
import { optionalWhole, text, type RecordRows, type Row } from '../rows.ts';
import { checkEndRow } from '../columns.ts';
import { checkEndOf, takenForCheck, withAttempt } from '../check-rules.ts';
import { BY_ITSELF } from './shared-calls.ts';
import { CHECK_GAP_MS, type StartedStatusCheck, type CheckRequest } from '../store.ts';

// JSON is asked for as text: a merchant may have set another way to parse it on the shared driver.
const loadSql = 'SELECT id, record::text FROM pay_load($1)';
const beginStatusChecksSql =
  'SELECT id, record::text, taken, busy FROM pay_begin_status_checks($1, $2, $3)';
const beginStatusCheckSql = `SELECT id, record::text, taken, busy
  FROM pay_begin_status_check($1, $2, $3, $4, $5, $6, $7) WHERE id IS NOT NULL`;
const endStatusChecksSql = 'SELECT busy FROM pay_end_status_checks($1, $2, $3, $4)';
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
export async function beginStatusChecks(
  connection: Connection,
  requests: readonly CheckRequest[],
  waits: boolean,
): Promise<readonly (StartedStatusCheck | null | typeof BY_ITSELF)[]> {
  const values = requests.map(requestRow);
  const [first, second] = values;
  const isOne = first !== undefined && second === undefined && !waits;
  const { rows } = await (isOne
    ? connection.query(beginStatusCheckSql, [...Object.values(first), CHECK_GAP_MS])
    : connection.query(beginStatusChecksSql, [JSON.stringify(values), waits, CHECK_GAP_MS]));
  const byId = new Map(rows.map((row) => [text(row, 'id'), row]));
  return requests.map((request) => {
    const row = byId.get(request.orderId);
    if (row === undefined) return null;
    return row['busy'] === true ? BY_ITSELF : checkOf(row, request);
  });
}

/** In the order of the parameters of the function for one. */
const requestRow = (request: CheckRequest): object => ({
  order_id: request.orderId,
  now: request.now,
  lease_ms: request.leaseMs,
  every_session: request.everySession,
  attempt_number: request.attemptNumber,
  unless_has_money: request.unlessHasMoney,
});

/** The record as it stood before the status check, with what the status check wrote. */
function checkOf(row: Row, request: CheckRequest): StartedStatusCheck {
  const record = readRecord(row);
  const number = optionalWhole(row, 'taken');
  const before = record.attempts.find((attempt) => attempt.number === number);
  if (before === undefined) return { record, taken: null };
  const taken = takenForCheck(before, request);
  return { record: withAttempt(record, taken), taken };
}

/** A look that ended without a change. */
export interface EndedCheck {
  readonly attempt: Attempt;
  readonly nextCheckAt: number | null;
  readonly now: number;
}

/** Ends several looks in one statement; each attempt is named once. */
export async function endStatusChecks(
  connection: Connection,
  ends: readonly EndedCheck[],
  waits: boolean,
): Promise<readonly (true | typeof BY_ITSELF)[]> {
  const values = ends.map(({ attempt, nextCheckAt, now }) =>
    checkEndRow(attempt.orderId, checkEndOf(attempt, nextCheckAt), now),
  );
  const names = ends.map(({ attempt }) => attempt.merchantOrderId);
  const parameters = [names, JSON.stringify(values), waits, CHECK_GAP_MS];
  const { rows } = await connection.query(endStatusChecksSql, parameters);
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
  const parameters = [names, JSON.stringify(values), waits, CHECK_GAP_MS];
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
