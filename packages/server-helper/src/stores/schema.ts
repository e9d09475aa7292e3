import { ConfigurationError } from '../errors.ts';
import { text, whole, type Row } from './row.ts';

/** The tables of a store in a database, and the right to make them. */
export interface Schema {
  /**
   * The SQL that this release still has to run here, in one transaction, for review: a person may run
   * the text as it is, and the database is migrated then. Empty when nothing is pending. Writes
   * nothing; the store need not be open.
   *
   * @param scope - As for {@link Store.open}: the text writes it down.
   * @throws {@link ConfigurationError} `store_of_another_scope` or `store_of_another_release`.
   */
  pending(scope: string): Promise<string>;
  /**
   * Runs that SQL, whatever the option `migrate` says; parallel callers wait for each other. The store
   * need not be open.
   *
   * @returns how many migrations ran; none when nothing was pending.
   * @throws {@link ConfigurationError} `store_of_another_scope` or `store_of_another_release`.
   */
  migrate(scope: string): Promise<number>;
}

/**
 * Reads how many migrations a database has seen. A database of another environment or merchant is
 * refused, since the same order ids mean other orders there; so is one that a newer release has
 * migrated, since this release does not know what it would read.
 *
 * @param known - How many migrations this release has.
 * @param hasOrders - Whether there is `pay_orders`; releases that were never published had other tables.
 * @throws {@link ConfigurationError} `store_of_another_scope` or `store_of_another_release`.
 */
export function seenVersion(
  meta: Row | undefined,
  scope: string,
  known: number,
  hasOrders: boolean,
): number {
  if (meta === undefined) return 0;
  const own = text(meta, 'scope');
  const seen = whole(meta, 'schema_version');
  if (own === scope && seen > known) {
    throw new ConfigurationError(
      'store_of_another_release',
      `The store has schema version ${seen}, and this release knows ${known}. Start the newer release, or give this one a store of its own.`,
    );
  }
  if (own === scope && seen > 0 && !hasOrders) {
    throw new ConfigurationError(
      'store_of_another_release',
      'The store has the tables of a release that was never published, and this one cannot read them. Start that release, or give this one a store of its own.',
    );
  }
  if (own === scope) return seen;
  throw new ConfigurationError(
    'store_of_another_scope',
    `The store holds the payments of "${own}", and this is "${scope}". Give each environment and each merchant a database of its own.`,
  );
}

/** The SQL of the migrations that a database has not seen; writes down that they ran. */
export function migrationSql(migrations: readonly string[], seen: number, scope: string): string {
  if (seen === migrations.length) return '';
  const quoted = `'${scope.replaceAll("'", "''")}'`;
  return [
    ...migrations.slice(seen),
    `\nDELETE FROM pay_meta;\nINSERT INTO pay_meta VALUES (${migrations.length}, ${quoted});\n`,
  ].join('');
}

/** The same as a script of one transaction. */
export const asScript = (sql: string): string => (sql === '' ? '' : `BEGIN;\n${sql}COMMIT;\n`);

/** A store that may not migrate meets a database that lacks migrations. */
export const notMigrated = (seen: number, known: number): ConfigurationError =>
  new ConfigurationError(
    'store_not_migrated',
    `The database has ${seen} of the ${known} migrations of this release, and the store's option migrate is false. Run "npx pay-button migrate" with an account that may make tables ("pay-button migrate --print" shows the SQL), then start again.`,
  );
