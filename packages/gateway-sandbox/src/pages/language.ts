import type { Request } from 'express';

export type Language = 'en' | 'ar';

/** One text in both languages. */
export type Pair = readonly [english: string, arabic: string];

interface Texts {
  readonly [name: string]: Pair | ((...values: never[]) => Pair) | Texts;
}

type InOneLanguage<T> = {
  readonly [Name in keyof T]: T[Name] extends Pair
    ? string
    : T[Name] extends (...values: infer Values) => Pair
      ? (...values: Values) => string
      : InOneLanguage<T[Name]>;
};

/**
 * Turns a table of pairs into one table for each language. Both languages of a text are on one line
 * of the source, so that neither is forgotten.
 */
export function byLanguage<T extends Texts>(
  texts: T,
): Readonly<Record<Language, InOneLanguage<T>>> {
  const inLanguage = (index: 0 | 1) => pick(texts, index) as InOneLanguage<T>;
  return { en: inLanguage(0), ar: inLanguage(1) };
}

function pick(entry: Texts[string], index: 0 | 1): unknown {
  if (isPair(entry)) return entry[index];
  if (typeof entry === 'function') return (...values: never[]) => entry(...values)[index];
  return Object.fromEntries(Object.entries(entry).map(([name, one]) => [name, pick(one, index)]));
}

function isPair(entry: Texts[string]): entry is Pair {
  return Array.isArray(entry);
}

/** The page's language: `?lang=`, else the browser's preference, else English. */
export function languageOf(request: Request): Language {
  const { lang } = request.query;
  if (lang === 'ar' || lang === 'en') return lang;
  return request.acceptsLanguages(['en', 'ar']) === 'ar' ? 'ar' : 'en';
}

export function directionOf(language: Language): 'ltr' | 'rtl' {
  return language === 'ar' ? 'rtl' : 'ltr';
}
