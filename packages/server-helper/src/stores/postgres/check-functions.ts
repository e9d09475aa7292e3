import { lonePlanSettings, planSettings, recordJson, withoutDisk } from './record-functions.ts';

/** What a status check is asked for by, each with its type. */
const requestTypes = {
  order_id: 'text',
  now: 'bigint',
  lease_ms: 'bigint',
  every_session: 'boolean',
  attempt_number: 'integer',
  unless_has_money: 'boolean',
};
const requestColumns = Object.entries(requestTypes).map(([name, type]) => `${name} ${type}`);

/** The one request of the function's parameters, as `r`. */
const request = `(SELECT ${Object.keys(requestTypes)
  .map((name, index) => `$${index + 1} AS ${name}`)
  .join(', ')}) AS r`;

/** Whether the payment `p` may be looked at for the request `r`. */
const isOpenToCheck = `
      (NOT r.unless_has_money OR p.state IN ('unpaid', 'pending', 'failed', 'expired', 'review'))
        AND (p.last_check_at IS NULL
          OR p.last_check_at NOT BETWEEN r.now - gap + 1 AND r.now + gap - 1)`;

/** Which of the attempts that a condition allows is looked at for the request `r`. */
const attemptInTurn = (condition: string): string => `
        SELECT o.number FROM pay_attempts o WHERE ${condition}
          AND coalesce(o.session_id, o.transaction_id) IS NOT NULL
          AND (o.next_check_at IS NOT NULL OR r.every_session)
          AND (r.attempt_number IS NULL OR o.number = r.attempt_number
            OR NOT r.every_session AND EXISTS (SELECT FROM pay_attempts h
              WHERE h.order_id = o.order_id AND h.number = r.attempt_number
                AND h.hinted_at > coalesce(h.last_check_at, 0)))
        ORDER BY o.last_check_at ASC NULLS FIRST, o.number DESC
        LIMIT 1`;

/**
 * The functions that begin looks: of any number of orders in one round trip, and of one that is
 * alone, from plain parameters. A look that takes nothing, as most do that ask for a paid order,
 * writes nothing. What it tells is the record as it stood before, and the number of the attempt that
 * was `taken`.
 *
 * One look reads before it holds the payment. Where somebody holds that, or has changed it since, it
 * writes nothing and is `busy`.
 *
 * @see recordFunctions for what `waits` means, and why this is never edited.
 */
export const checkFunctions = `
  CREATE OR REPLACE FUNCTION pay_begin_status_checks(requests jsonb, waits boolean, gap bigint)
  RETURNS TABLE (id text, record json, taken integer, busy boolean)
  LANGUAGE plpgsql ${planSettings} AS $body$
  DECLARE
    check_at bigint;
    check_again_at bigint;
    ids text[] := '{}';
    numbers integer[];
    checks_at bigint[];
    checks_again_at bigint[];
    durability text;
  BEGIN
    IF waits THEN
      PERFORM FROM jsonb_to_recordset(requests) AS r (order_id text)
        JOIN pay_payments p ON p.order_id = r.order_id FOR NO KEY UPDATE OF p;
    END IF;
    FOR id, record, taken, busy, check_at, check_again_at IN
      SELECT p.order_id, ${recordJson}, turn.number,
        NOT waits AND held.order_id IS NULL AND ${isOpenToCheck},
        r.now, r.now + r.lease_ms
      FROM jsonb_to_recordset(requests) AS r (${requestColumns.join(', ')})
      JOIN pay_payments p ON p.order_id = r.order_id
      LEFT JOIN LATERAL (
        SELECT p.order_id FROM pay_payments p WHERE p.order_id = r.order_id AND ${isOpenToCheck}
        FOR NO KEY UPDATE SKIP LOCKED) held ON true
      LEFT JOIN LATERAL (
${attemptInTurn('o.order_id = held.order_id')}) turn ON true
    LOOP
      IF taken IS NOT NULL THEN
        ids := ids || id;
        numbers := numbers || taken;
        checks_at := checks_at || check_at;
        checks_again_at := checks_again_at || check_again_at;
      END IF;
      RETURN NEXT;
    END LOOP;
    IF cardinality(ids) > 0 THEN
      ${withoutDisk}
      WITH gate AS (
        UPDATE pay_payments p SET last_check_at = t.check_at
        FROM unnest(ids, checks_at) AS t (order_id, check_at) WHERE p.order_id = t.order_id)
      UPDATE pay_attempts a SET last_check_at = t.check_at,
        next_check_at = CASE WHEN a.next_check_at IS NOT NULL THEN t.again_at END
      FROM unnest(ids, numbers, checks_at, checks_again_at) AS t (order_id, number, check_at, again_at)
      WHERE a.order_id = t.order_id AND a.number = t.number;
    END IF;
  END $body$;

  CREATE OR REPLACE FUNCTION pay_begin_status_check(${Object.values(requestTypes).join(', ')}, gap bigint,
    OUT id text, OUT record json, OUT taken integer, OUT busy boolean)
  LANGUAGE plpgsql ${lonePlanSettings} AS $body$
  DECLARE
    seen bigint;
    durability text;
  BEGIN
    SELECT p.order_id, ${recordJson}, turn.number, false, p.version
    INTO id, record, taken, busy, seen
    FROM ${request}
    JOIN pay_payments p ON p.order_id = r.order_id
    LEFT JOIN LATERAL (${attemptInTurn(`o.order_id = p.order_id AND ${isOpenToCheck}`)}) turn ON true;
    IF taken IS NOT NULL THEN
      PERFORM FROM ${request} JOIN pay_payments p ON p.order_id = r.order_id
        WHERE p.version = seen AND ${isOpenToCheck} FOR NO KEY UPDATE OF p SKIP LOCKED;
      busy := NOT FOUND;
      IF FOUND THEN
        ${withoutDisk}
        UPDATE pay_payments p SET last_check_at = r.now FROM ${request}
          WHERE p.order_id = r.order_id;
        UPDATE pay_attempts a SET last_check_at = r.now,
          next_check_at = CASE WHEN a.next_check_at IS NOT NULL THEN r.now + r.lease_ms END
          FROM ${request} WHERE a.order_id = r.order_id AND a.number = taken;
      END IF;
    END IF;
  END $body$;
`;
