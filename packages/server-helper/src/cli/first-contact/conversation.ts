import { createInterface, type Interface } from 'node:readline';
import type { Source } from '../command.ts';
import type { Terminal } from '../terminal.ts';

/** Asks a person at a terminal; where there is none, the options have answered already. */
export class Conversation {
  readonly #terminal: Terminal;
  readonly #lines: Interface | undefined;
  readonly #unread: string[] = [];
  #wake: (() => void) | undefined;
  #isOver = false;

  /** @param input - Where a person types; `undefined` where nobody does. */
  constructor(terminal: Terminal, input: Source | undefined) {
    this.#terminal = terminal;
    this.#isOver = input === undefined;
    if (input === undefined) return;
    this.#lines = createInterface({ input, terminal: false });
    this.#lines.on('line', (line) => {
      this.#unread.push(line.trim());
      this.#wake?.();
    });
    this.#lines.on('close', () => {
      this.#isOver = true;
      this.#wake?.();
    });
  }

  /** Whether a person can be asked. */
  get isPossible(): boolean {
    return !this.#isOver || this.#unread.length > 0;
  }

  /** Asks for yes or no; nothing typed is yes, and the end of the input is no. */
  async agrees(question: string): Promise<boolean> {
    const said = await this.ask(`${question} [Y/n]`);
    return said !== null && /^(?:y|yes)?$/i.test(said);
  }

  /** Asks for a line; `null` at the end of the input, or when the time is up. */
  async ask(question: string, withinMs?: number): Promise<string | null> {
    this.#terminal.error(question);
    return this.next(withinMs);
  }

  /** Waits for the next line. */
  async next(withinMs?: number): Promise<string | null> {
    if (this.#unread.length === 0 && !this.#isOver) {
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

  close(): void {
    this.#lines?.close();
  }
}
