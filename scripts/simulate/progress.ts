const BAR_WIDTH = 24;
/** How often a terminal's line is written anew, and how often another output gets a line. */
const PAUSE_MS = { terminal: 200, file: 15_000 } as const;

interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Where a long run stands: a bar on a terminal, a line now and then elsewhere. */
export class Progress {
  readonly #total: number;
  readonly #output: Output;
  readonly #unit: string;
  readonly #now: () => number;
  readonly #begun: number;
  #told: number;

  constructor(
    total: number,
    output: Output,
    unit = '',
    now: () => number = () => performance.now(),
  ) {
    this.#total = total;
    this.#output = output;
    this.#unit = unit === '' ? '' : ` ${unit}`;
    this.#now = now;
    this.#begun = now();
    this.#told = this.#begun;
  }

  /** Says how many are done, unless it was said a moment ago. */
  at(done: number): void {
    const now = this.#now();
    const isTerminal = this.#output.isTTY === true;
    if (now - this.#told < (isTerminal ? PAUSE_MS.terminal : PAUSE_MS.file)) return;
    this.#told = now;
    const line = this.#line(done, now);
    this.#output.write(isTerminal ? `\r${line}\u001B[K` : `${line}\n`);
  }

  /** Takes the bar away, so that what follows starts on a line of its own. */
  end(): void {
    if (this.#output.isTTY === true) this.#output.write('\r\u001B[K');
  }

  #line(done: number, now: number): string {
    const share = done / this.#total;
    const full = Math.floor(share * BAR_WIDTH);
    const bar = `${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)}`;
    const rate = done / Math.max(0.001, (now - this.#begun) / 1_000);
    const left = duration((this.#total - done) / Math.max(0.001, rate));
    return `${bar} ${count(done)} of ${count(this.#total)}${this.#unit}, ${rate < 10 ? rate.toFixed(1) : count(Math.round(rate))} a second, ${left} left`;
  }
}

/** A number that a person can read. */
export const count = (value: number): string => value.toLocaleString('en');

/** Seconds in the unit that fits. */
export function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3_600).toFixed(1)} h`;
}
