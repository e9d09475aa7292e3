import { text } from '../row.ts';
import { asScript, migrationSql, seenVersion, type Schema } from '../schema.ts';
import { runIn, type PostgresConnections, type Run } from './connections.ts';
import { migrations } from './migrations.ts';

/** Any number; every process that migrates takes the same lock. */
const MIGRATION_LOCK = 7_298_225;

/** Not to_regclass: a session that waited for the migration of another one would not see its tables. */
const tables = {
  name: 'pay_tables',
  text: `SELECT relname FROM pg_class
    WHERE relname IN ('pay_meta', 'pay_orders') AND pg_table_is_visible(oid)`,
};
const meta = { name: 'pay_meta', text: 'SELECT schema_version, scope FROM pay_meta' };

/**
 * How many migrations this database has seen. @throws when it is of another scope or release.
 */
export async function seenByPostgres(run: Run, scope: string): Promise<number> {
  const { rows: tableRows } = await run(tables, []);
  const found = new Set(tableRows.map((row) => text(row, 'relname')));
  if (!found.has('pay_meta')) return 0;
  const { rows } = await run(meta, []);
  return seenVersion(rows[0], scope, migrations.length, found.has('pay_orders'));
}

/** The tables of a database. Starters that migrate in parallel wait for each other. */
export const postgresSchema = (connections: PostgresConnections): Schema => ({
  async pending(scope) {
    const seen = await seenByPostgres(connections.run, scope);
    return asScript(migrationSql(migrations, seen, scope));
  },
  async migrate(scope) {
    let ran = 0;
    await connections.migrate(async (tx) => {
      await tx.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
      const seen = await seenByPostgres(runIn(tx), scope);
      ran = migrations.length - seen;
      if (ran > 0) await tx.query(migrationSql(migrations, seen, scope));
    });
    return ran;
  },
});
