import { commitOneFunction } from './commit-one-function.ts';
import { commitFunction } from './commit-function.ts';
import { checkFunctions } from './check-functions.ts';
import { recordFunctions } from './record-functions.ts';

/** The PostgreSQL migrations, in order. A migration that has been released is never edited. */
export const postgresMigrations: readonly string[] = [
  `
  CREATE TABLE pay_payments (
    order_id text PRIMARY KEY,
    amount bigint NOT NULL CHECK (amount > 0),
    currency text NOT NULL,
    state text NOT NULL,
    cancelled smallint NOT NULL,
    transaction_id text,
    refunded bigint NOT NULL CHECK (refunded BETWEEN 0 AND amount),
    current_attempt integer NOT NULL,
    version bigint NOT NULL,
    updated_at bigint NOT NULL
  );

  CREATE TABLE pay_attempts (
    order_id text NOT NULL REFERENCES pay_payments (order_id),
    number integer NOT NULL,
    merchant_order_id text NOT NULL UNIQUE,
    amount bigint NOT NULL CHECK (amount > 0),
    currency text NOT NULL,
    state text NOT NULL,
    session_id text UNIQUE,
    redirect_url text,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    last_check_at bigint,
    next_check_at bigint,
    hinted_at bigint,
    PRIMARY KEY (order_id, number)
  );
  CREATE INDEX pay_attempts_due ON pay_attempts (next_check_at) WHERE state = 'open';

  CREATE TABLE pay_ledger (
    transaction_id text PRIMARY KEY,
    order_id text NOT NULL REFERENCES pay_payments (order_id),
    attempt_number integer NOT NULL,
    kind text NOT NULL,
    amount bigint NOT NULL,
    currency text NOT NULL,
    recorded_at bigint NOT NULL
  );
  CREATE INDEX pay_ledger_order ON pay_ledger (order_id);
  CREATE UNIQUE INDEX pay_ledger_one_payment ON pay_ledger (order_id)
    WHERE kind IN ('payment', 'late');

  CREATE TABLE pay_reviews (
    order_id text NOT NULL REFERENCES pay_payments (order_id),
    reason text NOT NULL,
    transaction_id text NOT NULL,
    created_at bigint NOT NULL,
    PRIMARY KEY (order_id, reason, transaction_id)
  );

  CREATE TABLE pay_outbox (
    event_id text PRIMARY KEY,
    order_id text NOT NULL,
    event text NOT NULL,
    outcome text NOT NULL DEFAULT 'waiting',
    tries integer NOT NULL DEFAULT 0,
    next_try_at bigint
  );
  CREATE INDEX pay_outbox_due ON pay_outbox (next_try_at) WHERE next_try_at IS NOT NULL;
  `,
  `
  ALTER TABLE pay_payments ADD COLUMN captured bigint NOT NULL DEFAULT 0;
  ALTER TABLE pay_payments ADD COLUMN recurring_token text;
  ALTER TABLE pay_payments ADD COLUMN last_check_at bigint;
  UPDATE pay_payments SET captured = amount
    WHERE state IN ('paid', 'paid_late', 'partially_refunded', 'refunded');

  ALTER TABLE pay_attempts ADD COLUMN kind text NOT NULL DEFAULT 'link';
  ALTER TABLE pay_attempts ADD COLUMN transaction_id text;
  DROP INDEX pay_attempts_due;
  CREATE INDEX pay_attempts_due ON pay_attempts (next_check_at) WHERE next_check_at IS NOT NULL;

  ALTER TABLE pay_reviews ADD COLUMN resolved_at bigint;
  ALTER TABLE pay_reviews ADD COLUMN resolution text;
  CREATE INDEX pay_reviews_open ON pay_reviews (created_at) WHERE resolved_at IS NULL;

  CREATE TABLE pay_operations (
    id text PRIMARY KEY,
    order_id text NOT NULL REFERENCES pay_payments (order_id),
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
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
  );
  CREATE INDEX pay_operations_order ON pay_operations (order_id);

  CREATE TABLE pay_audit (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    order_id text NOT NULL,
    recorded_at bigint NOT NULL,
    entry text NOT NULL
  );
  CREATE INDEX pay_audit_order ON pay_audit (order_id, seq);
  CREATE INDEX pay_outbox_dead ON pay_outbox (event_id) WHERE outcome = 'dead';
  CREATE INDEX pay_outbox_order ON pay_outbox (order_id);
  `,
  `
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
  `,
  `
  ALTER TABLE pay_audit DROP CONSTRAINT pay_audit_pkey;
  DROP INDEX pay_audit_order;
  ALTER TABLE pay_audit ADD PRIMARY KEY (order_id, seq);
  `,
  `
  ALTER TABLE pay_outbox ADD COLUMN seq bigint GENERATED ALWAYS AS IDENTITY;
  ALTER TABLE pay_outbox ADD COLUMN type text NOT NULL DEFAULT '';
  UPDATE pay_outbox SET type = event::json->>'type';
  DROP INDEX pay_outbox_due;
  CREATE INDEX pay_outbox_due ON pay_outbox (type, next_try_at) WHERE next_try_at IS NOT NULL;

  ALTER TABLE pay_ledger ADD COLUMN refunded bigint NOT NULL DEFAULT 0;
  UPDATE pay_ledger l SET refunded = p.refunded FROM pay_payments p
    WHERE p.order_id = l.order_id AND l.kind IN ('payment', 'late');
  ` +
    recordFunctions +
    checkFunctions +
    commitFunction +
    commitOneFunction,
  `
  CREATE INDEX pay_operations_unknown ON pay_operations (updated_at) WHERE state = 'unknown';
  CREATE INDEX pay_reviews_unreadable ON pay_reviews (created_at)
    WHERE resolved_at IS NULL AND reason = 'unreadable_answer';
  `,
];
