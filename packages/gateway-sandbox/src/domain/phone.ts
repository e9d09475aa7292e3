import { createHash } from 'node:crypto';

/**
 * The international digits of a mobile number in one of the forms of N20, or null. Spaces and dashes
 * do not count. A Saudi number has to be a mobile number; other countries' numbers have 8 to 15
 * digits.
 */
export function readPhone(text: string): string | null {
  const compact = text.replace(/[\s-]/g, '');
  if (!/^\+?\d{1,20}$/.test(compact)) return null;
  if (/^0(?!0)/.test(compact)) return /^05\d{8}$/.test(compact) ? `966${compact.slice(1)}` : null;
  const international = compact.replace(/^(\+|00)/, '');
  const isLocal = compact === international && international.startsWith('5');
  if (isLocal && /^5\d{8}$/.test(international)) return `966${international}`;
  if (isLocal && international.length < 10) return null;
  if (international.startsWith('966') && !/^9665\d{8}$/.test(international)) return null;
  return /^[1-9]\d{7,14}$/.test(international) ? international : null;
}

/** The hash that replaces a phone number in storage, so that the number is not stored. */
export function customerKeyOf(international: string): string {
  const digest = createHash('sha256').update(`sandbox customer ${international}`).digest();
  return digest.toString('hex', 0, 8);
}
