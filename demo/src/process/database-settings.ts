import { dirname } from 'node:path';
import { SettingError } from './setting-error.ts';

/** Which database the shop uses, from `DATABASE_URL`. */
export type DatabaseSettings =
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'postgres'; readonly url: string };

/**
 * Reads `sqlite:FILE` or `postgres://…`.
 *
 * @throws {@link SettingError} for every other form; the address may hold a password, so it is
 * never repeated.
 */
export function readDatabaseUrl(text: string): DatabaseSettings {
  const file = /^sqlite:(?!\/\/)(.+)$/.exec(text)?.[1];
  if (file !== undefined && !file.startsWith(':')) return { kind: 'sqlite', file };
  if (/^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text)) {
    return { kind: 'postgres', url: text };
  }
  throw new SettingError(
    'DATABASE_URL names no database that this shop can use. Set DATABASE_URL=sqlite:.data/shop.db or DATABASE_URL=postgres://user:password@host/database.',
  );
}

/**
 * Where a process keeps what is not in the database: beside a SQLite file that has a folder of its
 * own, else in `.data`, so that no secret lies among somebody's sources.
 */
export function dataFolderOf(database: DatabaseSettings): string {
  const folder = database.kind === 'sqlite' ? dirname(database.file) : '.';
  return folder === '.' ? '.data' : folder;
}
