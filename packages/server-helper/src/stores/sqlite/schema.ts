/**
 * The SQLite migrations, in order; `pay_meta` tells how many a file has seen. A migration that has
 * been released is never edited.
 *
 * What an order writes again and again has a rowid: rows of the same hour then stand on the same few
 * pages, whatever their order ids are, and an update leaves the index as it is. A page that is
 * written costs more than a second search.
 */
export const sqliteMigrations: readonly string[] = [
  `
  CREATE TABLE pay_payments (
    order_id TEXT NOT NULL PRIMARY KEY,
    amount INTEGER NOT NULL CHECK (amount > 0),
    currency TEXT NOT NULL,
    state TEXT NOT NULL,
    cancelled INTEGER NOT NULL,
    transaction_id TEXT,
    refunded INTEGER NOT NULL CHECK (refunded BETWEEN 0 AND amount),
    current_attempt INTEGER NOT NULL,
    version INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE pay_attempts (
    order_id TEXT NOT NULL REFERENCES pay_payments (order_id),
    number INTEGER NOT NULL,
    merchant_order_id TEXT NOT NULL CHECK (merchant_order_id = order_id || '~' || number),
    amount INTEGER NOT NULL CHECK (amount > 0),
    currency TEXT NOT NULL,
    state TEXT NOT NULL,
    session_id TEXT,
    redirect_url TEXT,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    last_check_at INTEGER,
    next_check_at INTEGER,
    hinted_at INTEGER,
    PRIMARY KEY (order_id, number)
  ) STRICT;
  CREATE UNIQUE INDEX pay_attempts_session ON pay_attempts (session_id) WHERE session_id IS NOT NULL;
  CREATE INDEX pay_attempts_due ON pay_attempts (next_check_at) WHERE state = 'open';

  CREATE TABLE pay_ledger (
    transaction_id TEXT NOT NULL PRIMARY KEY,
    order_id TEXT NOT NULL REFERENCES pay_payments (order_id),
    attempt_number INTEGER NOT NULL,
    kind TEXT NOT NULL,
    amount INTEGER NOT NULL,
    currency TEXT NOT NULL,
    recorded_at INTEGER NOT NULL
  ) STRICT;
  -- Finds an order's rows, and holds it to one payment.
  CREATE UNIQUE INDEX pay_ledger_order
    ON pay_ledger (order_id, (CASE WHEN kind IN ('payment', 'late') THEN '' ELSE transaction_id END));

  CREATE TABLE pay_reviews (
    order_id TEXT NOT NULL REFERENCES pay_payments (order_id),
    reason TEXT NOT NULL,
    transaction_id TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (order_id, reason, transaction_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE pay_outbox (
    event_id TEXT NOT NULL PRIMARY KEY,
    order_id TEXT NOT NULL,
    event TEXT NOT NULL,
    outcome TEXT NOT NULL,
    tries INTEGER NOT NULL,
    next_try_at INTEGER
  ) STRICT;
  CREATE INDEX pay_outbox_due ON pay_outbox (next_try_at) WHERE next_try_at IS NOT NULL;
  `,
  `
  ALTER TABLE pay_payments ADD COLUMN captured INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE pay_payments ADD COLUMN recurring_token TEXT;
  UPDATE pay_payments SET captured = amount
    WHERE state IN ('paid', 'paid_late', 'partially_refunded', 'refunded');

  ALTER TABLE pay_attempts ADD COLUMN kind TEXT NOT NULL DEFAULT 'link';
  ALTER TABLE pay_attempts ADD COLUMN transaction_id TEXT;
  DROP INDEX pay_attempts_due;
  CREATE INDEX pay_attempts_due ON pay_attempts (next_check_at) WHERE next_check_at IS NOT NULL;

  ALTER TABLE pay_reviews ADD COLUMN resolved_at INTEGER;
  ALTER TABLE pay_reviews ADD COLUMN resolution TEXT;
  CREATE INDEX pay_reviews_open ON pay_reviews (created_at) WHERE resolved_at IS NULL;

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
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX pay_operations_order ON pay_operations (order_id);

  CREATE TABLE pay_audit (
    seq INTEGER PRIMARY KEY,
    order_id TEXT NOT NULL,
    recorded_at INTEGER NOT NULL,
    entry TEXT NOT NULL
  ) STRICT;
  CREATE INDEX pay_audit_order ON pay_audit (order_id, seq);
  CREATE INDEX pay_outbox_dead ON pay_outbox (event_id) WHERE outcome = 'dead';
  `,
  `
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
  `
  ALTER TABLE pay_outbox ADD COLUMN type TEXT NOT NULL DEFAULT '';
  UPDATE pay_outbox SET type = json_extract(event, '$.type');
  DROP INDEX pay_outbox_due;
  CREATE INDEX pay_outbox_due ON pay_outbox (type, next_try_at) WHERE next_try_at IS NOT NULL;

  ALTER TABLE pay_ledger ADD COLUMN refunded INTEGER NOT NULL DEFAULT 0;
  UPDATE pay_ledger SET refunded = (SELECT p.refunded FROM pay_payments p
    WHERE p.order_id = pay_ledger.order_id) WHERE kind IN ('payment', 'late');

  CREATE INDEX pay_operations_unknown ON pay_operations (updated_at) WHERE state = 'unknown';
  CREATE INDEX pay_reviews_unreadable ON pay_reviews (created_at)
    WHERE resolved_at IS NULL AND reason = 'unreadable_answer';
  `,
];
