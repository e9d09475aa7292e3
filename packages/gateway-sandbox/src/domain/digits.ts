import { hash } from 'node:crypto';

/**
 * Whether a text is a mobile number in one of the forms of N20. Spaces and dashes do not count.
 * A Saudi number has to be a mobile number; other countries' numbers need 8 to 15 digits.
 */
export function isPhone(text: string): boolean {
  const compact = text.replace(/[\s-]/g, '');
  if (!/^\+?\d{1,20}$/.test(compact)) return false;
  if (/^0(?!0)/.test(compact)) return /^05\d{8}$/.test(compact);
  const international = compact.replace(/^(\+|00)/, '');
  if (international.startsWith('966')) return /^9665\d{8}$/.test(international);
  if (compact === international && international.startsWith('5')) {
    return /^5\d{8}$/.test(international) || /^\d{10,15}$/.test(international);
  }
  return /^[1-9]\d{7,14}$/.test(international);
}

/**
 * Stands for a phone number wherever something is kept: the same for every form of the same number,
 * and not the number.
 */
export function customerKeyOf(phone: string): string {
  const digits = phone.replace(/\D/g, '').replace(/^00/, '');
  const international = digits.replace(/^0?(?=5\d{8}$)/, '966');
  return hash('sha256', `sandbox customer ${international}`, 'buffer').toString('hex', 0, 8);
}
