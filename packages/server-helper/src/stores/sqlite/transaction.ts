import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** The one transaction that a connection can have open, by statements that are prepared once. */
export class SqliteTransaction {
  readonly #database: DatabaseSync;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #save: StatementSync;
  readonly #release: StatementSync;
  /** As the store opened the database: `synchronous = FULL`. */
  #waitsForDisk = true;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#begin = database.prepare('BEGIN IMMEDIATE');
    this.#commit = database.prepare('COMMIT');
    this.#save = database.prepare('SAVEPOINT job');
    this.#release = database.prepare('RELEASE job');
  }

  /** False as well when SQLite itself rolled it back, as it does when the disk is full. */
  get isOpen(): boolean {
    return this.#database.isTransaction;
  }

  /**
   * Takes the write lock.
   *
   * @param waitsForDisk - Whether {@link SqliteTransaction.commit} returns when the disk has it, or
   * when the system has. Set before the transaction, since within one it cannot be.
   */
  begin(waitsForDisk: boolean): void {
    if (waitsForDisk !== this.#waitsForDisk) {
      // A pragma acts while it is prepared, so it cannot be prepared once.
      this.#database.exec(`PRAGMA synchronous = ${waitsForDisk ? 'FULL' : 'NORMAL'}`);
      this.#waitsForDisk = waitsForDisk;
    }
    this.#begin.run();
  }

  commit(): void {
    this.#commit.run();
  }

  rollBack(): void {
    if (this.isOpen) this.#database.exec('ROLLBACK');
  }

  /** Marks where {@link SqliteTransaction.undo} goes back to. */
  save(): void {
    this.#save.run();
  }

  release(): void {
    this.#release.run();
  }

  undo(): void {
    this.#database.exec('ROLLBACK TO job; RELEASE job');
  }
}
