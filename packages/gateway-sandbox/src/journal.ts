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
import { isFields } from './domain/requests.ts';
import type { Fields } from './domain/requests.ts';
import type { Command, CommandKind } from './domain/step.ts';
import { SandboxError } from './sandbox-error.ts';

const format = 'pay-button-sandbox-journal/3' as const;

/** The first line: the facts that the replay needs to give the same ids and keys. */
export type JournalHeader = Readonly<ReturnType<typeof journalHeader>>;

/** One command, with the machine's clock when it was carried out. */
export interface JournalEntry {
  readonly realNow: number;
  readonly command: Command<CommandKind>;
}

export function journalHeader(seed: string, idSeed: string) {
  return {
    format,
    /** The seed of the credentials, and the seed that `--seed` is compared with. */
    seed,
    /** The seed of ids and numbers. */
    idSeed,
  };
}

/**
 * Reads a journal. `soundBytes` is where its last whole line ends.
 *
 * @throws SandboxError `journal_damaged` for a broken line that is not the last one
 */
function readEntries(path: string) {
  const bytes = readFileSync(path);
  const soundBytes = bytes.lastIndexOf(0x0a) + 1;
  const lines = bytes.toString('utf8', 0, soundBytes).split('\n').slice(0, -1);
  const read = (isSound: (line: Fields) => boolean, line: string, number: number): unknown => {
    const value = parsed(line);
    if (isFields(value) && isSound(value)) return value;
    const message = `Line ${number} of ${path} cannot be read. Restore the file from a copy, or start with another data folder.`;
    throw new SandboxError('journal_damaged', message);
  };
  const [first, ...rest] = lines;
  const header = first === undefined ? null : (read(isHeader, first, 1) as JournalHeader);
  const entries = rest.map((line, index) => read(isEntry, line, index + 2) as JournalEntry);
  return { header, entries, soundBytes };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

const isHeader = (line: Fields): boolean =>
  line['format'] === format && typeof line['idSeed'] === 'string';

const isEntry = (line: Fields): boolean =>
  typeof line['realNow'] === 'number' && isFields(line['command']);

/** The number of no file. The system gives the number of a closed file to the next one. */
const noFile = -1;

/** Folders in use by this process: its own id in a lock file proves nothing. */
const heldHere = new Set<string>();

/**
 * The append-only list of commands. A line is handed to the system before its command is answered,
 * so what was acknowledged survives kill -9; the last moments before a power cut may be lost.
 */
export class Journal {
  #file: number;
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
      const { header, entries, soundBytes } = readEntries(path);
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

  /** Once more has no effect; a line that comes later is refused. */
  close(): void {
    if (this.#file === noFile) return;
    closeSync(this.#file);
    this.#file = noFile;
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
