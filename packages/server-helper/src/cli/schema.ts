import { setTimeout as sleep } from 'node:timers/promises';
import { isDay } from '../days.ts';
import { ConfigurationError, nameOf, PaymentsError } from '../errors.ts';
import type { Schema, Store } from '../index.ts';
import { archivePage, databaseErrorIn } from '../parts.ts';
import { packageVersion } from '../package-version.ts';
import * as commands from './command.ts';
import * as shop from './shop.ts';
import { counted } from './terminal.ts';

export const migrate: commands.Command = async (invocation) => {
  const { values } = invocation;
  commands.noWords(invocation, 'migrate takes options only.');
  const kind = commands.textOf(values, 'for');
  if (kind !== undefined) return printNew(invocation, kind);
  const settings = shop.readShopSettings(invocation);
  shop.requireSettings(settings, shop.storeSettings);
  const { scope } = settings;
  const database = shop.storeName(settings);
  return withSchema(settings, async (schema) => {
    if (values['print'] === true) {
      return writeSql(invocation, database, scope, await schema.pending(scope));
    }
    const ran = await schema.migrate(scope);
    const text =
      ran === 0
        ? nothingToDo(database)
        : `${database} is migrated, for ${JSON.stringify(scope)}: ${counted(ran, 'migration')} ran.`;
    return commands.done(invocation, text, { database, scope, ran });
  });
};

/** Prints the SQL for a database without tables. No database is asked. */
function printNew(invocation: commands.Invocation, kind: string): commands.ExitCode {
  if (invocation.values['print'] !== true) {
    throw new commands.UsageError('--for belongs to --print: migrate --print --for postgres.');
  }
  if (kind !== 'postgres' && kind !== 'mysql' && kind !== 'sqlite') {
    throw new commands.UsageError('--for takes postgres, mysql or sqlite.');
  }
  const settings = shop.readShopSettings(invocation);
  shop.requireSettings(settings, ['GATEWAY_ENVIRONMENT']);
  const { scope } = settings;
  return writeSql(invocation, shop.databases[kind].name, scope, shop.allTables(kind, scope));
}

function writeSql(
  { terminal, isJson }: commands.Invocation,
  database: string,
  scope: string,
  sql: string,
): commands.ExitCode {
  if (isJson) terminal.json({ database, scope, sql });
  // On standard output stands nothing but SQL, so that a file of it can be run.
  else if (sql === '') terminal.error(nothingToDo(database));
  else {
    terminal.line(
      `-- pay-button ${packageVersion()}: tables for ${JSON.stringify(scope)}. Stop at the first error: psql -v ON_ERROR_STOP=1, mysql, sqlite3 -bail.`,
    );
    terminal.line(sql.trimEnd());
  }
  return 0;
}

const nothingToDo = (database: string): string =>
  `${database} has all migrations of this release. Nothing to do.`;

/** Works with the tables of the shop's store, which is not opened, and ends its connections. */
async function withSchema(
  settings: shop.ShopSettings,
  work: (schema: Schema) => Promise<commands.ExitCode>,
) {
  const store = shop.storeOf(settings);
  try {
    if (store.schema !== undefined) return await work(store.schema);
    throw new ConfigurationError('invalid_config', {
      setting: 'store',
      what: 'The store of pay.config has no schema.',
      why: 'The tables of such a store are its own matter; this program cannot know them.',
      fix: 'Give the store a schema with pending and migrate, as the interface Store says, or make its tables in your own way.',
    });
  } catch (error) {
    if (error instanceof ConfigurationError || databaseErrorIn(error) !== null) throw error;
    const kind = shop.kindOf(settings.databaseUrl);
    throw new PaymentsError(
      'store_unavailable',
      `${shop.storeName(settings)} cannot be reached (${nameOf(error)}), and nothing was written. Start the database, and let DATABASE_URL hold its address, name and password. To print all of the SQL without a database: npx pay-button migrate --print --for ${kind}.`,
      { cause: error },
    );
  } finally {
    await store.close();
  }
}

/** Orders in one transaction: few enough that the shop waits for none of them noticeably. */
const ORDERS_A_PAGE = 200;

export const archive: commands.Command = async (invocation) => {
  commands.noWords(invocation, 'It takes no order: say --before DATE.');
  const day = commands.textOf(invocation.values, 'before') ?? '';
  if (!isDay(day)) {
    throw new commands.UsageError('--before takes a day such as 2025-01-01; it begins in UTC.');
  }
  const before = Date.parse(day);
  // A day to come would archive what is still going on.
  if (before > Date.now()) {
    throw new commands.UsageError(`--before takes no day to come: ${day}.`);
  }
  return shop.withStore(invocation, async ({ store }) => {
    const archived = await archiveBefore(store, before, invocation);
    const text = `Archived: ${counted(archived, 'payment')} that last changed before ${day} (UTC).`;
    return commands.done(invocation, text, { before: new Date(before).toISOString(), archived });
  });
};

/** Archives page by page, and rests after each as long as it took, since the shop is at work too. */
async function archiveBefore(
  store: Store<unknown>,
  before: number,
  { terminal, isJson }: commands.Invocation,
): Promise<number> {
  let archived = 0;
  for (let after: string | null = null; ;) {
    const startedAt = performance.now();
    const page = await archivePage(store, { after, before, limit: ORDERS_A_PAGE });
    archived += page.archived;
    after = page.next;
    if (after === null) break;
    if (!isJson) terminal.progress(`${archived} archived, at order ${after}`);
    await sleep(performance.now() - startedAt);
  }
  terminal.endProgress();
  return archived;
}
