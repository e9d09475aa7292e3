import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sqliteStore } from '@pay-button/server-helper';
import { shopDatabase, type ShopDatabase } from './shop-database.ts';

/** Orders and payments in one SQLite file, for a shop in one process. */
export function sqliteShopDatabase(file: string): ShopDatabase<DatabaseSync> {
  mkdirSync(dirname(file), { recursive: true });
  // For its owner only, as SQLite then makes the files beside it too: orders hold names and phones.
  closeSync(openSync(file, 'a', 0o600));
  const database = new DatabaseSync(file);
  const run = (on: DatabaseSync, sql: string, values: readonly (string | number)[]) =>
    on.prepare(sql.replaceAll(/\$\d/g, '?')).all(...values);
  return shopDatabase({
    payments: sqliteStore({ file }),
    serialKey: 'integer PRIMARY KEY',
    createTables: async (sql) => {
      database.exec('PRAGMA busy_timeout = 5000');
      database.exec('PRAGMA journal_mode = WAL');
      database.exec('PRAGMA synchronous = FULL');
      database.exec(sql);
    },
    query: async (sql, values) => run(database, sql, values),
    queryIn: (tx, sql, values) => void run(tx, sql, values),
    close: async () => database.close(),
  });
}
