import {
  appendFileSync,
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { SandboxError } from '../sandbox-error.ts';
import { readEntries } from './journal-entries.ts';
import type { JournalEntry, JournalHeader } from './journal-entries.ts';

/** Folders in use by this process: its own id in a lock file proves nothing. */
const heldHere = new Set<string>();

/**
 * The append-only list of commands. A line is handed to the system before its command is answered,
 * so what was acknowledged survives kill -9; the last moments before a power cut may be lost.
 */
export class Journal {
  readonly #file: number;
  readonly #lock: string;
  /** Why memory is ahead of the journal; null while it is not. */
  failure: SandboxError | null = null;

  private constructor(file: number, lock: string) {
    this.#file = file;
    this.#lock = lock;
  }

  /**
   * Opens or begins the journal in `folder`. A torn last line, left by a crash in mid-write, is cut
   * off: its command was never acknowledged.
   *
   * @throws SandboxError `data_in_use`, `data_unwritable`, `journal_damaged`
   */
  static open(
    folder: string,
    fresh: JournalHeader,
  ): { journal: Journal; header: JournalHeader; entries: JournalEntry[] } {
    const path = join(folder, 'journal.jsonl');
    const { file, lock } = openFile(folder, path);
    const journal = new Journal(file, lock);
    try {
      const { header, entries, soundBytes } = readEntries(readFileSync(path), path);
      ftruncateSync(file, soundBytes);
      if (header === null) journal.append(fresh);
      return { journal, header: header ?? fresh, entries };
    } catch (error) {
      journal.close();
      throw error;
    }
  }

  /** @throws SandboxError `journal_unwritable`, and is of no more use then */
  append(line: JournalEntry | JournalHeader): void {
    try {
      appendFileSync(this.#file, `${JSON.stringify(line)}\n`);
    } catch (cause) {
      this.failure = new SandboxError(
        'journal_unwritable',
        'The journal cannot be written. Free some disk space or mend its folder, then start again.',
        { cause },
      );
      throw this.failure;
    }
  }

  close(): void {
    closeSync(this.#file);
    unlock(this.#lock);
  }
}

function openFile(folder: string, path: string): { file: number; lock: string } {
  try {
    // For their owner only: the journal holds shoppers' names and phones.
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const lock = join(folder, 'journal.lock');
    claim(lock, folder);
    try {
      return { file: openSync(path, 'a', 0o600), lock };
    } catch (error) {
      unlock(lock);
      throw error;
    }
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

/**
 * Keeps a second sandbox out of the folder; two writers would spoil the journal. The lock of a
 * process that is gone, say after kill -9, is taken over.
 */
function claim(lock: string, folder: string): void {
  try {
    if (heldHere.has(lock)) throw inUse(folder);
    writeFileSync(lock, String(process.pid), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    const owner = Number(readFileSync(lock, 'utf8'));
    if (owner !== process.pid && isAlive(owner)) throw inUse(folder);
    writeFileSync(lock, String(process.pid));
  }
  heldHere.add(lock);
}

function unlock(lock: string): void {
  rmSync(lock, { force: true });
  heldHere.delete(lock);
}

function isAlive(processId: number): boolean {
  if (!Number.isInteger(processId) || processId <= 0) return false;
  try {
    return process.kill(processId, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function inUse(folder: string): SandboxError {
  return new SandboxError(
    'data_in_use',
    `Another sandbox is using ${folder}. Stop it, or choose another data folder.`,
  );
}
