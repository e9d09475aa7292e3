import {
  inserting,
  puttingLedger,
  insertingFirst,
  refusal,
  rowTypes,
  updatingAttempts,
  updatingPayments,
  type ChangedTable,
} from './commit-statements.ts';
import { lonePlanSettings, withoutDisk } from './record-functions.ts';

const tables = Object.keys(rowTypes) as ChangedTable[];

/** The function's parameters: every column of one row of each table. */
const parameters = tables.flatMap((table) =>
  Object.entries(rowTypes[table]).map(([column, type]) => ({ table, column, type })),
);

/** What comes after them: whether the change does no more than to reserve a link. */
const onlyReserves = `$${parameters.length + 1}`;

/** A parameter's position in the function and in the statement that calls it. */
const at = (table: ChangedTable, column: string): string =>
  `$${1 + parameters.findIndex((one) => one.table === table && one.column === column)}`;

/** The row of a table, as `n`; without any its columns are empty. */
const row = (table: ChangedTable): string => {
  const columns = Object.keys(rowTypes[table]).map((name) => `${at(table, name)} AS ${name}`);
  return `(SELECT ${columns.join(', ')}) AS n`;
};
const has = (table: ChangedTable): string => `${at(table, 'order_id')} IS NOT NULL`;
const isFirst = `${at('payments', 'version')} = 1`;

/**
 * The function that writes one change of at most one row a table, as nearly all are, for half of
 * what it costs to read rows from JSON: it consists of the same statements as the one that writes
 * any number. Nothing but the payment is looked at first. A transaction that is bound already is an
 * error, which undoes everything; the change is then sent by itself to the other function, which
 * says whose it is.
 */
export const commitOneFunction = `
  CREATE OR REPLACE FUNCTION pay_commit_one(${parameters.map(({ type }) => type).join(', ')}, boolean)
  RETURNS json
  LANGUAGE plpgsql ${lonePlanSettings} AS $body$
  DECLARE
    durability text;
  BEGIN
    IF ${onlyReserves} THEN
      ${withoutDisk}
    END IF;
    IF ${isFirst} THEN
      ${insertingFirst(row('payments'))};
    ELSE
      ${updatingPayments(row('payments'))};
    END IF;
    IF NOT FOUND THEN
      RETURN (SELECT json_build_array(${refusal('false')})
        FROM ${row('payments')} LEFT JOIN pay_payments p ON p.order_id = n.order_id);
    END IF;
    IF ${has('attempts')} THEN
      IF NOT ${isFirst} THEN
        ${updatingAttempts(row('attempts'))};
      END IF;
      IF ${isFirst} OR NOT FOUND THEN
        ${inserting('attempts', row('attempts'))};
      END IF;
    END IF;
    IF ${has('ledger')} THEN
      ${puttingLedger(row('ledger'), 'true')};
      IF NOT FOUND THEN
        RAISE unique_violation USING MESSAGE = 'the transaction is another order''s';
      END IF;
    END IF;
    ${inserting('audit', row('audit'))};
    IF ${has('outbox')} THEN
      ${inserting('outbox', row('outbox'))};
    END IF;
    RETURN NULL;
  END $body$;
`;

const positions = [...parameters.map((_, index) => `$${index + 1}`), onlyReserves];

/** Calls the function; JSON is asked for as text, whatever a merchant's driver makes of JSON. */
export const commitOneSql = `SELECT pay_commit_one(${positions.join(', ')})::text AS refusals`;
