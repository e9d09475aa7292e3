import { planSettings } from './postgres-record-functions.ts';

/**
 * The function that writes any number of changes in one round trip, each whole or not at all. The
 * arrays of its argument hold the rows of all changes, each order, transaction and intent once.
 *
 * What may be refused is looked at first, under locks that are taken in the order of the ids; then
 * the payments are written, then the rows of those that were. What nobody foresees, such as a
 * transaction that another process binds at this moment, is an error, which undoes everything: the
 * caller then sends each change by itself.
 *
 * @see recordFunctions for what `waits` means, and why this is never edited.
 */
export const commitFunction = `
  CREATE FUNCTION pay_commit(creating text[], changing text[], changes jsonb, waits boolean)
  RETURNS json
  LANGUAGE plpgsql ${planSettings} AS $body$
  DECLARE
    won text[] := '{}';
    changed text[];
    others text[];
    refused text[] := '{}';
    refusals json[] := '{}';
    expected bigint;
    written bigint;
  BEGIN
    IF changes ? 'ledger' THEN
      SELECT coalesce(array_agg(n.order_id), '{}'), coalesce(array_agg(json_build_object('id',
          n.order_id, 'outcome', 'transaction_taken', 'transactionId', n.transaction_id,
          'orderId', o.order_id)), '{}')
        INTO refused, refusals
        FROM jsonb_populate_recordset(NULL::pay_ledger, changes->'ledger') n
        JOIN pay_ledger o ON o.transaction_id = n.transaction_id;
    END IF;
    IF changes ? 'intents' THEN
      SELECT refused || coalesce(array_agg(n.order_id), '{}'), refusals || coalesce(array_agg(
          json_build_object('id', n.order_id, 'outcome', 'intent_taken', 'intentId', n.id)), '{}')
        INTO refused, refusals
        FROM jsonb_populate_recordset(NULL::pay_intents, changes->'intents') n
        JOIN pay_intents o ON o.id = n.id AND o.order_id <> n.order_id;
    END IF;

    IF cardinality(changing) > 0 THEN
      IF waits THEN
        changed := ARRAY(SELECT p.order_id FROM pay_payments p WHERE p.order_id = ANY (changing)
          ORDER BY p.order_id FOR NO KEY UPDATE);
      ELSE
        changed := ARRAY(SELECT p.order_id FROM pay_payments p WHERE p.order_id = ANY (changing)
          ORDER BY p.order_id FOR NO KEY UPDATE SKIP LOCKED);
      END IF;
      WITH updated AS (
        UPDATE pay_payments p SET amount = n.amount, currency = n.currency, state = n.state,
          cancelled = n.cancelled, transaction_id = n.transaction_id, captured = n.captured,
          recurring_token = n.recurring_token, refunded = n.refunded,
          current_attempt = n.current_attempt, version = n.version, updated_at = n.updated_at
        FROM jsonb_populate_recordset(NULL::pay_payments, changes->'changed') n
        WHERE p.order_id = n.order_id AND p.version = n.version - 1
          AND n.order_id = ANY (changed) AND n.order_id <> ALL (refused)
        RETURNING p.order_id)
      SELECT coalesce(array_agg(u.order_id), '{}') INTO won FROM updated u;
    END IF;
    IF cardinality(creating) > 0 THEN
      WITH inserted AS (
        INSERT INTO pay_payments (order_id, amount, currency, state, cancelled, transaction_id,
          captured, recurring_token, refunded, current_attempt, version, updated_at)
        SELECT n.order_id, n.amount, n.currency, n.state, n.cancelled, n.transaction_id,
          n.captured, n.recurring_token, n.refunded, n.current_attempt, n.version, n.updated_at
        FROM jsonb_populate_recordset(NULL::pay_payments, changes->'created') n
        WHERE n.order_id <> ALL (refused) ORDER BY n.order_id
        ON CONFLICT DO NOTHING RETURNING order_id)
      SELECT won || coalesce(array_agg(i.order_id), '{}') INTO won FROM inserted i;
    END IF;

    IF changes ? 'attempts' THEN
      INSERT INTO pay_attempts (order_id, number, kind, merchant_order_id, amount, currency, state,
        session_id, redirect_url, transaction_id, created_at, expires_at, next_look_at)
      SELECT n.order_id, n.number, n.kind, n.merchant_order_id, n.amount, n.currency, n.state,
        n.session_id, n.redirect_url, n.transaction_id, n.created_at, n.expires_at, n.next_look_at
      FROM jsonb_populate_recordset(NULL::pay_attempts, changes->'attempts') n
      WHERE n.order_id = ANY (won) ORDER BY n.order_id, n.number
      ON CONFLICT (order_id, number) DO UPDATE SET state = excluded.state,
        session_id = excluded.session_id, redirect_url = excluded.redirect_url,
        transaction_id = excluded.transaction_id, next_look_at = excluded.next_look_at;
    END IF;
    IF changes ? 'ledger' THEN
      INSERT INTO pay_ledger (transaction_id, order_id, attempt_number, kind, amount, currency,
        recorded_at)
      SELECT n.transaction_id, n.order_id, n.attempt_number, n.kind, n.amount, n.currency,
        n.recorded_at
      FROM jsonb_populate_recordset(NULL::pay_ledger, changes->'ledger') n
      WHERE n.order_id = ANY (won) ORDER BY n.transaction_id;
    END IF;
    IF changes ? 'reviews' THEN
      INSERT INTO pay_reviews (order_id, reason, transaction_id, created_at, resolved_at, resolution)
      SELECT n.order_id, n.reason, n.transaction_id, n.created_at, n.resolved_at, n.resolution
      FROM jsonb_populate_recordset(NULL::pay_reviews, changes->'reviews') n
      WHERE n.order_id = ANY (won) ORDER BY n.order_id, n.reason, n.transaction_id
      ON CONFLICT (order_id, reason, transaction_id)
        DO UPDATE SET resolved_at = excluded.resolved_at, resolution = excluded.resolution;
    END IF;
    IF changes ? 'intents' THEN
      INSERT INTO pay_intents (id, order_id, kind, state, request_id, attempt_number,
        transaction_id, amount, currency, terms, baseline, owner, reference, reason, created_at,
        updated_at)
      SELECT n.id, n.order_id, n.kind, n.state, n.request_id, n.attempt_number, n.transaction_id,
        n.amount, n.currency, n.terms, n.baseline, n.owner, n.reference, n.reason, n.created_at,
        n.updated_at
      FROM jsonb_populate_recordset(NULL::pay_intents, changes->'intents') n
      WHERE n.order_id = ANY (won) ORDER BY n.id
      ON CONFLICT (id) DO UPDATE SET state = excluded.state,
        transaction_id = excluded.transaction_id, reference = excluded.reference,
        reason = excluded.reason, updated_at = excluded.updated_at
        WHERE pay_intents.order_id = excluded.order_id;
      GET DIAGNOSTICS written = ROW_COUNT;
      SELECT count(*) INTO expected FROM jsonb_array_elements(changes->'intents') n
        WHERE n->>'order_id' = ANY (won);
      IF written <> expected THEN
        RAISE unique_violation USING MESSAGE = 'the id of an intent was taken at this moment';
      END IF;
    END IF;
    INSERT INTO pay_audit (order_id, recorded_at, entry)
    SELECT n.order_id, n.recorded_at, n.entry
    FROM jsonb_to_recordset(changes->'audit') AS n (order_id text, recorded_at bigint, entry text)
    WHERE n.order_id = ANY (won) ORDER BY n.order_id;
    IF changes ? 'events' THEN
      INSERT INTO pay_outbox (event_id, order_id, event, outcome, tries, next_try_at)
      SELECT n.event_id, n.order_id, n.event, 'waiting', 0, n.next_try_at
      FROM jsonb_populate_recordset(NULL::pay_outbox, changes->'events') n
      WHERE n.order_id = ANY (won) ORDER BY n.event_id;
    END IF;

    IF cardinality(won) = cardinality(creating) + cardinality(changing) THEN
      RETURN NULL;
    END IF;
    others := ARRAY(SELECT o.id FROM unnest(creating || changing) o (id)
      WHERE o.id <> ALL (won) AND o.id <> ALL (refused));
    RETURN (SELECT json_agg(refusal) FROM (
      SELECT unnest(refusals) AS refusal
      UNION ALL
      SELECT json_build_object('id', o.id, 'outcome',
        CASE WHEN NOT waits AND f.version = n.version - 1 THEN 'busy' ELSE 'conflict' END,
        'record', f.record)
      FROM unnest(others) AS o (id)
      LEFT JOIN pay_load(others) f ON f.id = o.id
      LEFT JOIN jsonb_to_recordset(changes->'changed') AS n (order_id text, version bigint)
        ON n.order_id = o.id) all_refusals);
  END $body$;
`;
