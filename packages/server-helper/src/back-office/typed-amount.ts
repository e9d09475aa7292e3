/** The digits that Arabic keyboards write. */
const ARABIC_DIGITS = /[\u0660-\u0669\u06F0-\u06F9]/g;

/**
 * An amount as a person types it, as a decimal text with two decimals: `115`, `1,150.5` and `١١٥٫٠٠`
 * are read.
 *
 * @returns `null` for anything else; nothing rounds.
 */
export function typedAmount(text: string): string | null {
  const latin = text
    .trim()
    .replaceAll(ARABIC_DIGITS, (digit) => String((digit.codePointAt(0) ?? 0) & 15))
    .replace('\u066B', '.');
  const [, whole = '', decimals = ''] =
    /^(\d{1,3}(?:[,\u066C]\d{3})*|\d{1,13})(?:\.(\d{1,2}))?$/.exec(latin) ?? [];
  const digits = whole.replaceAll(/[,\u066C]/g, '');
  if (digits === '' || digits.length > 13) return null;
  return `${digits.replace(/^0+(?=\d)/, '')}.${decimals.padEnd(2, '0')}`;
}
