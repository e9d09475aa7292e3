/** How long a function waits for a row or table that somebody else holds, in milliseconds. */
export const LOCK_TIMEOUT_MS = 1_500;

/**
 * How a function's statements are planned that begin with one row: once a connection, and by index.
 * It costs something to set each, so that only what such statements could choose wrongly is set, and
 * how long they wait for a lock: a statement that is sent alone has nothing before it to say so.
 */
export const lonePlanSettings = `
  SET lock_timeout = ${LOCK_TIMEOUT_MS}
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off`;

/**
 * How the functions' statements are planned: once a connection, whatever the arrays hold, and by
 * index. A plan that was made while the tables were small would else read them whole for as long as
 * it is kept. A function's own settings end with it.
 */
export const planSettings = `${lonePlanSettings}
  SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off`;

/**
 * What a function does that writes only what may be lost with the server: the transaction that ends
 * with it is acknowledged before it has reached the disk. The setting ends with the transaction.
 *
 * @see docs/decisions/0046-postgresql-waits-for-the-disk-where-it-must.md
 */
export const withoutDisk = "durability := set_config('synchronous_commit', 'off', true);";

/** An order's rows, of the payment `p`; few rows are put in their order by who reads them. */
export const recordJson = `json_build_object('payment', p,
      'attempts', ARRAY(SELECT a FROM pay_attempts a WHERE a.order_id = p.order_id),
      'ledger', ARRAY(SELECT l FROM pay_ledger l WHERE l.order_id = p.order_id),
      'reviews', ARRAY(SELECT r FROM pay_reviews r WHERE r.order_id = p.order_id),
      'operations', ARRAY(SELECT i FROM pay_operations i WHERE i.order_id = p.order_id))`;

/**
 * Ends the looks of some rows at the attempts `a` that a condition allows. What reads the attempts
 * beside the update sees them as they were: only one that was open until now is logged as closed.
 */
export const endingChecks = (rows: string, condition: string): string => `
    WITH ended AS (
      UPDATE pay_attempts a SET
        next_check_at = CASE WHEN a.hinted_at > a.last_check_at
          THEN gap + least(l.now, (SELECT max(o.last_check_at) FROM pay_attempts o
            WHERE o.order_id = a.order_id))
          ELSE l.next_check_at END,
        state = CASE WHEN l.next_check_at IS NULL AND a.state = 'open'
          AND NOT coalesce(a.hinted_at > a.last_check_at, false) THEN 'closed' ELSE a.state END
      FROM jsonb_to_recordset(${rows}) AS l (order_id text, number integer, checked_at bigint,
        next_check_at bigint, now bigint, entry text)
      WHERE a.order_id = l.order_id AND a.number = l.number AND ${condition}
        AND a.last_check_at IS NOT DISTINCT FROM l.checked_at
        AND (a.state IN ('open', 'succeeded') OR a.next_check_at IS NOT NULL)
      RETURNING a.order_id, a.number, a.state, l.now, l.entry)
    INSERT INTO pay_audit (order_id, recorded_at, entry)
    SELECT e.order_id, e.now, e.entry FROM ended e WHERE e.state = 'closed'
      AND EXISTS (SELECT FROM pay_attempts b
        WHERE b.order_id = e.order_id AND b.number = e.number AND b.state = 'open')`;

/**
 * The functions that read orders, end looks and note hints, for any number of orders in one round
 * trip. Their statements need no name, which a pooler could not carry, for their plans to be kept.
 * Like every migration they are never edited once released: a later release that needs other ones
 * gives them other names, since processes of the older release go on calling these.
 *
 * The arrays hold each order (each attempt, for hints and ends) once. Rows are locked in the order
 * of their ids, so that two processes never wait for each other in a circle; without `waits` a row
 * that somebody else holds is not waited for, and its caller is told `busy`.
 */
export const recordFunctions = `
  CREATE OR REPLACE FUNCTION pay_load(ids text[])
  RETURNS TABLE (id text, record json)
  LANGUAGE plpgsql ${planSettings} AS $body$
  BEGIN
    RETURN QUERY SELECT p.order_id, ${recordJson}
    FROM pay_payments p WHERE p.order_id = ANY (ids);
  END $body$;

  CREATE OR REPLACE FUNCTION pay_hold_attempts(names text[], waits boolean) RETURNS text[]
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

  CREATE OR REPLACE FUNCTION pay_end_status_checks(names text[], looks jsonb, waits boolean, gap bigint)
  RETURNS TABLE (busy text)
  LANGUAGE plpgsql ${planSettings} AS $body$
  DECLARE
    held text[] := pay_hold_attempts(names, waits);
  BEGIN
    ${endingChecks('looks', 'a.merchant_order_id = ANY (held)')};
    IF NOT waits AND cardinality(held) < cardinality(names) THEN
      RETURN QUERY SELECT a.merchant_order_id FROM pay_attempts a
        WHERE a.merchant_order_id = ANY (names) AND a.merchant_order_id <> ALL (held);
    END IF;
  END $body$;

  CREATE OR REPLACE FUNCTION pay_hint(names text[], hints jsonb, waits boolean, gap bigint)
  RETURNS TABLE (name text, id text, busy boolean)
  LANGUAGE plpgsql ${planSettings} AS $body$
  DECLARE
    held text[] := pay_hold_attempts(names, waits);
  BEGIN
    RETURN QUERY UPDATE pay_attempts a SET hinted_at = greatest(a.hinted_at, h.now), next_check_at = least(a.next_check_at,
        greatest(h.now, coalesce(a.last_check_at + gap, h.now)))
      FROM jsonb_to_recordset(hints) AS h (merchant_order_id text, now bigint)
      WHERE a.merchant_order_id = h.merchant_order_id AND a.merchant_order_id = ANY (held)
        AND a.next_check_at IS NOT NULL AND a.state IN ('open', 'succeeded')
      RETURNING a.merchant_order_id, a.order_id, false;
    IF NOT waits AND cardinality(held) < cardinality(names) THEN
      RETURN QUERY SELECT a.merchant_order_id, a.order_id, true FROM pay_attempts a
        WHERE a.merchant_order_id = ANY (names) AND a.merchant_order_id <> ALL (held);
    END IF;
  END $body$;
`;
