/** Texts are compared by their bytes: a collation could merge two names. */
const own = 'ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin';
const order = 'order_id VARCHAR(100) NOT NULL';
const entry = 'version BIGINT NOT NULL, recorded_at BIGINT NOT NULL, entry LONGTEXT NOT NULL';
const event = `seq BIGINT NOT NULL, event_id VARBINARY(1500) NOT NULL, type VARCHAR(60) NOT NULL,
  event LONGTEXT NOT NULL, outcome VARCHAR(20) NOT NULL DEFAULT 'waiting', tries INT NOT NULL DEFAULT 0`;

/**
 * The schema's migrations in order; one that a release has run is never changed. The database commits at each
 * statement that makes a table, so that any of them may run twice. A semicolon at the end of a line ends one.
 */
export const migrations: readonly string[] = [
  `
-- How many migrations ran, and whose payments these are.
CREATE TABLE IF NOT EXISTS pay_meta (schema_version INT PRIMARY KEY, scope TEXT NOT NULL) ${own};
-- One order is one document, which is read and written whole. The columns beside it are read from it at each
-- save, for queues and lists; not taken_at, and unended_since: since when status checks begin and none ends.
CREATE TABLE IF NOT EXISTS pay_orders (
  ${order} PRIMARY KEY, version BIGINT NOT NULL, state VARCHAR(40) NOT NULL, amount BIGINT NOT NULL,
  currency VARCHAR(8) NOT NULL, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL,
  saved_at BIGINT NOT NULL, due_at BIGINT, taken_at BIGINT, unended_since BIGINT, made_at BIGINT,
  grown_at BIGINT, is_hinted BOOLEAN NOT NULL, reviewed_at BIGINT, open_reviews TEXT,
  proposed_at BIGINT, unknown_at BIGINT, record LONGTEXT NOT NULL,
  INDEX pay_orders_state (state, created_at, order_id),
  INDEX pay_orders_amount (amount, state, created_at, order_id),
  INDEX pay_orders_due (due_at, taken_at), INDEX pay_orders_unended (unended_since),
  INDEX pay_orders_reviewed (reviewed_at), INDEX pay_orders_proposed (proposed_at),
  INDEX pay_orders_unknown (unknown_at)
) ${own};
-- Which order a session, a transaction or an operation belongs to, for ever; and which order a gateway's
-- reference named first. As bytes: utf8mb4_bin takes a name for the same with a space behind it.
CREATE TABLE IF NOT EXISTS pay_names (
  kind VARCHAR(20) NOT NULL, name VARBINARY(1000) NOT NULL, ${order}, PRIMARY KEY (kind, name)
) ${own};
-- Changes, events and movements. Rows are numbered by the versions of their orders.
CREATE TABLE IF NOT EXISTS pay_log (${order}, ${entry}, PRIMARY KEY (order_id, version)) ${own};
CREATE TABLE IF NOT EXISTS pay_events (
  ${order}, ${event}, next_try_at BIGINT, PRIMARY KEY (order_id, event_id),
  INDEX pay_events_due (type, next_try_at), INDEX pay_events_outcome (outcome)
) ${own};
CREATE TABLE IF NOT EXISTS pay_movements (
  ${order}, seq BIGINT NOT NULL, kind VARCHAR(20) NOT NULL, amount BIGINT NOT NULL,
  currency VARCHAR(8) NOT NULL, recorded_at BIGINT NOT NULL, confirm_ms BIGINT,
  PRIMARY KEY (order_id, seq), INDEX pay_movements_recorded (recorded_at)
) ${own};
-- Limits, which count hits, and keys, which are bound to a subject. Each ends.
CREATE TABLE IF NOT EXISTS pay_counters (
  name VARBINARY(1500) NOT NULL PRIMARY KEY, hits INT NOT NULL, subject TEXT NOT NULL,
  ends_at BIGINT NOT NULL, INDEX pay_counters_end (ends_at)
) ${own};
-- The log and the events of payments without open matters, which the archive command moves here.
CREATE TABLE IF NOT EXISTS pay_log_archive (
  ${order}, ${entry}, PRIMARY KEY (order_id, version)
) ${own};
CREATE TABLE IF NOT EXISTS pay_events_archive (${order}, ${event}, PRIMARY KEY (order_id, seq)) ${own};
-- The transactions of all orders in columns, for reports of the merchant's own. Amounts are minor units.
CREATE OR REPLACE VIEW pay_transactions AS SELECT one.transaction_id, o.order_id, one.attempt_number,
  one.kind, one.amount, one.currency, one.refunded, one.recorded_at
FROM pay_orders o JOIN JSON_TABLE(o.record, '$.ledger[*]' COLUMNS (
  transaction_id VARCHAR(200) PATH '$.transactionId', attempt_number INT PATH '$.attemptNumber',
  kind VARCHAR(20) PATH '$.kind', amount BIGINT PATH '$.amount.minorUnits',
  currency VARCHAR(8) PATH '$.amount.currency', refunded BIGINT PATH '$.refundedMinorUnits',
  recorded_at BIGINT PATH '$.recordedAt')) AS one;
`,
];
