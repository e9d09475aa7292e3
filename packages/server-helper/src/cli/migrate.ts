import { ConfigurationError, nameOf, PaymentsError } from '../errors.ts';
import { sqliteFileOf } from '../options/environment.ts';
import { storeFromUrl } from '../payments-from-env.ts';
import { packageVersion } from '../package-version.ts';
import { databaseErrorIn } from '../stores/database-error.ts';
import { migrations as postgresMigrations } from '../stores/postgres/migrations.ts';
import { asScript, migrationSql } from '../stores/sql.ts';
import { migrations as sqliteMigrations } from '../stores/sqlite/migrations.ts';
import type { Schema } from '../stores/store.ts';
import { type Command, type ExitCode, type Invocation, textOf, UsageError } from './command.ts';
import {
  readShopSettings,
  requireSettings,
  storeName,
  storeSettings,
  type ShopSettings,
} from './shop-settings.ts';

const NAME = 'migrate';

const kinds = { postgres: postgresMigrations, sqlite: sqliteMigrations } as const;

/** `pay-button migrate [--print [--for postgres|sqlite]]` */
export const migrate: Command = {
  options: { print: 'flag', for: 'text', merchant: 'text' },
  run(invocation) {
    const { values, words } = invocation;
    if (words.length > 0) throw new UsageError('migrate takes options only.', NAME);
    const kind = textOf(values, 'for');
    if (kind !== undefined) return printNew(invocation, kind);
    const settings = readShopSettings(invocation, NAME);
    requireSettings(settings, storeSettings);
    return withSchema(settings, (schema) =>
      values['print'] === true
        ? print(invocation, settings, schema)
        : runMissing(invocation, settings, schema),
    );
  },
};

/** Prints the SQL for a database without tables. No database is asked. */
function printNew(invocation: Invocation, kind: string): Promise<ExitCode> {
  if (invocation.values['print'] !== true) {
    throw new UsageError('--for belongs to --print: migrate --print --for postgres.', NAME);
  }
  if (kind !== 'postgres' && kind !== 'sqlite') {
    throw new UsageError('--for takes postgres or sqlite.', NAME);
  }
  const settings = readShopSettings(invocation, NAME);
  requireSettings(settings, ['GATEWAY_ENVIRONMENT']);
  const pending = (scope: string) => asScript(migrationSql(kinds[kind], 0, scope));
  const name = kind === 'postgres' ? 'PostgreSQL' : 'SQLite';
  return Promise.resolve(writeSql(invocation, name, settings.scope, pending(settings.scope)));
}

async function print(
  invocation: Invocation,
  settings: ShopSettings,
  schema: Schema,
): Promise<ExitCode> {
  const { scope } = settings;
  return writeSql(invocation, storeName(settings), scope, await schema.pending(scope));
}

function writeSql(
  { terminal, values }: Invocation,
  database: string,
  scope: string,
  sql: string,
): ExitCode {
  if (values['json'] === true) terminal.json({ database, scope, sql });
  // On standard output stands nothing but SQL, so that a file of it can be run.
  else if (sql === '') terminal.error(nothingToDo(database));
  else {
    terminal.line(
      `-- pay-button ${packageVersion()}: tables for ${JSON.stringify(scope)}. Stop at the first error: psql -v ON_ERROR_STOP=1, sqlite3 -bail.`,
    );
    terminal.line(sql.trimEnd());
  }
  return 0;
}

const nothingToDo = (database: string): string =>
  `${database} has all migrations of this release. Nothing to do.`;

async function runMissing(
  { terminal, values }: Invocation,
  settings: ShopSettings,
  schema: Schema,
): Promise<ExitCode> {
  const { scope } = settings;
  const database = storeName(settings);
  const ran = await schema.migrate(scope);
  const mark = terminal.paint('green', '✓');
  if (values['json'] === true) terminal.json({ database, scope, ran });
  else if (ran === 0) terminal.line(`${mark} ${nothingToDo(database)}`);
  else {
    const migrations = `${ran} migration${ran === 1 ? '' : 's'}`;
    terminal.line(
      `${mark} ${database} is migrated, for ${JSON.stringify(scope)}: ${migrations} ran.`,
    );
  }
  return 0;
}

/** Works with the tables of the shop's store, which is not opened, and ends its connections. */
async function withSchema(
  settings: ShopSettings,
  work: (schema: Schema) => Promise<ExitCode>,
): Promise<ExitCode> {
  const store = settings.store ?? storeFromUrl(settings.databaseUrl);
  try {
    if (store.schema === undefined) throw noSchema();
    return await work(store.schema);
  } catch (error) {
    const isKnown = error instanceof ConfigurationError || databaseErrorIn(error) !== null;
    throw isKnown ? error : unreachable(settings, error);
  } finally {
    await store.close();
  }
}

const noSchema = (): ConfigurationError =>
  new ConfigurationError('invalid_config', {
    setting: 'store',
    what: 'The store of pay.config has no schema.',
    why: 'The tables of such a store are its own matter; this program cannot know them.',
    fix: 'Give the store a schema with pending and migrate, as the interface Store says, or make its tables in your own way.',
  });

function unreachable(settings: ShopSettings, error: unknown): PaymentsError {
  const kind = sqliteFileOf(settings.databaseUrl) === undefined ? 'postgres' : 'sqlite';
  return new PaymentsError(
    'store_unavailable',
    `${storeName(settings)} cannot be reached (${nameOf(error)}), and nothing was written. Start the database, and let DATABASE_URL hold its address, name and password. To print all of the SQL without a database: npx pay-button migrate --print --for ${kind}.`,
    { cause: error },
  );
}
