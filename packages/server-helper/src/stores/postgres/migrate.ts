import { asScript, migrationSql, seenVersion, type Schema } from '../schema.ts';
import { runIn, type PostgresConnections, type Run } from './connections.ts';
import { migrations } from './migrations.ts';

/** Any number; every process that migrates takes the same lock. */
const MIGRATION_LOCK = 7_298_225;

/** Not to_regclass: a session that waited for the migration of another one would not see its table. */
const metaTable = {
  name: 'pay_meta_table',
  text: "SELECT 1 FROM pg_class WHERE relname = 'pay_meta' AND pg_table_is_visible(oid)",
};
const meta = { name: 'pay_meta', text: 'SELECT schema_version, scope FROM pay_meta' };

/**
 * How many migrations this database has seen. @throws when it is of another scope or a newer release.
 */
export async function seenByPostgres(run: Run, scope: string): Promise<number> {
  const { rows: found } = await run(metaTable, []);
  if (found.length === 0) return 0;
  const { rows } = await run(meta, []);
  return seenVersion(rows[0], scope, migrations.length);
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
