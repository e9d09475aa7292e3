import { mkdir, open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SandboxError } from '../sandbox-error.ts';
import { readEntries } from './journal-entries.ts';
import type { JournalEntry, JournalHeader } from './journal-entries.ts';
import { lockFolder } from './journal-lock.ts';

const fileName = 'journal.jsonl';

interface Waiting {
  readonly line: string;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * The append-only list of commands on disk. What was acknowledged survives kill -9: a line is
 * written and synced before its promise resolves. Lines that arrive while the disk is busy share
 * the next sync.
 */
export class Journal {
  readonly #file: FileHandle;
  readonly #unlock: () => Promise<void>;
  #waiting: Waiting[] = [];
  #flushing: Promise<void> | null = null;
  #failure: SandboxError | null = null;

  private constructor(file: FileHandle, unlock: () => Promise<void>) {
    this.#file = file;
    this.#unlock = unlock;
  }

  /**
   * Opens or begins the journal in `folder`. A torn last line, left by a crash in mid-write, is cut
   * off: its command was never acknowledged.
   *
   * @throws SandboxError `data_in_use`, `data_unwritable`, `journal_damaged`
   */
  static async open(
    folder: string,
    fresh: JournalHeader,
  ): Promise<{ journal: Journal; header: JournalHeader; entries: JournalEntry[] }> {
    const path = join(folder, fileName);
    const { file, unlock } = await openFile(folder, path);
    try {
      const { header, entries, soundBytes } = readEntries(await file.readFile(), path);
      await file.truncate(soundBytes);
      const journal = new Journal(file, unlock);
      if (header === null) {
        await journal.#append(JSON.stringify(fresh));
        await syncFolder(folder);
        await syncFolder(dirname(folder));
      }
      return { journal, header: header ?? fresh, entries };
    } catch (error) {
      await file.close();
      await unlock();
      throw error;
    }
  }

  /** Resolves once the entry is on disk. */
  append(entry: JournalEntry): Promise<void> {
    return this.#append(JSON.stringify(entry));
  }

  /** @throws SandboxError `journal_unwritable`, so that memory does not run further ahead of the disk */
  assertWritable(): void {
    if (this.#failure !== null) throw this.#failure;
  }

  /** Resolves once everything appended so far is on disk: nothing unsure is ever read out. */
  async settled(): Promise<void> {
    this.assertWritable();
    if (this.#flushing !== null) await this.#append(null);
  }

  async close(): Promise<void> {
    await this.#flushing;
    await this.#file.close();
    await this.#unlock();
  }

  #append(text: string | null): Promise<void> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    const line = text === null ? '' : `${text}\n`;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ line, resolve, reject });
      this.#flushing ??= this.#flush();
    });
  }

  async #flush(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        const text = batch.map(({ line }) => line).join('');
        if (text !== '') {
          await this.#file.appendFile(text);
          await this.#file.datasync();
        }
        for (const { resolve } of batch) resolve();
      } catch (error) {
        this.#fail([...batch, ...this.#waiting], error);
      }
    }
    this.#flushing = null;
  }

  /** Memory is ahead of the disk now, so nothing more is acknowledged. */
  #fail(waiting: readonly Waiting[], cause: unknown): void {
    const failure = new SandboxError(
      'journal_unwritable',
      'The journal cannot be written. Free some disk space or mend its folder, then start again.',
      { cause },
    );
    this.#failure = failure;
    this.#waiting = [];
    for (const { reject } of waiting) reject(failure);
  }
}

async function openFile(
  folder: string,
  path: string,
): Promise<{ file: FileHandle; unlock: () => Promise<void> }> {
  try {
    // For their owner only: the journal holds shoppers' names and phones.
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const unlock = await lockFolder(folder);
    const file = await open(path, 'a+', 0o600).catch(async (error: unknown) => {
      await unlock();
      throw error;
    });
    return { file, unlock };
  } catch (cause) {
    if (cause instanceof SandboxError) throw cause;
    const reason = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
    throw new SandboxError(
      'data_unwritable',
      `The data folder ${folder} cannot be written${reason}. Choose another with --data, or mend its permissions.`,
      { cause },
    );
  }
}

/** A new file's name is only durable when its folder is synced too. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
