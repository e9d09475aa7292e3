/** A function that reads texts of strangers, and what must be true of it for each text. */
export interface Target {
  readonly name: string;
  /** What it reads, and the properties, in a line. */
  readonly about: string;
  /** Where a search begins. */
  readonly seeds: readonly string[];
  /** Texts that chance would not write soon. */
  readonly words: readonly string[];
  /** Throws where a property does not hold; may throw nothing else. */
  readonly check: (text: string) => void;
}

/** Says which property does not hold. */
export function must(isTrue: boolean, property: string): asserts isTrue {
  if (!isTrue) throw new Error(`This must be true: ${property}`);
}

/** A text without halves of characters, which UTF-8 cannot write. */
export const wellFormed = (text: string): string => Buffer.from(text).toString();

/** The two parts of a text around its first line break. */
export function halves(text: string): readonly [first: string, second: string] {
  const at = text.indexOf('\n');
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
