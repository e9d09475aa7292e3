import { html, type TemplateResult } from 'lit';

/** The riyal sign of 2025 (U+20C1) as a path, since few fonts have the character yet. */
const riyalPath =
  'M70 111l-4 15 43-9 4-15zM109 90l4-15-33 7V69l29-6 4-15-33 7V7Q72 11 66 18v40l-13 3V0Q45 4 40 11' +
  'v53L10 70 7 84l33-7v17L4 102 0 116l38-8q4-1 7-5l7-10q1-2 1-4V74l13-3v28z';

/**
 * An amount of money in the format of a locale, with Latin digits as on cards and receipts. The
 * riyal sign is left of the number in both directions, as the central bank requires; its spoken
 * name is `riyalName`.
 *
 * @param amount - decimal text in the currency's main unit, for example `115.00`
 * @param currency - ISO 4217 code
 * @returns `undefined` when amount, currency or locale is not well formed
 */
export function amountTemplate(
  amount: string,
  currency: string,
  locale: string,
  riyalName: string,
): TemplateResult | undefined {
  if (!/^\d+(\.\d+)?$/.test(amount)) return undefined;
  const riyal = currency === 'SAR';
  try {
    const format = new Intl.NumberFormat(locale, {
      ...(riyal ? { minimumFractionDigits: 2 } : { style: 'currency', currency }),
      ...(locale.includes('-nu-') ? {} : { numberingSystem: 'latn' }),
    });
    // Text keeps every digit of a long amount; a number would not.
    const text = format.format(amount as `${number}`);
    // The space keeps sign and number apart for the eye and in the accessible name.
    return html`<bdi part="amount" dir="ltr"
      >${riyal ? html`${riyalSign(riyalName)} ${text}` : text}</bdi
    >`;
  } catch {
    return undefined;
  }
}

function riyalSign(name: string): TemplateResult {
  return html`<svg role="img" aria-label=${name} viewBox="0 0 113 126">
    <path d=${riyalPath} />
  </svg>`;
}
