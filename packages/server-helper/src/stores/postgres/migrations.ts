/** The schema's migrations in order. One that a release has run is never changed: the next one changes the schema. */
export const migrations: readonly string[] = [
  `
-- One order is one document, which is read and written whole; each change of it is one version. The
-- columns beside it are read from the document at each save, for queues and lists.
-- Order ids are sorted by their bytes, whatever the language of the database is: a search by the first
-- characters is then a range of an index.

-- How many migrations ran, and whose payments these are.
CREATE TABLE pay_meta (
  schema_version integer NOT NULL,
  scope text NOT NULL
);

CREATE TABLE pay_orders (
  order_id text COLLATE "C" PRIMARY KEY,
  version bigint NOT NULL,
  record json NOT NULL,
  state text NOT NULL,
  amount bigint NOT NULL,
  currency text NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  saved_at bigint NOT NULL,
  -- When the gateway is to be asked next. Only a watched order has it.
  due_at bigint,
  made_at bigint,
  grown_at bigint,
  is_hinted boolean NOT NULL,
  is_askable boolean NOT NULL,
  has_money boolean NOT NULL,
  reviewed_at bigint,
  open_reviews text,
  proposed_at bigint,
  unknown_at bigint,
  -- Not of the document: when the order was taken last, and since when status checks begin and none ends.
  taken_at bigint,
  unended_since bigint
);
-- One index for lists of any states: each state is a range of it, and the ranges are merged. Figures
-- count by it, and the money that is held is the range of one state.
CREATE INDEX pay_orders_state ON pay_orders (state, created_at, order_id);
CREATE INDEX pay_orders_amount ON pay_orders (amount, state, created_at, order_id);
-- The queues. A settled order is in none of them.
CREATE INDEX pay_orders_due ON pay_orders (due_at, taken_at NULLS FIRST) WHERE due_at IS NOT NULL;
CREATE INDEX pay_orders_unended ON pay_orders (unended_since) WHERE unended_since IS NOT NULL;
CREATE INDEX pay_orders_reviewed ON pay_orders (reviewed_at) WHERE reviewed_at IS NOT NULL;
CREATE INDEX pay_orders_proposed ON pay_orders (proposed_at) WHERE proposed_at IS NOT NULL;
CREATE INDEX pay_orders_unknown ON pay_orders (unknown_at) WHERE unknown_at IS NOT NULL;

-- Which order a session, a transaction or an operation belongs to, for ever; and which order a gateway's
-- reference named first.
CREATE TABLE pay_names (
  kind text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  order_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (kind, name)
);

-- The changes that concern money or matters, each with the version that it led to. Rows are added only.
CREATE TABLE pay_log (
  order_id text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  recorded_at bigint NOT NULL,
  entry json NOT NULL,
  PRIMARY KEY (order_id, version)
);

CREATE TABLE pay_events (
  order_id text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  type text NOT NULL,
  event json NOT NULL,
  outcome text NOT NULL DEFAULT 'waiting',
  tries integer NOT NULL DEFAULT 0,
  next_try_at bigint,
  PRIMARY KEY (order_id, event_id)
);
CREATE INDEX pay_events_due ON pay_events (type, next_try_at) WHERE next_try_at IS NOT NULL;
CREATE INDEX pay_events_dead ON pay_events (seq) WHERE outcome = 'dead';

-- Money taken and refunded, at the moment that a commit recorded it. Rows are added only.
CREATE TABLE pay_movements (
  order_id text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  amount bigint NOT NULL,
  currency text NOT NULL,
  recorded_at bigint NOT NULL,
  confirm_ms bigint
);
CREATE INDEX pay_movements_recorded ON pay_movements (recorded_at);

-- Limits, which count hits, and keys, which are bound to a subject. Each ends.
CREATE TABLE pay_counters (
  key text COLLATE "C" PRIMARY KEY,
  hits integer NOT NULL,
  subject text NOT NULL,
  ends_at bigint NOT NULL
);
CREATE INDEX pay_counters_end ON pay_counters (ends_at);

-- The log and the events of payments without open matters, which the archive command moves here.
CREATE TABLE pay_log_archive (LIKE pay_log INCLUDING ALL);
CREATE TABLE pay_events_archive (
  order_id text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  event_id text NOT NULL,
  type text NOT NULL,
  event json NOT NULL,
  outcome text NOT NULL,
  tries integer NOT NULL,
  PRIMARY KEY (order_id, seq)
);

-- The transactions of all orders in columns, for reports of the merchant's own. Amounts are minor units,
-- and times milliseconds since the epoch.
CREATE VIEW pay_transactions AS
SELECT
  one ->> 'transactionId' AS transaction_id,
  o.order_id,
  (one ->> 'attemptNumber')::integer AS attempt_number,
  one ->> 'kind' AS kind,
  (one -> 'amount' ->> 'minorUnits')::bigint AS amount,
  one -> 'amount' ->> 'currency' AS currency,
  (one ->> 'refundedMinorUnits')::bigint AS refunded,
  (one ->> 'recordedAt')::bigint AS recorded_at
FROM pay_orders o CROSS JOIN LATERAL json_array_elements(o.record -> 'ledger') AS ledger (one);
`,
];
