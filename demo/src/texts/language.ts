import type { Request, Response } from 'express';
import { readCookie, setCookie } from '../http.ts';

/** A language that the shop speaks. */
export type Language = 'en' | 'ar';

const COOKIE = 'shop_lang';
const COOKIE_DAYS = 365;

/**
 * The language of a page: `?lang=`, else what the shopper chose before, else the browser's
 * preference. A choice in the address is remembered.
 */
export function chooseLanguage(request: Request, response: Response): Language {
  const asked = request.query['lang'];
  if (asked === 'en' || asked === 'ar') {
    setCookie(response, COOKIE, asked, COOKIE_DAYS);
    // The back office remembers its own switch; the latest choice counts everywhere.
    response.clearCookie('pay_office_lang', { path: '/admin' });
    return asked;
  }
  return languageOf(request);
}

/** What the shopper chose before, else the browser's preference. */
export function languageOf(request: Request): Language {
  const remembered = readCookie(request, COOKIE);
  if (remembered === 'en' || remembered === 'ar') return remembered;
  return request.acceptsLanguages('en', 'ar') === 'ar' ? 'ar' : 'en';
}

/** Western digits and the Gregorian calendar, as Saudi shops print them. */
const locales: Readonly<Record<Language, string>> = {
  en: 'en-GB',
  ar: 'ar-SA-u-ca-gregory-nu-latn',
};

/** A moment on the clocks of Riyadh, where the shop is. */
export function moment(iso: string, language: Language): string {
  const format = { timeZone: 'Asia/Riyadh', dateStyle: 'long', timeStyle: 'short' } as const;
  return new Intl.DateTimeFormat(locales[language], format).format(new Date(iso));
}

/** One text in both languages. */
type Pair = readonly [english: string, arabic: string];

/** A table of texts; a text with gaps is a function of what fills them. */
export interface TextPairs {
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
export function byLanguage<Table extends TextPairs>(
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

function isPair(entry: TextPairs[string]): entry is Pair {
  return Array.isArray(entry);
}
