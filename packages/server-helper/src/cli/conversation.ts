import { createInterface, type Interface } from 'node:readline';
import type { Source } from './command.ts';
import { type Terminal, wrap } from './terminal.ts';

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

  /** Whether a person can be asked. */
  get isPossible(): boolean {
    return !this.#isOver || this.#unread.length > 0;
  }

  /**
   * Asks for yes or no until one of them is typed: a line that was meant for the question before
   * answers nothing. An empty line is the usual answer, and the end of the input is no.
   */
  async agrees(question: string, usual: 'y' | 'n' = 'y'): Promise<boolean> {
    const lines = wrap(
      `${question} ${usual === 'y' ? '[Y/n]' : '[y/N]'}`,
      this.#terminal.width - 1,
    );
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
