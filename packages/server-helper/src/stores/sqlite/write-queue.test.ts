import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../../test-support/temporary-folder.ts';
import { SqliteFile } from './sqlite-file.ts';

let database: DatabaseSync;
let queue: SqliteFile;

beforeEach(() => {
  database = new DatabaseSync(join(temporaryFolder(), 'writes.db'));
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE words (word TEXT PRIMARY KEY)');
  queue = new SqliteFile(database);
});

afterEach(async () => {
  vi.restoreAllMocks();
  await queue.close();
});

function write(word: string): string {
  database.prepare('INSERT INTO words VALUES (?)').run(word);
  return word;
}

/** Writes, and then fails: a half of it is there to be undone. */
function fail(word: string): never {
  write(word);
  throw new Error(`not ${word}`);
}

const words = (): unknown[] =>
  database
    .prepare('SELECT word FROM words ORDER BY rowid')
    .all()
    .map(({ word }) => word);

/** How often statements commit. */
const commitsIn = (statements: readonly (readonly [sql: string, ...rest: unknown[]])[]): number =>
  statements.filter(([sql]) => sql === 'COMMIT').length;

describe('the queue of writes', () => {
  it('undoes a lone write that throws, whole', async () => {
    await expect(queue.write(() => fail('a'))).rejects.toThrow('not a');
    expect(words()).toEqual([]);
    expect(await queue.write(() => write('b'))).toBe('b');
    expect(words()).toEqual(['b']);
  });

  it('undoes what throws alone, and keeps the writes that came with it, in their order', async () => {
    const results = await Promise.allSettled([
      queue.write(() => write('a')),
      queue.write(() => fail('b')),
      queue.write(() => write('c')),
      queue.write(() => fail('d')),
    ]);
    const outcomes = results.map(({ status }) => status);
    expect(outcomes).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
    expect(words()).toEqual(['a', 'c']);
  });

  it('begins a write that does more than write only once, whatever fails beside it', async () => {
    let begun = 0;
    const once = (word: string, work: (word: string) => string) =>
      queue.write(
        () => {
          begun += 1;
          return work(word);
        },
        { runsOnce: true },
      );
    await Promise.allSettled([once('a', write), queue.write(() => fail('b')), once('c', fail)]);
    await expect(once('d', fail)).rejects.toThrow('not d');
    expect(begun).toBe(3);
    expect(words()).toEqual(['a']);
  });

  it('waits for the disk when one write of the batch must last', async () => {
    const pragmas = vi.spyOn(DatabaseSync.prototype, 'exec');
    const synchronous = () => database.prepare('PRAGMA synchronous').get()?.['synchronous'];
    const [normal, full] = [1, 2];
    expect(await queue.write(synchronous)).toBe(full);
    expect(await queue.write(synchronous, { mayBeLost: true })).toBe(normal);
    const both = [queue.write(synchronous, { mayBeLost: true }), queue.write(synchronous)];
    expect(await Promise.all(both)).toEqual([full, full]);
    expect(pragmas).toHaveBeenCalledTimes(2);
  });

  it('rejects every write of a transaction that cannot be committed, and goes on', async () => {
    database.exec(`
      PRAGMA foreign_keys = ON;
      CREATE TABLE promises (word TEXT REFERENCES words DEFERRABLE INITIALLY DEFERRED)`);
    const broken = queue.write(() => database.exec("INSERT INTO promises VALUES ('nobody')"));
    const results = await Promise.allSettled([broken, queue.write(() => write('a'))]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await queue.write(() => write('b'))).toBe('b');
    expect(words()).toEqual(['b']);
  });

  it('commits a lone write at the end of its turn', async () => {
    const statements = vi.spyOn(SqliteFile.prototype, 'run');
    const first = queue.write(() => write('a'));
    await setImmediate();
    await setImmediate();
    expect(commitsIn(statements.mock.calls)).toBe(1);
    expect(await first).toBe('a');
  });

  it('commits the writes of several turns together while each turn brings more', async () => {
    vi.spyOn(performance, 'now').mockReturnValue(0);
    const statements = vi.spyOn(SqliteFile.prototype, 'run');
    const written = ['a', 'b'].map((word) => queue.write(() => write(word)));
    for (const word of ['c', 'd', 'e']) {
      await setImmediate();
      written.push(queue.write(() => write(word)));
    }
    await Promise.all(written);
    expect(words()).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(commitsIn(statements.mock.calls)).toBe(1);
  });

  it('lets nobody wait for ever where every turn brings more', async () => {
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 1));
    const statements = vi.spyOn(SqliteFile.prototype, 'run');
    const written = [queue.write(() => write('first'))];
    for (let turn = 0; turn < 50; turn += 1) {
      written.push(queue.write(() => write(String(turn))));
      await setImmediate();
    }
    await Promise.all(written);
    expect(words()).toHaveLength(51);
    expect(commitsIn(statements.mock.calls)).toBeGreaterThan(2);
  });
});
