/**
 * Writes a phone number the way the gateway takes it: a Saudi mobile in its local form with the
 * leading zero (`05XXXXXXXX`), any other number of 8 to 15 digits as given (assumption N20).
 *
 * @returns `undefined` when it is no phone number.
 */
export function normalizePhone(text: string): string | undefined {
  const compact = text.replaceAll(/[\s()-]/g, '');
  const saudi = /^(?:\+?966|00966|0)?(5\d{8})$/.exec(compact);
  if (saudi?.[1] !== undefined) return `0${saudi[1]}`;
  // A zero in front is a number of this country, and so is 966; only its mobiles will do.
  if (/^0(?!0)/.test(compact) || /^(?:\+|00)?966/.test(compact)) return undefined;
  if (/^5\d{0,8}$/.test(compact)) return undefined;
  return /^(?:\+|00)?[1-9]\d{7,14}$/.test(compact) ? compact : undefined;
}
