/** The schema's migrations in order. One that a release has run is never changed: the next one changes the schema. */
export const migrations: readonly string[] = [
  `
-- What an order writes again and again has a rowid: rows of the same hour then share a few pages,
-- whatever their order ids are. A page that is written costs more than a second search. Of a queue
-- only what waits is in its index, so that a settled order is in none of them.

-- How many migrations ran, and whose payments these are.
CREATE TABLE pay_meta (
  schema_version INTEGER NOT NULL,
  scope TEXT NOT NULL
) STRICT;

-- An order's payment: the document is its record, and beside it stands what lists and queues ask for.
CREATE TABLE pay_orders (
  order_id TEXT NOT NULL PRIMARY KEY,
  version INTEGER NOT NULL,
  state TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount > 0),
  currency TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  saved_at INTEGER NOT NULL,
  -- When the gateway is to be asked next, and when it was asked last.
  due_at INTEGER,
  taken_at INTEGER,
  -- Since when status checks begin and none ends.
  unended_since INTEGER,
  -- Of the watched attempts: when the newest was made and has grown by half, and whether a hint waits.
  made_at INTEGER,
  grown_at INTEGER,
  is_hinted INTEGER NOT NULL,
  -- When the oldest open review was opened, and the reasons of all.
  reviewed_at INTEGER,
  open_reviews TEXT,
  proposed_at INTEGER,
  unknown_at INTEGER,
  record TEXT NOT NULL
) STRICT;
-- One index for lists of any states: each state is a range of it, and the ranges are merged.
CREATE INDEX pay_orders_state ON pay_orders (state, created_at, order_id);
CREATE INDEX pay_orders_amount ON pay_orders (amount, state, created_at, order_id);
CREATE INDEX pay_orders_due ON pay_orders (due_at, taken_at) WHERE due_at IS NOT NULL;
CREATE INDEX pay_orders_unended ON pay_orders (unended_since) WHERE unended_since IS NOT NULL;
CREATE INDEX pay_orders_reviewed ON pay_orders (reviewed_at, open_reviews)
  WHERE reviewed_at IS NOT NULL;
CREATE INDEX pay_orders_proposed ON pay_orders (proposed_at) WHERE proposed_at IS NOT NULL;
CREATE INDEX pay_orders_unknown ON pay_orders (unknown_at) WHERE unknown_at IS NOT NULL;

-- Sessions, transactions and operations belong to one order for ever; of a reference, which a gateway
-- may give twice, the first order is kept. A transaction and a reference are in small letters.
CREATE TABLE pay_names (
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  order_id TEXT NOT NULL,
  PRIMARY KEY (kind, name)
) STRICT, WITHOUT ROWID;

-- The changes that concern money or matters, each with the version that it led to. Rows are added only.
CREATE TABLE pay_log (
  order_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  recorded_at INTEGER NOT NULL,
  entry TEXT NOT NULL,
  PRIMARY KEY (order_id, version)
) STRICT;

-- Events on their way to the merchant's handlers. An event's id begins with its order's and a slash,
-- so that an order's events are a range of ids.
CREATE TABLE pay_events (
  event_id TEXT NOT NULL PRIMARY KEY,
  order_id TEXT NOT NULL,
  type TEXT NOT NULL,
  event TEXT NOT NULL,
  outcome TEXT NOT NULL,
  tries INTEGER NOT NULL,
  next_try_at INTEGER
) STRICT;
CREATE INDEX pay_events_due ON pay_events (type, next_try_at) WHERE next_try_at IS NOT NULL;
CREATE INDEX pay_events_dead ON pay_events (event_id) WHERE outcome = 'dead';

-- Money taken and refunded, at the moment that a change recorded it. Rows are added only.
CREATE TABLE pay_movements (
  order_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  amount INTEGER NOT NULL,
  currency TEXT NOT NULL,
  recorded_at INTEGER NOT NULL,
  confirm_ms INTEGER
) STRICT;
CREATE INDEX pay_movements_recorded ON pay_movements (recorded_at);

-- Limits, and request keys with what they were first used for. Each row is forgotten at its end.
CREATE TABLE pay_counters (
  key TEXT PRIMARY KEY,
  hits INTEGER NOT NULL,
  subject TEXT NOT NULL,
  ends_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX pay_counters_end ON pay_counters (ends_at);

-- The log and the events of payments without open matters, which the archive command moves here.
CREATE TABLE pay_log_archive (
  order_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  recorded_at INTEGER NOT NULL,
  entry TEXT NOT NULL,
  PRIMARY KEY (order_id, version)
) STRICT;

-- Each row is numbered anew, since SQLite uses the number of a deleted row again.
CREATE TABLE pay_events_archive (
  seq INTEGER PRIMARY KEY,
  order_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  type TEXT NOT NULL,
  event TEXT NOT NULL,
  outcome TEXT NOT NULL,
  tries INTEGER NOT NULL
) STRICT;
CREATE INDEX pay_events_archive_order ON pay_events_archive (order_id, seq);

-- The transactions of all orders in columns, for queries of the merchant's own; amounts in minor units.
CREATE VIEW pay_transactions AS
SELECT
  json_extract(one.value, '$.transactionId') AS transaction_id,
  pay_orders.order_id,
  json_extract(one.value, '$.attemptNumber') AS attempt_number,
  json_extract(one.value, '$.kind') AS kind,
  json_extract(one.value, '$.amount.minorUnits') AS amount,
  json_extract(one.value, '$.amount.currency') AS currency,
  json_extract(one.value, '$.refundedMinorUnits') AS refunded,
  json_extract(one.value, '$.recordedAt') AS recorded_at
FROM pay_orders, json_each(pay_orders.record, '$.ledger') AS one;
`,
];
