import {
  inserting,
  puttingLedger,
  insertingFirst,
  refusal,
  rowsOfJson,
  updatingAttempts,
  updatingPayments,
} from './commit-statements.ts';
import { endingChecks, planSettings, withoutDisk } from './record-functions.ts';

/**
 * The function that writes any number of changes in one round trip, each whole or not at all. Its
 * argument holds the rows of all changes by table, each order, transaction and operation once, in an
 * order that all processes share; they are locked and written in that order.
 *
 * What may be refused is looked at first; then the payments are written, each only if nobody else
 * holds it (with `waits`, once they let it go), then the rows of those that were. What nobody
 * foresees, such as a transaction that another process binds at this moment, is an error, which
 * undoes everything: the caller then sends each change by itself.
 *
 * To begin a statement costs more than what it does to a row, so that each table has one, and those
 * that have nothing to do are left out.
 *
 * @see recordFunctions for what `waits` means, and why this is never edited.
 */
export const commitFunction = `
  CREATE OR REPLACE FUNCTION pay_commit(changes jsonb, waits boolean, gap bigint) RETURNS json
  LANGUAGE plpgsql ${planSettings} AS $body$
  DECLARE
    won text[] := '{}';
    refused text[] := '{}';
    refusals json[] := '{}';
    fresh jsonb := changes->'first_attempts';
    expected bigint;
    written bigint;
    durability text;
  BEGIN
    IF changes ? 'only_reserved' THEN
      ${withoutDisk}
    END IF;
    IF changes ? 'ledger' THEN
      refusals := ARRAY(SELECT json_build_object('id', n.order_id, 'outcome', 'transaction_taken',
          'transactionId', n.transaction_id, 'orderId', o.order_id)
        FROM jsonb_to_recordset(changes->'ledger') AS n (order_id text, transaction_id text)
        JOIN pay_ledger o ON o.transaction_id = n.transaction_id AND o.order_id <> n.order_id);
    END IF;
    IF changes ? 'operations' THEN
      refusals := refusals || ARRAY(SELECT json_build_object('id', n.order_id,
          'outcome', 'operation_taken', 'operationId', n.id)
        FROM jsonb_to_recordset(changes->'operations') AS n (id text, order_id text)
        JOIN pay_operations o ON o.id = n.id AND o.order_id <> n.order_id);
    END IF;
    IF cardinality(refusals) > 0 THEN
      refused := ARRAY(SELECT r->>'id' FROM unnest(refusals) r);
    END IF;

    IF changes ? 'changed' THEN
      IF waits THEN
        PERFORM FROM jsonb_to_recordset(changes->'changed') AS n (order_id text)
          JOIN pay_payments p ON p.order_id = n.order_id FOR NO KEY UPDATE OF p;
      END IF;
      WITH updated AS (
        ${updatingPayments(rowsOfJson("changes->'changed'", 'payments'))}
          AND n.order_id <> ALL (refused)
        RETURNING p.order_id)
      SELECT coalesce(array_agg(u.order_id), '{}') INTO won FROM updated u;
    END IF;
    IF changes ? 'created' THEN
      WITH inserted AS (
        ${insertingFirst(rowsOfJson("changes->'created'", 'payments'), 'n.order_id <> ALL (refused)')}
        RETURNING order_id)
      SELECT won || coalesce(array_agg(i.order_id), '{}') INTO won FROM inserted i;
    END IF;

    IF changes ? 'attempts' THEN
      ${updatingAttempts(rowsOfJson("changes->'attempts'", 'attempts'))}
        AND n.order_id = ANY (won);
      GET DIAGNOSTICS written = ROW_COUNT;
      IF written < jsonb_array_length(changes->'attempts') THEN
        fresh := coalesce(fresh, '[]') || coalesce((SELECT jsonb_agg(n)
          FROM jsonb_array_elements(changes->'attempts') n
          WHERE NOT EXISTS (SELECT FROM pay_attempts a
            WHERE a.order_id = n->>'order_id' AND a.number = (n->>'number')::integer)), '[]');
      END IF;
    END IF;
    IF fresh IS NOT NULL THEN
      ${inserting('attempts', rowsOfJson('fresh', 'attempts'))} WHERE n.order_id = ANY (won);
    END IF;
    IF changes ? 'ledger' THEN
      ${puttingLedger(rowsOfJson("changes->'ledger'", 'ledger'), 'n.order_id = ANY (won)')};
      GET DIAGNOSTICS written = ROW_COUNT;
      SELECT count(*) INTO expected FROM jsonb_array_elements(changes->'ledger') n
        WHERE n->>'order_id' = ANY (won);
      IF written <> expected THEN
        RAISE unique_violation USING MESSAGE = 'a transaction was bound at this moment';
      END IF;
    END IF;
    IF changes ? 'reviews' THEN
      INSERT INTO pay_reviews (order_id, reason, transaction_id, created_at, resolved_at, resolution)
      SELECT n.order_id, n.reason, n.transaction_id, n.created_at, n.resolved_at, n.resolution
      FROM jsonb_populate_recordset(NULL::pay_reviews, changes->'reviews') n
      WHERE n.order_id = ANY (won)
      ON CONFLICT (order_id, reason, transaction_id)
        DO UPDATE SET resolved_at = excluded.resolved_at, resolution = excluded.resolution;
    END IF;
    IF changes ? 'operations' THEN
      INSERT INTO pay_operations (id, order_id, kind, state, request_id, attempt_number,
        transaction_id, amount, currency, terms, baseline, owner, reference, reason, created_at,
        updated_at)
      SELECT n.id, n.order_id, n.kind, n.state, n.request_id, n.attempt_number, n.transaction_id,
        n.amount, n.currency, n.terms, n.baseline, n.owner, n.reference, n.reason, n.created_at,
        n.updated_at
      FROM jsonb_populate_recordset(NULL::pay_operations, changes->'operations') n
      WHERE n.order_id = ANY (won)
      ON CONFLICT (id) DO UPDATE SET state = excluded.state,
        transaction_id = excluded.transaction_id, reference = excluded.reference,
        reason = excluded.reason, updated_at = excluded.updated_at
        WHERE pay_operations.order_id = excluded.order_id;
      GET DIAGNOSTICS written = ROW_COUNT;
      SELECT count(*) INTO expected FROM jsonb_array_elements(changes->'operations') n
        WHERE n->>'order_id' = ANY (won);
      IF written <> expected THEN
        RAISE unique_violation USING MESSAGE = 'the id of an intent was taken at this moment';
      END IF;
    END IF;
    ${inserting('audit', rowsOfJson("changes->'audit'", 'audit'))} WHERE n.order_id = ANY (won);
    IF changes ? 'outbox' THEN
      ${inserting('outbox', rowsOfJson("changes->'outbox'", 'outbox'))} WHERE n.order_id = ANY (won);
    END IF;
    IF changes ? 'check_ends' THEN
      ${endingChecks("changes->'check_ends'", 'a.order_id = ANY (won)')};
    END IF;

    IF cardinality(won) = jsonb_array_length(changes->'audit') THEN
      RETURN NULL;
    END IF;
    RETURN (SELECT json_agg(refusal) FROM (
      SELECT unnest(refusals) AS refusal
      UNION ALL
      SELECT ${refusal('waits')}
      FROM jsonb_to_recordset(coalesce(changes->'created', '[]') || coalesce(changes->'changed', '[]'))
        AS n (order_id text, version bigint)
      LEFT JOIN pay_payments p ON p.order_id = n.order_id
      WHERE n.order_id <> ALL (won) AND n.order_id <> ALL (refused)) all_refusals);
  END $body$;
`;
