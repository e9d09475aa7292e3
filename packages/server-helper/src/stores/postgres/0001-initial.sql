-- Every key begins with order_id, so that the tables can be sharded by it. The three tables at the
-- end have other keys, and no reference to the others. Order ids are sorted by their bytes, whatever
-- the language of the database is: a search by the first characters is then a range of an index.

-- How many migrations ran, and whose payments these are.
CREATE TABLE pay_meta (
  schema_version integer NOT NULL,
  scope text NOT NULL
);

CREATE TABLE pay_payments (
  order_id text COLLATE "C" PRIMARY KEY,
  amount bigint NOT NULL CHECK (amount > 0),
  currency text NOT NULL,
  state text NOT NULL,
  cancelled smallint NOT NULL,
  reopens smallint NOT NULL,
  transaction_id text,
  captured bigint NOT NULL,
  recurring_token text,
  refunded bigint NOT NULL CHECK (refunded BETWEEN 0 AND amount),
  current_attempt integer NOT NULL,
  version bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  -- When an attempt of the order was last checked: one status check at a time changes it.
  last_check_at bigint
);
-- One index for lists of any states: each state is a range of it, and the ranges are merged.
CREATE INDEX pay_payments_state ON pay_payments (state, created_at, order_id);
CREATE INDEX pay_payments_amount ON pay_payments (amount, state, created_at, order_id);

CREATE TABLE pay_attempts (
  order_id text COLLATE "C" NOT NULL REFERENCES pay_payments (order_id),
  number integer NOT NULL,
  kind text NOT NULL,
  merchant_order_id text NOT NULL CHECK (merchant_order_id = order_id || '~' || number::text),
  amount bigint NOT NULL CHECK (amount > 0),
  currency text NOT NULL,
  state text NOT NULL,
  session_id text,
  redirect_url text,
  transaction_id text,
  failed_at bigint,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  last_check_at bigint,
  next_check_at bigint,
  hinted_at bigint,
  -- Since when status checks of it begin and none ends.
  unended_since bigint,
  PRIMARY KEY (order_id, number)
);
CREATE UNIQUE INDEX pay_attempts_session ON pay_attempts (order_id, session_id)
  WHERE session_id IS NOT NULL;
CREATE INDEX pay_attempts_due ON pay_attempts (next_check_at) WHERE next_check_at IS NOT NULL;
CREATE INDEX pay_attempts_unended ON pay_attempts (unended_since) WHERE unended_since IS NOT NULL;

-- Transactions that hints named, at a gateway that is asked by transactions. An empty id: the shopper
-- came back by the success address.
CREATE TABLE pay_transaction_hints (
  order_id text COLLATE "C" NOT NULL,
  transaction_id text NOT NULL,
  -- 'return', 'signed' or 'unsigned', in this order also by the alphabet.
  source text NOT NULL,
  hinted_at bigint NOT NULL,
  asked_at bigint,
  answered_at bigint,
  PRIMARY KEY (order_id, transaction_id)
);

CREATE TABLE pay_ledger (
  order_id text COLLATE "C" NOT NULL REFERENCES pay_payments (order_id),
  transaction_id text NOT NULL,
  attempt_number integer NOT NULL,
  kind text NOT NULL,
  amount bigint NOT NULL,
  currency text NOT NULL,
  refunded bigint NOT NULL,
  recorded_at bigint NOT NULL,
  PRIMARY KEY (order_id, transaction_id)
);
-- A transaction's id in another case is the same transaction.
CREATE UNIQUE INDEX pay_ledger_transaction
  ON pay_ledger (order_id, lower(transaction_id COLLATE "C"));
CREATE UNIQUE INDEX pay_ledger_one_payment ON pay_ledger (order_id)
  WHERE kind IN ('payment', 'late');

CREATE TABLE pay_reviews (
  order_id text COLLATE "C" NOT NULL REFERENCES pay_payments (order_id),
  reason text NOT NULL,
  subject text NOT NULL,
  created_at bigint NOT NULL,
  resolved_at bigint,
  resolution text,
  resolved_by text,
  PRIMARY KEY (order_id, reason, subject)
);
CREATE INDEX pay_reviews_open ON pay_reviews (created_at) WHERE resolved_at IS NULL;
CREATE INDEX pay_reviews_unreadable ON pay_reviews (created_at)
  WHERE resolved_at IS NULL AND reason = 'unreadable_answer';
CREATE INDEX pay_reviews_unproven ON pay_reviews (created_at)
  WHERE resolved_at IS NULL AND reason IN ('no_evidence', 'unattributed_payment');

CREATE TABLE pay_operations (
  order_id text COLLATE "C" NOT NULL REFERENCES pay_payments (order_id),
  id text NOT NULL,
  kind text NOT NULL,
  state text NOT NULL,
  request_id text NOT NULL,
  attempt_number integer NOT NULL,
  transaction_id text,
  amount bigint NOT NULL CHECK (amount > 0),
  currency text NOT NULL,
  terms text NOT NULL,
  baseline bigint NOT NULL,
  owner text NOT NULL,
  reference text,
  reason text,
  requested_by text,
  approved_by text,
  resolved_by text,
  created_at bigint NOT NULL,
  sent_at bigint,
  updated_at bigint NOT NULL,
  PRIMARY KEY (order_id, id)
);
CREATE INDEX pay_operations_proposed ON pay_operations (created_at) WHERE state = 'proposed';
CREATE INDEX pay_operations_unknown ON pay_operations (updated_at) WHERE state = 'unknown';
CREATE INDEX pay_operations_reference ON pay_operations (lower(reference COLLATE "C"))
  WHERE reference IS NOT NULL;

CREATE TABLE pay_audit (
  order_id text COLLATE "C" NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  recorded_at bigint NOT NULL,
  entry text NOT NULL,
  PRIMARY KEY (order_id, seq)
);

CREATE TABLE pay_outbox (
  order_id text COLLATE "C" NOT NULL,
  event_id text NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  type text NOT NULL,
  event text NOT NULL,
  outcome text NOT NULL DEFAULT 'waiting',
  tries integer NOT NULL DEFAULT 0,
  next_try_at bigint,
  PRIMARY KEY (order_id, event_id)
);
CREATE INDEX pay_outbox_due ON pay_outbox (type, next_try_at) WHERE next_try_at IS NOT NULL;
CREATE INDEX pay_outbox_dead ON pay_outbox (order_id, event_id) WHERE outcome = 'dead';

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

-- The log and the events of payments without open matters, which the archive command moves here.
CREATE TABLE pay_audit_archive (
  order_id text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  recorded_at bigint NOT NULL,
  entry text NOT NULL,
  PRIMARY KEY (order_id, seq)
);

CREATE TABLE pay_outbox_archive (
  order_id text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  event_id text NOT NULL,
  type text NOT NULL,
  event text NOT NULL,
  outcome text NOT NULL,
  tries integer NOT NULL,
  PRIMARY KEY (order_id, seq)
);

-- Which order a transaction, an operation or a session belongs to, for ever.
CREATE TABLE pay_owners (
  kind text NOT NULL,
  id text NOT NULL,
  order_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (kind, id)
);

CREATE TABLE pay_hits (
  key text PRIMARY KEY,
  hits integer NOT NULL,
  ends_at bigint NOT NULL
);
CREATE INDEX pay_hits_end ON pay_hits (ends_at);

CREATE TABLE pay_request_keys (
  key text PRIMARY KEY,
  subject text NOT NULL,
  ends_at bigint NOT NULL
);
CREATE INDEX pay_request_keys_end ON pay_request_keys (ends_at);
