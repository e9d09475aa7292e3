import { recordJson } from './record-functions.ts';

/** The columns of a change's rows by table, each with its type. */
export const rowTypes = {
  payments: {
    order_id: 'text',
    amount: 'bigint',
    currency: 'text',
    state: 'text',
    cancelled: 'smallint',
    transaction_id: 'text',
    captured: 'bigint',
    recurring_token: 'text',
    refunded: 'bigint',
    current_attempt: 'integer',
    version: 'bigint',
    updated_at: 'bigint',
  },
  attempts: {
    order_id: 'text',
    number: 'integer',
    kind: 'text',
    merchant_order_id: 'text',
    amount: 'bigint',
    currency: 'text',
    state: 'text',
    session_id: 'text',
    redirect_url: 'text',
    transaction_id: 'text',
    created_at: 'bigint',
    expires_at: 'bigint',
    next_check_at: 'bigint',
  },
  ledger: {
    transaction_id: 'text',
    order_id: 'text',
    attempt_number: 'integer',
    kind: 'text',
    amount: 'bigint',
    currency: 'text',
    refunded: 'bigint',
    recorded_at: 'bigint',
  },
  audit: { order_id: 'text', recorded_at: 'bigint', entry: 'text' },
  outbox: {
    event_id: 'text',
    order_id: 'text',
    type: 'text',
    event: 'text',
    next_try_at: 'bigint',
  },
} as const;

/** A table that a change most often has rows of. */
export type ChangedTable = keyof typeof rowTypes;

/** The rows of a JSON array, as `n`. */
export const rowsOfJson = (json: string, table: ChangedTable): string => {
  const columns = Object.entries(rowTypes[table]).map(([name, type]) => `${name} ${type}`);
  return `jsonb_to_recordset(${json}) AS n (${columns.join(', ')})`;
};

/** Adds rows `n` to their table. */
export const inserting = (table: ChangedTable, rows: string): string => {
  const names = Object.keys(rowTypes[table]);
  return `INSERT INTO pay_${table} (${names.join(', ')})
      SELECT ${names.map((name) => `n.${name}`).join(', ')} FROM ${rows}`;
};

/**
 * Adds ledger rows `n`, or takes over how much of their transactions was refunded. A row whose
 * transaction is another order's is not written.
 */
export const puttingLedger = (
  rows: string,
  condition: string,
): string => `${inserting('ledger', rows)}
      WHERE ${condition}
      ON CONFLICT (transaction_id) DO UPDATE SET refunded = excluded.refunded
        WHERE pay_ledger.order_id = excluded.order_id`;

/**
 * Adds the payments of rows `n` that are new, and that a condition allows. A conflict alone would
 * wait for another transaction that changes the payment, since that one could yet delete it.
 */
export const insertingFirst = (rows: string, condition = 'true'): string =>
  `${inserting('payments', rows)}
      WHERE ${condition}
        AND NOT EXISTS (SELECT FROM pay_payments o WHERE o.order_id = n.order_id)
      ON CONFLICT DO NOTHING`;

/** Changes the payments of rows `n` that stand at the version before and that nobody else holds. */
export const updatingPayments = (rows: string): string => `
      UPDATE pay_payments p SET amount = n.amount, currency = n.currency, state = n.state,
        cancelled = n.cancelled, transaction_id = n.transaction_id, captured = n.captured,
        recurring_token = n.recurring_token, refunded = n.refunded,
        current_attempt = n.current_attempt, version = n.version, updated_at = n.updated_at
      FROM ${rows}
      CROSS JOIN LATERAL (SELECT FROM pay_payments o WHERE o.order_id = n.order_id
        FOR NO KEY UPDATE SKIP LOCKED) held
      WHERE p.order_id = n.order_id AND p.version = n.version - 1`;

/** Changes the attempts of rows `n` that are there already. */
export const updatingAttempts = (rows: string): string => `
      UPDATE pay_attempts a SET state = n.state, session_id = n.session_id,
        redirect_url = n.redirect_url, transaction_id = n.transaction_id,
        next_check_at = n.next_check_at
      FROM ${rows}
      WHERE a.order_id = n.order_id AND a.number = n.number`;

/** Says why a payment `n` was not written, and what stands there as `p`. */
export const refusal = (waits: string): string => `json_build_object('id', n.order_id, 'outcome',
        CASE WHEN NOT ${waits} AND p.version = n.version - 1 THEN 'busy' ELSE 'conflict' END,
        'record', CASE WHEN p.order_id IS NOT NULL THEN ${recordJson} END)`;
