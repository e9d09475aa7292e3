import { dirname } from 'node:path';
import { SettingError } from './setting-error.ts';

/** Which database the shop uses, from `DATABASE_URL`. */
export interface DatabaseSettings {
  readonly kind: 'sqlite';
  readonly file: string;
  /** Where this process keeps what does not belong into the database. */
  readonly dataFolder: string;
}

/**
 * Reads `sqlite:FILE`.
 *
 * @throws {@link SettingError} for every other form; the address may hold a password, so it is
 * never repeated.
 */
export function readDatabaseUrl(text: string): DatabaseSettings {
  const file = /^sqlite:(?!\/\/)(.+)$/.exec(text)?.[1];
  if (file !== undefined) return { kind: 'sqlite', file, dataFolder: dirname(file) };
  throw new SettingError(
    'DATABASE_URL names a database that this shop cannot use: it keeps orders and payments in one SQLite file. Set DATABASE_URL=sqlite:.data/shop.db, for example.',
  );
}
