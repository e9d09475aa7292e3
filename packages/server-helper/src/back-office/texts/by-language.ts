/** A language of the back office. */
export type Language = 'en' | 'ar';

/** One text in both languages. */
type Pair = readonly [english: string, arabic: string];

/** A table of texts; a text with gaps is a function of what fills them. */
interface TextPairs {
  readonly [name: string]: Pair | ((...values: never[]) => Pair) | TextPairs;
}

/** The same table in one language. */
type InOneLanguage<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends Pair
    ? string
    : Table[Name] extends (...values: infer Values) => Pair
      ? (...values: Values) => string
      : InOneLanguage<Table[Name]>;
};

/**
 * Splits a table of pairs into one table for each language. The source has both languages of a text
 * side by side, so that a change to one is not forgotten in the other.
 */
export function byLanguage<const Table extends TextPairs>(
  texts: Table,
): Readonly<Record<Language, InOneLanguage<Table>>> {
  return {
    en: pick(texts, 0) as InOneLanguage<Table>,
    ar: pick(texts, 1) as InOneLanguage<Table>,
  };
}

function pick(entry: TextPairs[string], index: 0 | 1): unknown {
  if (isPair(entry)) return entry[index];
  if (typeof entry === 'function') return (...values: never[]) => entry(...values)[index];
  return Object.fromEntries(Object.entries(entry).map(([name, one]) => [name, pick(one, index)]));
}

const isPair = (entry: TextPairs[string]): entry is Pair => Array.isArray(entry);

/** Keeps a text of another direction from turning the sentence around it. */
export const isolated = (text: string): string => `\u2068${text}\u2069`;
