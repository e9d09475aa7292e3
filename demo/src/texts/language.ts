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

/** A text in both of the shop's languages. */
export type Bilingual = Readonly<Record<Language, string>>;

/** A long text in both languages, one below the other. */
type Long = `${string}\n${string}`;

export function both(text: Long): Bilingual {
  const [en = '', ar = ''] = text.split('\n').map((half) => half.trim());
  return { en, ar };
}

/** A short text in both languages, side by side. */
type Pair = readonly [english: string, arabic: string];

/** A table of texts; a text with gaps is a function of what fills them. */
export interface TextPairs {
  readonly [name: string]: Pair | Long | ((...values: never[]) => Pair) | TextPairs;
}

/** The same table in one language. */
type InOneLanguage<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends Pair | string
    ? string
    : Table[Name] extends (...values: infer Values) => Pair
      ? (...values: Values) => string
      : InOneLanguage<Table[Name]>;
};

/**
 * Splits a table of texts into one table for each language. The source has both languages of a text
 * together, so that a change to one is not forgotten in the other.
 */
export function byLanguage<Table extends TextPairs>(
  texts: Table,
): Readonly<Record<Language, InOneLanguage<Table>>> {
  return {
    en: pick(texts, 'en') as InOneLanguage<Table>,
    ar: pick(texts, 'ar') as InOneLanguage<Table>,
  };
}

function pick(entry: TextPairs[string], language: Language): unknown {
  if (typeof entry === 'string') return both(entry)[language];
  if (isPair(entry)) return entry[language === 'en' ? 0 : 1];
  if (typeof entry === 'function') return (...values: never[]) => pick(entry(...values), language);
  return Object.fromEntries(
    Object.entries(entry).map(([name, one]) => [name, pick(one, language)]),
  );
}

function isPair(entry: TextPairs[string]): entry is Pair {
  return Array.isArray(entry);
}
