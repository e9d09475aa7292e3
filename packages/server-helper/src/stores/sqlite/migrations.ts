/** The `.sql` files beside this one, in order; `npm run migrations` writes them here. */
export const migrations: readonly string[] = [
  `
-- What an order writes again and again has a rowid: rows of the same hour then share a few pages,
-- whatever their order ids are, and an update leaves the index as it is. A page that is written
-- costs more than a second search.

-- How many migrations ran, and whose payments these are.
CREATE TABLE pay_meta (
  schema_version INTEGER NOT NULL,
  scope TEXT NOT NULL
) STRICT;

CREATE TABLE pay_payments (
  order_id TEXT NOT NULL PRIMARY KEY,
  amount INTEGER NOT NULL CHECK (amount > 0),
  currency TEXT NOT NULL,
  state TEXT NOT NULL,
  cancelled INTEGER NOT NULL,
  reopens INTEGER NOT NULL,
  transaction_id TEXT,
  captured INTEGER NOT NULL,
  recurring_token TEXT,
  refunded INTEGER NOT NULL CHECK (refunded BETWEEN 0 AND amount),
  current_attempt INTEGER NOT NULL,
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
-- One index for lists of any states: each state is a range of it, and the ranges are merged.
CREATE INDEX pay_payments_state ON pay_payments (state, created_at, order_id);
CREATE INDEX pay_payments_amount ON pay_payments (amount, state, created_at, order_id);

-- An attempt's name is its key in one text, so that a hint is found by the key.
CREATE TABLE pay_attempts (
  order_id TEXT NOT NULL REFERENCES pay_payments (order_id),
  number INTEGER NOT NULL,
  kind TEXT NOT NULL,
  merchant_order_id TEXT NOT NULL CHECK (merchant_order_id = order_id || '~' || number),
  amount INTEGER NOT NULL CHECK (amount > 0),
  currency TEXT NOT NULL,
  state TEXT NOT NULL,
  session_id TEXT,
  redirect_url TEXT,
  transaction_id TEXT,
  failed_at INTEGER,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  last_check_at INTEGER,
  next_check_at INTEGER,
  hinted_at INTEGER,
  -- Since when status checks of it begin and none ends.
  unended_since INTEGER,
  PRIMARY KEY (order_id, number)
) STRICT;
CREATE UNIQUE INDEX pay_attempts_session ON pay_attempts (session_id) WHERE session_id IS NOT NULL;
CREATE INDEX pay_attempts_due ON pay_attempts (next_check_at) WHERE next_check_at IS NOT NULL;
CREATE INDEX pay_attempts_unended ON pay_attempts (unended_since) WHERE unended_since IS NOT NULL;

-- Transactions that hints named, at a gateway that is asked by transactions. An empty id: the shopper
-- came back by the success address.
CREATE TABLE pay_transaction_hints (
  order_id TEXT NOT NULL,
  transaction_id TEXT NOT NULL,
  source TEXT NOT NULL,
  hinted_at INTEGER NOT NULL,
  asked_at INTEGER,
  answered_at INTEGER,
  PRIMARY KEY (order_id, transaction_id)
) STRICT, WITHOUT ROWID;

-- A transaction's id in another case is the same transaction.
CREATE TABLE pay_ledger (
  transaction_id TEXT NOT NULL COLLATE NOCASE PRIMARY KEY,
  order_id TEXT NOT NULL REFERENCES pay_payments (order_id),
  attempt_number INTEGER NOT NULL,
  kind TEXT NOT NULL,
  amount INTEGER NOT NULL,
  currency TEXT NOT NULL,
  refunded INTEGER NOT NULL,
  recorded_at INTEGER NOT NULL
) STRICT;
-- Finds an order's rows, and holds the order to one payment.
CREATE UNIQUE INDEX pay_ledger_order
  ON pay_ledger (order_id, (CASE WHEN kind IN ('payment', 'late') THEN '' ELSE transaction_id END));

CREATE TABLE pay_reviews (
  order_id TEXT NOT NULL REFERENCES pay_payments (order_id),
  reason TEXT NOT NULL,
  subject TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  resolved_at INTEGER,
  resolution TEXT,
  resolved_by TEXT,
  PRIMARY KEY (order_id, reason, subject)
) STRICT, WITHOUT ROWID;
CREATE INDEX pay_reviews_open ON pay_reviews (created_at) WHERE resolved_at IS NULL;
CREATE INDEX pay_reviews_unreadable ON pay_reviews (created_at)
  WHERE resolved_at IS NULL AND reason = 'unreadable_answer';
CREATE INDEX pay_reviews_unproven ON pay_reviews (created_at)
  WHERE resolved_at IS NULL AND reason IN ('no_evidence', 'unattributed_payment');

CREATE TABLE pay_operations (
  id TEXT PRIMARY KEY,
  order_id TEXT NOT NULL REFERENCES pay_payments (order_id),
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  request_id TEXT NOT NULL,
  attempt_number INTEGER NOT NULL,
  transaction_id TEXT,
  amount INTEGER NOT NULL CHECK (amount > 0),
  currency TEXT NOT NULL,
  terms TEXT NOT NULL,
  baseline INTEGER NOT NULL,
  owner TEXT NOT NULL,
  reference TEXT,
  reason TEXT,
  requested_by TEXT,
  approved_by TEXT,
  resolved_by TEXT,
  created_at INTEGER NOT NULL,
  sent_at INTEGER,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX pay_operations_order ON pay_operations (order_id);
CREATE INDEX pay_operations_proposed ON pay_operations (created_at) WHERE state = 'proposed';
CREATE INDEX pay_operations_unknown ON pay_operations (updated_at) WHERE state = 'unknown';
CREATE INDEX pay_operations_reference ON pay_operations (reference COLLATE NOCASE)
  WHERE reference IS NOT NULL;

CREATE TABLE pay_audit (
  seq INTEGER PRIMARY KEY,
  order_id TEXT NOT NULL,
  recorded_at INTEGER NOT NULL,
  entry TEXT NOT NULL
) STRICT;
CREATE INDEX pay_audit_order ON pay_audit (order_id, seq);

-- An event's id begins with its order's and a slash, so that an order's events are a range of ids.
CREATE TABLE pay_outbox (
  event_id TEXT NOT NULL PRIMARY KEY,
  order_id TEXT NOT NULL,
  type TEXT NOT NULL,
  event TEXT NOT NULL,
  outcome TEXT NOT NULL,
  tries INTEGER NOT NULL,
  next_try_at INTEGER
) STRICT;
CREATE INDEX pay_outbox_due ON pay_outbox (type, next_try_at) WHERE next_try_at IS NOT NULL;
CREATE INDEX pay_outbox_dead ON pay_outbox (event_id) WHERE outcome = 'dead';

-- Money taken and refunded, at the moment that a commit recorded it. Rows are added only.
CREATE TABLE pay_movements (
  order_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  amount INTEGER NOT NULL,
  currency TEXT NOT NULL,
  recorded_at INTEGER NOT NULL,
  confirm_ms INTEGER
) STRICT;
CREATE INDEX pay_movements_recorded ON pay_movements (recorded_at);

-- The log and the events of payments without open matters, which the archive command moves here.
-- Each row is numbered anew, since SQLite uses the number of a deleted row again.
CREATE TABLE pay_audit_archive (
  seq INTEGER PRIMARY KEY,
  order_id TEXT NOT NULL,
  recorded_at INTEGER NOT NULL,
  entry TEXT NOT NULL
) STRICT;
CREATE INDEX pay_audit_archive_order ON pay_audit_archive (order_id, seq);

CREATE TABLE pay_outbox_archive (
  seq INTEGER PRIMARY KEY,
  order_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  type TEXT NOT NULL,
  event TEXT NOT NULL,
  outcome TEXT NOT NULL,
  tries INTEGER NOT NULL
) STRICT;
CREATE INDEX pay_outbox_archive_order ON pay_outbox_archive (order_id, seq);

CREATE TABLE pay_hits (
  key TEXT PRIMARY KEY,
  hits INTEGER NOT NULL,
  ends_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX pay_hits_end ON pay_hits (ends_at);

CREATE TABLE pay_request_keys (
  key TEXT PRIMARY KEY,
  subject TEXT NOT NULL,
  ends_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX pay_request_keys_end ON pay_request_keys (ends_at);
`,
];
