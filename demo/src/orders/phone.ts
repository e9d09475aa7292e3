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
  return /^\+?\d{8,15}$/.test(compact) ? compact : undefined;
}
