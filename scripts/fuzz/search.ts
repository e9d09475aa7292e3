import { Script } from 'node:vm';
import fc from 'fast-check';
import { Coverage, type Trace } from './coverage.ts';
import type { Target } from './target.ts';

const MAX_LENGTH = 4_000;
/** An input that takes longer never ends; ours take less than a thousandth. */
const LIMIT_MS = 20_000;
/** The lengths at which the work of an input is compared. */
const SHORT = 3_000;
const LONG = 4 * SHORT;
/** Four times the text may cost six times the work; work that grows with the square costs sixteen times. */
const MOST_GROWTH = 6;
/** Work that does not depend on the text. */
const FIXED_WORK = 5_000;

/** A text made of others: the edits of one of them, in turn. */
export interface Mutant {
  readonly of: number;
  readonly edits: readonly {
    readonly at: number;
    readonly drops: number;
    readonly adds: string | { readonly from: number; readonly part: number };
    readonly times: number;
  }[];
}

const MILLE = 1_000;

/** Mutants, which fast-check makes smaller where one fails. */
export function mutants(words: readonly string[]): fc.Arbitrary<Mutant> {
  const adds = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('', ...words) },
    { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 4 }) },
    { weight: 2, arbitrary: fc.string({ unit: 'binary-ascii', maxLength: 4 }) },
    fc.record({ from: fc.nat(), part: fc.nat(MILLE) }),
  );
  const drops = fc.oneof(fc.constant(0), fc.nat(4), fc.nat(200));
  const times = fc.oneof({ weight: 8, arbitrary: fc.constant(1) }, fc.nat(40));
  const edit = fc.record({ at: fc.nat(MILLE), drops, adds, times });
  return fc.record({ of: fc.nat(), edits: fc.array(edit, { minLength: 1, maxLength: 5 }) });
}

export function textOf({ of, edits }: Mutant, texts: readonly string[]): string {
  const textAt = (index: number): string => texts[index % texts.length] ?? '';
  let text = textAt(of);
  for (const { at, drops, adds, times } of edits) {
    const start = Math.round((at / MILLE) * text.length);
    const other = typeof adds === 'string' ? adds : textAt(adds.from);
    const part = typeof adds === 'string' ? adds : other.slice((adds.part / MILLE) * other.length);
    text = text.slice(0, start) + part.repeat(times) + text.slice(start + drops);
  }
  return text.slice(0, MAX_LENGTH);
}

/** Where a property did not hold. */
export interface Finding {
  readonly text: string;
  readonly message: string;
}

/** To ask which blocks ran costs more than a run, so that so many texts run before it. */
const BATCH = 20;
const BATCHES_IN_A_ROW = 25;
/** How many smaller texts are tried where one fails. */
const MOST_TRIALS = 400;

/** A search that keeps each text under which our code does something new, and goes on from those. */
export class Search {
  readonly texts: string[];
  /** The texts that this search found. */
  readonly found: string[] = [];
  runs = 0;
  readonly #target: Target;
  readonly #limitMs: number;
  readonly #coverage = new Coverage();
  readonly #known = new Set<string>();
  readonly #script = new Script('run()');

  /**
   * @param corpus - The texts that earlier searches found.
   * @param limitMs - A batch that takes longer has not ended.
   */
  constructor(target: Target, corpus: readonly string[], limitMs = LIMIT_MS) {
    this.#limitMs = limitMs;
    this.#target = target;
    this.texts = [...new Set([...target.seeds, ...corpus])];
  }

  /** How many blocks of our code ran so far. */
  get blocks(): number {
    return this.#known.size;
  }

  /** Holds the properties against every text that is known already. */
  replay(): Finding | null {
    return this.#firstFault(this.texts);
  }

  /** Tries about so many new texts; the seed and the corpus decide which. */
  explore(seed: number, runs: number): Finding | null {
    const batch = fc.array(mutants(this.#target.words), {
      minLength: 1,
      maxLength: BATCH,
      size: 'max',
    });
    let texts: readonly string[] = [];
    const property = fc.property(batch, (made) => {
      texts = made.map((mutant) => textOf(mutant, this.texts));
      if (!this.#trace(texts).blocks.every((block) => this.#known.has(block))) this.#keepNew(texts);
    });
    const end = this.runs + runs;
    while (this.runs < end) {
      // Batches are slow to make smaller; the one text that fails is made smaller below.
      const options = { seed: seed + this.runs, numRuns: BATCHES_IN_A_ROW, endOnFailure: true };
      if (fc.check(property, options).failed) return this.#smallest(this.#firstFault(texts));
    }
    return null;
  }

  close(): void {
    this.#coverage.close();
  }

  #firstFault(texts: readonly string[]): Finding | null {
    for (const text of texts) {
      try {
        for (const block of this.#trace([text]).blocks) this.#known.add(block);
        this.#growsLinearly(text);
      } catch (error) {
        return { text, message: String(error) };
      }
    }
    return null;
  }

  /** Leaves out parts of a text, ever smaller ones, as long as it still fails. */
  #smallest(finding: Finding | null): Finding | null {
    let smallest = finding;
    let part = Math.ceil((finding?.text.length ?? 0) / 2);
    for (let trials = 0; smallest !== null && part >= 1; part = Math.floor(part / 2)) {
      for (let at = 0; at < smallest.text.length && trials < MOST_TRIALS; trials += 1) {
        const { text } = smallest;
        const fault = this.#firstFault([text.slice(0, at) + text.slice(at + part)]);
        if (fault === null) at += part;
        else smallest = fault;
      }
    }
    return smallest;
  }

  #keepNew(texts: readonly string[]): void {
    for (const text of texts) {
      const { blocks } = this.#trace([text]);
      if (blocks.every((block) => this.#known.has(block))) continue;
      for (const block of blocks) this.#known.add(block);
      this.#growsLinearly(text);
      this.texts.push(text);
      this.found.push(text);
    }
  }

  #growsLinearly(text: string): void {
    if (text === '') return;
    const [short = 0, long = 0] = [SHORT, LONG].map((length) => {
      const repeated = text.repeat(Math.ceil(length / text.length)).slice(0, length);
      return this.#trace([repeated]).work;
    });
    if (long <= MOST_GROWTH * short + FIXED_WORK) return;
    throw new Error(`The work grows faster than the text: ${short} blocks, then ${long}.`);
  }

  #trace(texts: readonly string[]): Trace {
    this.runs += texts.length;
    const run = (): void => texts.forEach((text) => this.#target.check(text));
    return this.#coverage.trace(() => {
      this.#script.runInNewContext({ run }, { timeout: this.#limitMs });
    });
  }
}
