import { escapeHtml } from './text.ts';

/** An amount as people read it, in two forms that say the same. */
export interface FormattedAmount {
  /**
   * For a page. Riyals have their drawn sign left of the number in both languages, as the central bank
   * requires. A screen reader says {@link FormattedAmount.text}. The sign is as high as the digits and
   * has their colour, so the markup needs no style of the page and no font.
   */
  readonly html: string;
  /** For a title, an e-mail or a label: `SAR 1,150.00`, `1,150.00 ريال`. The space does not break. */
  readonly text: string;
}

/** The riyal sign of 2025 (U+20C1) as a path, since few fonts have the character yet. */
const RIYAL =
  'M70 111l-4 15 43-9 4-15zM109 90l4-15-33 7V69l29-6 4-15-33 7V7Q72 11 66 18v40l-13 3V0Q45 4 40 11v53L10 70 7 84l33-7v17L4 102 0 116l38-8q4-1 7-5l7-10q1-2 1-4V74l13-3v28z';

const sign = (name: string): string =>
  `<svg role="img" aria-label="${name}" viewBox="0 0 113 126" width=".72em" height=".8em" fill="currentColor"><path d="${RIYAL}"/></svg>`;

const numbers = new Intl.NumberFormat('en', { minimumFractionDigits: 2 });

/**
 * Writes an amount for people, always with Latin digits, as cards and receipts have them.
 *
 * @param amount - A decimal string with two decimals, as in {@link PaymentView}. Every other text is
 * escaped and stays as it is.
 * @param currency - ISO 4217 alphabetic code, such as `SAR`.
 * @param language - The language of the page.
 * @example
 * formatAmount('1150.00', 'SAR', 'en').text; // 'SAR 1,150.00'
 */
export function formatAmount(amount: string, currency: string, language: 'en' | 'ar') {
  // Text keeps every digit of a long amount; a number would not.
  const isDecimal = /^-?\d+\.\d\d$/.test(amount);
  const digits = isDecimal ? numbers.format(amount as `${number}`) : amount;
  const shown = escapeHtml(digits);
  if (currency !== 'SAR') {
    const text = `${currency}\u00A0${digits}`;
    return { text, html: `<bdi dir="ltr" class="amount">${escapeHtml(text)}</bdi>` };
  }
  if (language === 'en') {
    const html = `<bdi dir="ltr" class="amount">${sign('SAR')}\u00A0${shown}</bdi>`;
    return { text: `SAR\u00A0${digits}`, html };
  }
  // From right to left the sign that is read last stands left of the number.
  const html = `<bdi dir="rtl" class="amount"><bdi dir="ltr">${shown}</bdi>\u00A0${sign('ريال')}</bdi>`;
  return { text: `${digits}\u00A0ريال`, html };
}
