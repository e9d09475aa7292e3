import type { Characters } from './characters.ts';

/** What is done with a part of a text that was found. */
export type Mark = (start: number, end: number) => void;

/** A text that goes on behind its cut may end within an escape, whose characters match nothing. */
const BROKEN_ESCAPE = 64;

/** Characters to find in others, by Knuth, Morris and Pratt: each of both is looked at twice at most. */
export class Needle {
  readonly #codes: readonly number[];
  /** How much of the beginning still fits when the character behind so many does not. */
  readonly #falls: readonly number[];

  constructor({ codes }: Pick<Characters, 'codes'>) {
    this.#codes = codes;
    const falls = [0];
    for (let at = 1, fits = 0; at < codes.length; at += 1) {
      while (fits > 0 && codes[fits] !== codes[at]) fits = falls[fits - 1] ?? 0;
      if (codes[fits] === codes[at]) fits += 1;
      falls.push(fits);
    }
    this.#falls = falls;
  }

  /** @param isCut - Whether more came behind, so that a beginning at the end counts too. */
  markIn({ codes, starts, ends, length }: Characters, isCut: boolean, mark: Mark): void {
    const { length: size } = this.#codes;
    if (size === 0) return;
    let fits = 0;
    for (let at = 0; at < length; at += 1) {
      while (fits > 0 && this.#codes[fits] !== codes[at]) fits = this.#falls[fits - 1] ?? 0;
      if (this.#codes[fits] === codes[at]) fits += 1;
      const start = starts[at - fits + 1] ?? 0;
      if (fits === size) {
        mark(start, ends[at] ?? 0);
        fits = this.#falls[fits - 1] ?? 0;
      } else if (isCut && fits > 0 && length - at <= BROKEN_ESCAPE)
        mark(start, ends[length - 1] ?? 0);
    }
  }
}
