import type { Visit } from './office.ts';
import { formatAmount } from '../format-amount.ts';
import { html, Html } from './html.ts';
import { isolated, type Language } from './texts/by-language.ts';

/** How a language is written, with Latin digits as on cards and receipts. */
export const locales: Readonly<Record<Language, string>> = {
  en: 'en-GB',
  ar: 'ar-SA-u-ca-gregory-nu-latn',
};

/** An amount on a page. */
export const amountTag = (language: Language, amount: string, currency: string): Html =>
  new Html(formatAmount(amount, currency, language).html);

/** An amount in a sentence, a title or a name. */
export const amountText = (language: Language, amount: string, currency: string): string =>
  isolated(formatAmount(amount, currency, language).text);

/** How a moment is written, by the server and by the script. */
export const instantFormat = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
} as const satisfies Intl.DateTimeFormatOptions;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatIn(language: Language, timeZone: string): Intl.DateTimeFormat {
  const key = `${language} ${timeZone}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat(locales[language], {
    timeZone,
    ...instantFormat,
  });
  formats.set(key, made);
  return made;
}

/** A moment, in the office's zone until the script writes it in the reader's. */
export function instant({ language, office }: Visit, iso: string): Html {
  const text = formatIn(language, office.settings.timeZone).format(new Date(iso));
  return html`<time datetime="${iso}">${text}</time>`;
}

const dayFormat = (language: Language): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(locales[language], { timeZone: 'UTC', dateStyle: 'medium' });
// Making one takes longer than a chart of a year has for each of its days.
const dayFormats = { en: dayFormat('en'), ar: dayFormat('ar') };

/** A day of the calendar, as `23 Nov 2026`. */
export const dayText = (language: Language, day: string): string =>
  dayFormats[language].format(Date.parse(day));

/** A share of one, as `97%`. */
export const shareText = (language: Language, share: number): string =>
  new Intl.NumberFormat(numerals[language], { style: 'percent', maximumFractionDigits: 1 }).format(
    share,
  );

const numerals: Readonly<Record<Language, string>> = { en: 'en-GB', ar: 'ar-SA-u-nu-latn' };

const units = [
  { unit: 'hour', milliseconds: 3_600_000 },
  { unit: 'minute', milliseconds: 60_000 },
  { unit: 'second', milliseconds: 1_000 },
] as const;

/** How long something took, in the largest unit of which there are two or more. */
export function durationText(language: Language, milliseconds: number): string {
  const found = units.find((one) => milliseconds >= 2 * one.milliseconds) ?? units[2];
  const amount = milliseconds / found.milliseconds;
  // Arabic has no abbreviation of these that everybody reads.
  const unitDisplay = language === 'ar' ? 'long' : 'short';
  const format = { style: 'unit', unit: found.unit, unitDisplay } as const;
  return new Intl.NumberFormat(numerals[language], { ...format, maximumFractionDigits: 1 }).format(
    amount,
  );
}
