import type { Request } from 'express';
import { formatAmount } from '../domain/requests.ts';

/** Text that is already HTML. The template escapes every other value. */
export class Html {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

type Part = Html | string | number | null | false | readonly (Html | string)[];

const replacements: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Builds a piece of a page. Values are escaped; `null` and `false` become nothing. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const pieces = strings.map((text, index) => text + render(parts[index] ?? null));
  return new Html(pieces.join(''));
}

function render(part: Part): string {
  if (part === null || part === false) return '';
  if (part instanceof Html) return part.toString();
  if (typeof part === 'object') return part.map(render).join('');
  return String(part).replace(/[&<>"']/g, (character) => replacements[character] ?? '');
}

export type Language = 'en' | 'ar';

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

/** The riyal sign of 2025 (U+20C1) as a path, since few fonts have the character yet. */
const riyalPath =
  'M70 111l-4 15 43-9 4-15zM109 90l4-15-33 7V69l29-6 4-15-33 7V7Q72 11 66 18v40l-13 3V0Q45 4 40 11v53L10 70 7 84l33-7v17L4 102 0 116l38-8q4-1 7-5l7-10q1-2 1-4V74l13-3v28z';

/** Keeps the sign and the number on one line. */
const space = '\u00a0';

/** Every page's header holds the sign once; amounts refer to it. */
export const riyalSymbol = html`<symbol id="riyal" viewBox="0 0 113 126">
  <path d="${riyalPath}" />
</symbol>`;

/**
 * An amount as every page shows it: Latin digits, and the riyal sign left of the number in both
 * languages, as the central bank asks. From right to left, what is read last stands at the left.
 */
export function amountTag(minor: number, currency: string, language: Language): Html {
  const digits = groupedDigits(minor);
  if (currency !== 'SAR') {
    return html`<bdi dir="ltr" class="money">${currency}${space}${digits}</bdi>`;
  }
  const sign = html`<svg role="img" aria-label="${riyalNames[language]}" viewBox="0 0 113 126">
    <use href="#riyal" />
  </svg>`;
  return language === 'en'
    ? html`<bdi dir="ltr" class="money">${sign}${space}${digits}</bdi>`
    : html`<bdi dir="rtl" class="money"><bdi dir="ltr">${digits}</bdi>${space}${sign}</bdi>`;
}

/** An amount where no drawing can stand: in a title or a name. */
export function amountText(minor: number, currency: string, language: Language): string {
  const digits = groupedDigits(minor);
  const isArabicRiyal = language === 'ar' && currency === 'SAR';
  return isArabicRiyal ? `${digits}${space}${riyalNames.ar}` : `${currency}${space}${digits}`;
}

const riyalNames: Readonly<Record<Language, string>> = { en: 'SAR', ar: 'ريال' };

function groupedDigits(minor: number): string {
  const [whole = '', fraction = ''] = formatAmount(minor).split('.');
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${fraction}`;
}
