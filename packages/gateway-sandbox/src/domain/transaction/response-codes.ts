/** The meaning of an issuer's response code, in the words that `declineReason` carries. */
const declineReasons: ReadonlyMap<string, string> = new Map([
  ['05', 'Do not honour'],
  ['14', 'Invalid card number'],
  ['41', 'Lost card'],
  ['43', 'Stolen card'],
  ['51', 'Insufficient funds'],
  ['54', 'Expired card'],
  ['57', 'Unsupported card scheme'],
  ['61', 'Exceeds withdrawal limit'],
  ['82', 'CVV check failed'],
  ['91', 'Issuer unavailable'],
  ['96', 'System malfunction'],
  ['99', 'Unspecified failure'],
  ['3D', '3-D Secure authentication failed'],
  ['3U', '3-D Secure directory unavailable'],
  ['3C', '3-D Secure cancelled by the shopper'],
  ['3I', '3-D Secure issuer error'],
  ['3T', '3-D Secure time limit passed'],
  ['3P', 'Checkout session already paid'],
  ['3X', 'Checkout session expired'],
]);

/** The response codes that a test card's number and an armed decline can ask for. */
export const issuerDeclineCodes = [
  '05',
  '14',
  '41',
  '43',
  '51',
  '54',
  '61',
  '91',
  '96',
  '99',
] as const;

export const approvedCode = '00';

/** The reason of a decline; null for an approval. */
export function declineReason(code: string): string | null {
  return code === approvedCode ? null : (declineReasons.get(code) ?? 'Declined');
}
