import { exportTables } from '../export/tables.ts';
import { wrap } from '../terminal.ts';
import { common, merchant } from './shared.ts';

const WIDTH = 60;

/** The columns of each table, as the code has them. */
const columns = Object.entries(exportTables)
  .map(([name, table]) => {
    const lines = wrap(table.columns.join(', '), WIDTH);
    return `  ${name.padEnd(18)}${lines.join(`\n${' '.repeat(20)}`)}`;
  })
  .join('\n');

/** Commands that look after the store. */
export const storeHelp = {
  migrate: `pay-button migrate: makes the tables of the store, as this release needs.

Usage: pay-button migrate [options]
       pay-button migrate --print [--for postgres|sqlite] [options]

It runs the SQL that the database has not seen, in one transaction under a lock:
two at once wait for each other, and the second finds nothing to do. The shop
does the same when it starts, unless its store has migrate: false. No other
command makes tables.

--print shows that SQL and runs nothing. It asks the database what is missing,
and prints nothing where nothing is. With --for it asks no database and prints
all of it, for a new one. The text holds the environment and the merchant, so it
belongs to one database. Run it once, stopping at the first error:
psql -v ON_ERROR_STOP=1 -f FILE, or sqlite3 -bail DATABASE < FILE.

Options
  --print           print the SQL, for review
  --for KIND        with --print: all of it, for a new postgres or sqlite
${merchant}
${common}

Exit code: 0 migrated, printed, or nothing to do, 1 the database cannot be
reached or refuses, 2 used wrongly.

Examples
  pay-button migrate
  pay-button migrate --print > review.sql
  pay-button migrate --print --for postgres
  pay-button migrate --env-file .env.owner --json`,

  export: `pay-button export: writes payments, refunds and the like for the books.

Usage: pay-button export payments|transactions|refunds|operations [options]

  payments          one row an order, the latest created first; the span is of
                    their creation. Taken and refunded are of all transactions
                    of the order
  transactions      one row for money that came or is held; the span is of the
                    moment when the gateway's word was recorded
  refunds           one row for each amount that the gateway showed as refunded,
                    also one refunded on its dashboard; the span is of that
                    moment
  operations        one row a refund, capture, void, charge or sale that was
                    asked for; the span is of that moment

It prints CSV (RFC 4180, UTF-8) with a line of names first, or by --json one
JSON object a line. Amounts are texts with two decimals beside their currency,
times are UTC. All but payments go by the order's id. The store is read a page
at a time, so that a shop of any size fits. In CSV an apostrophe stands before
what a spreadsheet would take for a formula; JSON has texts as they are.

Columns, in this order; a later release adds new ones at the end
${columns}

Options
  --since MOMENT    from then on: a day, which begins in UTC, or a time with its
                    zone, such as 2026-11-01T00:00:00+03:00
  --until MOMENT    before then; that moment itself is left out
  --out FILE        write a file, whole or not at all; one of that name is
                    replaced
${merchant}
${common}

Exit code: 0 written, 1 the store cannot be read, 2 used wrongly.

Examples
  pay-button export transactions --since 2026-11-01 --until 2026-12-01
  pay-button export refunds --since 2026-11-01T00:00:00+03:00 --out refunds.csv
  pay-button export payments --json | jq -s 'map(.state) | group_by(.)'`,

  archive: `pay-button archive: moves old logs and events to archive tables.

Usage: pay-button archive --before DATE [options]

It takes the payments that last changed before that day and have no open matter:
no status check to come, no money operation without an outcome, no open review,
no undelivered event. The payments, their attempts and transactions stay where
they are, so that refunds go on as before, and explain shows the same. It may
run beside the shop and be stopped and started again.

On PostgreSQL the shop's own account should not be able to run it: it takes
DELETE on pay_log and pay_events. PostgreSQL gives the room back to these
tables at the next VACUUM.

Options
  --before DATE     a day such as 2025-01-01, which begins in UTC
${merchant}
${common}

Exit code: 0 done, 1 the store cannot be read or written, 2 used wrongly.

Examples
  pay-button archive --before 2025-01-01
  pay-button archive --before 2025-01-01 --env-file .env.owner --json`,
};
