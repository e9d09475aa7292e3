import { formatAmount } from '../domain/requests.ts';
import { html } from './html.ts';
import type { Html } from './html.ts';
import type { Language } from './language.ts';

/** The riyal sign of 2025 (U+20C1) as a path, since few fonts have the character yet. */
const riyalPath =
  'M70 111l-4 15 43-9 4-15zM109 90l4-15-33 7V69l29-6 4-15-33 7V7Q72 11 66 18v40l-13 3V0Q45 4 40 11v53L10 70 7 84l33-7v17L4 102 0 116l38-8q4-1 7-5l7-10q1-2 1-4V74l13-3v28z';

/** Keeps the sign and the number on one line. */
const space = '\u00a0';

/** Every page holds the sign once; amounts refer to it. */
export const moneySigns = html`<svg class="signs" aria-hidden="true">
  <symbol id="riyal" viewBox="0 0 113 126"><path d="${riyalPath}" /></symbol>
</svg>`;

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
