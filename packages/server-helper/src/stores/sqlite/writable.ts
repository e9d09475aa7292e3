import { randomUUID } from 'node:crypto';
import { whole } from '../rows.ts';
import type { OpenDatabase } from './open-sqlite.ts';
import { LEASE } from './write-queue.ts';

/** The pages that an order may need at once. */
const PAGES = 4;
/** With more free pages than this the file need not grow for a while. */
const MANY_FREE_PAGES = 64;

/**
 * Writes pages to the disk and frees them again, and finds out whether the file may grow.
 *
 * @throws when it may not be written, or has no room.
 */
export async function checkSqliteWritable(open: OpenDatabase): Promise<void> {
  const { database, sql, writes } = open;
  const { page_size: pageSize } = database.prepare('PRAGMA page_size').get() ?? {};
  const filler = (pages: number): string => 'x'.repeat(pages * Number(pageSize));
  const key = `writable/${randomUUID()}`;
  await writes.run(() => {
    grow(open, key, filler);
    sql.bindRequestKey.run(key, filler(PAGES), 1, 1);
  }, LEASE);
  await writes.run(() => sql.forgetRequestKey.run(key), LEASE);
}

/** Takes more pages than are free, and gives them back before they reach the disk. */
function grow(
  { database, sql }: OpenDatabase,
  key: string,
  filler: (pages: number) => string,
): void {
  const free = whole(database.prepare('PRAGMA freelist_count').get() ?? {}, 'freelist_count');
  if (free > MANY_FREE_PAGES) return;
  database.exec('SAVEPOINT room');
  try {
    sql.growRequestKeys.run(key, filler(free + PAGES));
  } finally {
    if (database.isTransaction) database.exec('ROLLBACK TO room; RELEASE room');
  }
}
