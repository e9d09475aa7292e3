const ARABIC_DIGITS = '٠١٢٣٤٥٦٧٨٩';

/**
 * Reads a mobile number as shoppers type it: with spaces or dashes, in Arabic digits, with or
 * without the country's code. Saudi mobiles come out as `05XXXXXXXX`, others as given.
 *
 * @returns `undefined` when it is no phone number.
 */
export function readPhone(text: string): string | undefined {
  const compact = text
    .replaceAll(/[٠-٩]/g, (digit) => String(ARABIC_DIGITS.indexOf(digit)))
    .replaceAll(/[\s()\u200e\u200f\u202a-\u202e-]/g, '');
  const saudi = /^(?:\+?966|00966|0)?(5\d{8})$/.exec(compact);
  if (saudi?.[1] !== undefined) return `0${saudi[1]}`;
  // A zero in front is a number of this country, and so is 966; only its mobiles will do.
  if (/^0(?!0)/.test(compact) || /^(?:\+|00)?966/.test(compact)) return undefined;
  if (/^5\d{0,8}$/.test(compact)) return undefined;
  return /^(?:\+|00)?[1-9]\d{7,14}$/.test(compact) ? compact : undefined;
}
