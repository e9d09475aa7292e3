import { createInterface, type Interface } from 'node:readline';
import { stripVTControlCharacters, styleText } from 'node:util';
import type { Finding } from '../errors.ts';

/** Where text goes; Node's streams, or a test's. */
export type Sink = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };

/** Where a person types; Node's stream, or a test's. */
export type Source = NodeJS.ReadableStream & { readonly isTTY?: boolean };

type Format = Parameters<typeof styleText>[0];

const USUAL_WIDTH = 100;
const LEAST_WIDTH = 40;
const PROGRESS_EVERY_MS = 1_000;

/** Writes for a person or for a pipe: colour on a terminal only, and never with `NO_COLOR`. */
export class Terminal {
  readonly #out: Sink;
  readonly #err: Sink;
  readonly #isColourless: boolean;
  #progress = '';
  #progressAt = Date.now();

  constructor(out: Sink, err: Sink, isColourless: boolean) {
    this.#out = out;
    this.#err = err;
    this.#isColourless = isColourless;
  }

  get width(): number {
    return Math.max(LEAST_WIDTH, Math.min(this.#out.columns || USUAL_WIDTH, USUAL_WIDTH));
  }

  paint(format: Format, text: string): string {
    return this.#isColourless ? text : styleText(format, text, { stream: this.#out });
  }

  line(text = ''): void {
    this.#out.write(`${text}\n`);
  }

  table(head: readonly string[], rows: readonly (readonly string[])[], indent = ''): void {
    const [first = '', ...lines] = table([head, ...rows]);
    for (const line of [this.paint('dim', first), ...lines]) this.line(`${indent}${line}`);
  }

  /** Writes a text behind a label, and breaks it into lines that begin at a column. */
  labelled(label: string, text: string, indent: number, column: number): void {
    for (const [index, line] of wrap(text, this.width - column).entries()) {
      const head = (index === 0 ? label : '').padEnd(column - indent);
      this.line(`${' '.repeat(indent)}${this.paint('dim', head)}${line}`);
    }
  }

  /** Writes text as it comes; waits where its reader is slow, and ends where nobody reads any more. */
  async stream(chunks: AsyncIterable<string>): Promise<void> {
    for await (const chunk of chunks) {
      const isWritten = new Promise<boolean>((resolve) => {
        this.#out.write(chunk, (error) => resolve(!error));
      });
      if (!(await isWritten)) return;
    }
  }

  json(value: unknown): void {
    this.line(JSON.stringify(value, null, 2));
  }

  error(text: string): void {
    this.#err.write(`${text}\n`);
  }

  /** Asks; the answer is typed on the same line. */
  prompt(text: string): void {
    this.#err.write(`${text} `);
  }

  /** Shows how far long work is, once a second: one line that changes on a terminal, lines elsewhere. */
  progress(text: string, isForTerminal = false): void {
    if (Date.now() - this.#progressAt < PROGRESS_EVERY_MS) return;
    this.#progressAt = Date.now();
    if (this.#err.isTTY === true || isForTerminal) this.passing(text);
    else this.error(text);
  }

  passing(text: string): void {
    if (this.#err.isTTY !== true) return;
    this.#err.write(`\r${text.padEnd(this.#progress.length)}`);
    this.#progress = text;
  }

  endProgress(): void {
    if (this.#progress !== '') this.#err.write(`\r${' '.repeat(this.#progress.length)}\r`);
    this.#progress = '';
  }
}

/** A count with its noun, such as `2 orders`. */
export const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`;

/** A moment of ISO 8601 to the minute, in UTC. */
export const minuteOf = (iso: string | null): string => iso?.slice(0, 16).replace('T', ' ') ?? '–';

/** Breaks a text into lines of at most `width` characters, at spaces where there are any. */
export function wrap(text: string, width: number): readonly string[] {
  const lines = text.matchAll(new RegExp(`(.{1,${width}}|[^ ]+)(?: |$)`, 'gs'));
  return text === '' ? [''] : Array.from(lines, ([, line = '']) => line);
}

/** Lines of columns, each as wide as its widest cell. */
export function table(rows: readonly (readonly string[])[]): readonly string[] {
  const lengthOf = (cell = ''): number => stripVTControlCharacters(cell).length;
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => lengthOf(row[column]))),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - lengthOf(cell)))
      .join('  ')
      .trimEnd(),
  );
}

/** The fault, its effect, its remedy, and where more is written. */
export type Diagnosis = Omit<Finding, 'code' | 'setting'> & { readonly code: string };

export function writeReasons(terminal: Terminal, { why, fix, help }: Diagnosis): void {
  for (const [label, text] of Object.entries({ why, fix, more: help })) {
    terminal.labelled(label, text, 4, 10);
  }
}

/** Asks a person at a terminal; without one, every question stays without an answer. */
export class Conversation {
  readonly #terminal: Terminal;
  readonly #lines: Interface | undefined;
  readonly #unread: string[] = [];
  #wake: (() => void) | undefined;
  #isOver: boolean;

  /** @param input - Where a person types; `undefined` without a person. */
  constructor(terminal: Terminal, input: Source | undefined) {
    this.#terminal = terminal;
    this.#isOver = input === undefined;
    if (input === undefined) return;
    this.#lines = createInterface({ input, terminal: false });
    this.#lines.on('line', (line) => {
      this.#unread.push(line.trim());
      this.#wake?.();
    });
    this.#lines.on('close', () => this.end());
  }

  get isPossible(): boolean {
    return !this.#isOver || this.#unread.length > 0;
  }

  /**
   * Asks for yes or no until one of them is typed: a line that was meant for the question before
   * answers nothing. An empty line is the usual answer, and the end of the input is no.
   */
  async agrees(question: string, usual: 'y' | 'n' = 'y'): Promise<boolean> {
    const answers = usual === 'y' ? '[Y/n]' : '[y/N]';
    const lines = wrap(`${question} ${answers}`, this.#terminal.width - 1);
    this.#terminal.prompt(lines.join('\n'));
    let line = await this.next();
    while (line !== null && !/^(?:y|yes|n|no)?$/i.test(line)) {
      this.#terminal.prompt(`Type y or n, or press Enter for ${usual}:`);
      line = await this.next();
    }
    return line !== null && (line === '' ? usual : line).toLowerCase().startsWith('y');
  }

  /**
   * The next line; `null` when the time is up.
   *
   * @param withinMs - How long to wait, also without a person. Absent: until the end of the input.
   */
  async next(withinMs?: number): Promise<string | null> {
    if (this.#unread.length === 0 && !(this.#isOver && withinMs === undefined)) {
      await new Promise<void>((resolve) => {
        const timer = withinMs === undefined ? undefined : setTimeout(resolve, withinMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#wake = undefined;
    }
    return this.#unread.shift() ?? null;
  }

  /** Ends every wait; no further line is read. */
  end(): void {
    if (!this.#isOver) {
      this.#isOver = true;
      this.#lines?.close();
    }
    this.#wake?.();
  }
}
