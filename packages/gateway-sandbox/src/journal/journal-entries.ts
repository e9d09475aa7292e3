import { isFields } from '../domain/body-fields.ts';
import type { Command, CommandKind } from '../domain/step.ts';
import { SandboxError } from '../sandbox-error.ts';

const format = 'pay-button-sandbox-journal/3';

/** The first line: the facts that the replay needs to give the same ids and keys. */
export interface JournalHeader {
  readonly format: typeof format;
  /** The seed of the credentials, and the seed that `--seed` is compared with. */
  readonly seed: string;
  /** The seed of ids and numbers. */
  readonly idSeed: string;
}

/** One command, with the machine's clock when it was carried out. */
export interface JournalEntry {
  readonly realNow: number;
  readonly command: Command<CommandKind>;
}

export function journalHeader(seed: string, idSeed: string): JournalHeader {
  return { format, seed, idSeed };
}

/**
 * Reads a journal's bytes. `soundBytes` is where the last whole line ends.
 *
 * @throws SandboxError `journal_damaged` for a broken line that is not the last one
 */
export function readEntries(
  bytes: Buffer,
  path: string,
): { header: JournalHeader | null; entries: JournalEntry[]; soundBytes: number } {
  const soundBytes = bytes.lastIndexOf(0x0a) + 1;
  const lines = bytes.toString('utf8', 0, soundBytes).split('\n').slice(0, -1);
  const [first, ...rest] = lines.map((line, index) => parseLine(line, index + 1, path));
  if (first === undefined) return { header: null, entries: [], soundBytes: 0 };
  if (!isHeader(first)) throw damaged(path, 1);
  const entries = rest.map((entry, index) => {
    if (!isEntry(entry)) throw damaged(path, index + 2);
    return entry;
  });
  return { header: first, entries, soundBytes };
}

function parseLine(line: string, number: number, path: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw damaged(path, number);
  }
}

function isHeader(value: unknown): value is JournalHeader {
  return isFields(value) && value['format'] === format && typeof value['idSeed'] === 'string';
}

function isEntry(value: unknown): value is JournalEntry {
  return isFields(value) && typeof value['realNow'] === 'number' && isFields(value['command']);
}

function damaged(path: string, line: number): SandboxError {
  return new SandboxError(
    'journal_damaged',
    `Line ${line} of ${path} cannot be read. Restore the file from a copy, or start with another data folder.`,
  );
}
