/**
 * How the functions' statements are planned: once a connection, whatever the arrays hold, and by
 * index. A plan that was made while the tables were small would else read them whole for as long as
 * it is kept. A function's own settings end with it.
 */
export const planSettings = `
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET enable_hashjoin = off SET enable_mergejoin = off`;

/**
 * The functions that read orders and begin and end looks, for any number of orders in one round
 * trip. Their statements need no name, which a pooler could not carry, for their plans to be kept.
 * Like every migration they are never edited once released: a later release that needs other ones
 * gives them other names, since processes of the older release go on calling these.
 *
 * The arrays hold each order (each attempt, for hints and ends) once. Rows are locked in the order
 * of their ids, so that two processes never wait for each other in a circle; without `waits` a row
 * that somebody else holds is not waited for, and its caller is told `busy`.
 */
export const recordFunctions = `
  CREATE FUNCTION pay_load(ids text[])
  RETURNS TABLE (id text, record json, version bigint, state text, last_look_at bigint)
  LANGUAGE plpgsql ${planSettings} AS $body$
  BEGIN
    RETURN QUERY SELECT p.order_id, json_build_object('payment', row_to_json(p),
      'attempts', (SELECT coalesce(json_agg(a ORDER BY a.number), '[]')
        FROM pay_attempts a WHERE a.order_id = p.order_id),
      'ledger', (SELECT coalesce(json_agg(l ORDER BY l.recorded_at), '[]')
        FROM pay_ledger l WHERE l.order_id = p.order_id),
      'reviews', (SELECT coalesce(json_agg(r ORDER BY r.created_at), '[]')
        FROM pay_reviews r WHERE r.order_id = p.order_id),
      'intents', (SELECT coalesce(json_agg(i ORDER BY i.created_at, i.id), '[]')
        FROM pay_intents i WHERE i.order_id = p.order_id)),
      p.version, p.state, p.last_look_at
    FROM pay_payments p WHERE p.order_id = ANY (ids);
  END $body$;

  CREATE FUNCTION pay_begin_looks(ids text[], requests jsonb, waits boolean, gap bigint)
  RETURNS TABLE (id text, record json, taken json, busy boolean)
  LANGUAGE plpgsql ${planSettings} AS $body$
  DECLARE
    held text[];
    looks json := '[]';
  BEGIN
    IF waits THEN
      held := ARRAY(SELECT p.order_id FROM pay_payments p
        JOIN jsonb_to_recordset(requests) AS r (order_id text, now bigint, unless_settled boolean)
          ON r.order_id = p.order_id
        WHERE (NOT r.unless_settled
            OR p.state IN ('unpaid', 'pending', 'failed', 'expired', 'review'))
          AND (p.last_look_at IS NULL
            OR p.last_look_at NOT BETWEEN r.now - gap + 1 AND r.now + gap - 1)
        ORDER BY p.order_id FOR NO KEY UPDATE OF p);
    ELSE
      held := ARRAY(SELECT p.order_id FROM pay_payments p
        JOIN jsonb_to_recordset(requests) AS r (order_id text, now bigint, unless_settled boolean)
          ON r.order_id = p.order_id
        WHERE (NOT r.unless_settled
            OR p.state IN ('unpaid', 'pending', 'failed', 'expired', 'review'))
          AND (p.last_look_at IS NULL
            OR p.last_look_at NOT BETWEEN r.now - gap + 1 AND r.now + gap - 1)
        ORDER BY p.order_id FOR NO KEY UPDATE OF p SKIP LOCKED);
    END IF;
    IF cardinality(held) > 0 THEN
      IF cardinality(held) > 1 THEN
        PERFORM FROM pay_attempts a WHERE a.order_id = ANY (held)
          ORDER BY a.order_id, a.number FOR NO KEY UPDATE;
      END IF;
      WITH looked AS (
        UPDATE pay_attempts a SET last_look_at = c.now,
          next_look_at = CASE WHEN a.next_look_at IS NOT NULL THEN c.now + c.lease_ms END
        FROM (
          SELECT r.order_id, r.now, r.lease_ms, turn.number
          FROM jsonb_to_recordset(requests) AS r (order_id text, now bigint, lease_ms bigint,
            every_session boolean, attempt_number integer)
          CROSS JOIN LATERAL (
            SELECT o.number FROM pay_attempts o WHERE o.order_id = r.order_id
              AND coalesce(o.session_id, o.transaction_id) IS NOT NULL
              AND (o.next_look_at IS NOT NULL OR r.every_session)
              AND (r.attempt_number IS NULL OR o.number = r.attempt_number)
            ORDER BY coalesce(o.hinted_at > coalesce(o.last_look_at, 0), false) DESC,
              o.last_look_at ASC NULLS FIRST, o.number DESC
            LIMIT 1) turn
          WHERE r.order_id = ANY (held)) c
        WHERE a.order_id = c.order_id AND a.number = c.number
        RETURNING a.*),
      gate AS (
        UPDATE pay_payments p SET last_look_at = l.last_look_at
        FROM looked l WHERE p.order_id = l.order_id)
      SELECT coalesce(json_agg(l), '[]') INTO looks FROM looked l;
    END IF;
    RETURN QUERY SELECT f.id, f.record, l.look, NOT waits AND f.id <> ALL (held)
        AND (NOT r.unless_settled
          OR f.state IN ('unpaid', 'pending', 'failed', 'expired', 'review'))
        AND (f.last_look_at IS NULL
          OR f.last_look_at NOT BETWEEN r.now - gap + 1 AND r.now + gap - 1)
      FROM pay_load(ids) f
      JOIN jsonb_to_recordset(requests) AS r (order_id text, now bigint, unless_settled boolean)
        ON r.order_id = f.id
      LEFT JOIN (SELECT e->>'order_id' AS order_id, e AS look
        FROM json_array_elements(looks) e) l ON l.order_id = f.id;
  END $body$;

  CREATE FUNCTION pay_hold_attempts(names text[], waits boolean) RETURNS text[]
  LANGUAGE plpgsql AS $body$
  BEGIN
    IF waits THEN
      RETURN ARRAY(SELECT a.merchant_order_id FROM pay_attempts a
        WHERE a.merchant_order_id = ANY (names) ORDER BY a.order_id, a.number FOR NO KEY UPDATE);
    END IF;
    RETURN ARRAY(SELECT a.merchant_order_id FROM pay_attempts a
      WHERE a.merchant_order_id = ANY (names)
      ORDER BY a.order_id, a.number FOR NO KEY UPDATE SKIP LOCKED);
  END $body$;

  CREATE FUNCTION pay_end_looks(names text[], looks jsonb, waits boolean, gap bigint)
  RETURNS TABLE (busy text)
  LANGUAGE plpgsql ${planSettings} AS $body$
  DECLARE
    held text[] := pay_hold_attempts(names, waits);
  BEGIN
    WITH ended AS (
      UPDATE pay_attempts a SET
        next_look_at = CASE WHEN a.hinted_at > a.last_look_at THEN a.last_look_at + gap
          ELSE l.next_look_at END,
        state = CASE WHEN l.next_look_at IS NULL AND a.state = 'open'
          AND NOT coalesce(a.hinted_at > a.last_look_at, false) THEN 'closed' ELSE a.state END
      FROM jsonb_to_recordset(looks) AS l (merchant_order_id text, next_look_at bigint,
        now bigint, entry text)
      WHERE a.merchant_order_id = l.merchant_order_id AND a.merchant_order_id = ANY (held)
        AND a.state IN ('open', 'settled')
      RETURNING a.order_id, a.state, l.now, l.entry)
    INSERT INTO pay_audit (order_id, recorded_at, entry)
    SELECT e.order_id, e.now, e.entry FROM ended e WHERE e.state = 'closed' ORDER BY e.order_id;
    IF NOT waits AND cardinality(held) < cardinality(names) THEN
      RETURN QUERY SELECT a.merchant_order_id FROM pay_attempts a
        WHERE a.merchant_order_id = ANY (names) AND a.merchant_order_id <> ALL (held);
    END IF;
  END $body$;

  CREATE FUNCTION pay_hint(names text[], hints jsonb, waits boolean, gap bigint)
  RETURNS TABLE (name text, id text, busy boolean)
  LANGUAGE plpgsql ${planSettings} AS $body$
  DECLARE
    held text[] := pay_hold_attempts(names, waits);
  BEGIN
    RETURN QUERY UPDATE pay_attempts a SET hinted_at = greatest(a.hinted_at, h.now), next_look_at = least(a.next_look_at,
        greatest(h.now, coalesce(a.last_look_at + gap, h.now)))
      FROM jsonb_to_recordset(hints) AS h (merchant_order_id text, now bigint)
      WHERE a.merchant_order_id = h.merchant_order_id AND a.merchant_order_id = ANY (held)
        AND a.next_look_at IS NOT NULL AND a.state IN ('open', 'settled')
      RETURNING a.merchant_order_id, a.order_id, false;
    IF NOT waits AND cardinality(held) < cardinality(names) THEN
      RETURN QUERY SELECT a.merchant_order_id, a.order_id, true FROM pay_attempts a
        WHERE a.merchant_order_id = ANY (names) AND a.merchant_order_id <> ALL (held);
    END IF;
  END $body$;
`;
