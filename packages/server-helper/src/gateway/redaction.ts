import type { Secret } from './secret.ts';

const MASK = '[redacted]';
const MAX_MESSAGES = 10;
const MAX_LENGTH = 300;

/** Eight digits or more in a row, in any script and however spaced, may be a phone or a card number. */
const LONG_NUMBER = /\p{Nd}(?:[\s._()/\p{Pd}]{0,3}\p{Nd}){7,}/gu;

/** An e-mail address as people or addresses write it; bounded, so that it cannot run long. */
const EMAIL = /[^\s@"'<>]{1,64}(?:@|%40)[^\s@"'<>]{1,190}/gi;

/**
 * Cleans texts that the gateway sent, so that they may stand in an error or a log: without what the
 * call was given, without long numbers, few and short.
 */
export function cleanMessages(
  messages: readonly string[],
  secrets: readonly Secret[],
): readonly string[] {
  return messages.slice(0, MAX_MESSAGES).map((message) => {
    // Cut last: a secret that is cut in two is no longer found.
    let clean = message;
    for (const secret of secrets) clean = secret.hideIn(clean, MASK);
    return clean.replaceAll(EMAIL, MASK).replaceAll(LONG_NUMBER, MASK).slice(0, MAX_LENGTH);
  });
}

/** A card number that came whole, masked but for its first six and last four digits. */
export function maskedPan(pan: string): string {
  const digits = pan.replaceAll(/[\s-]/g, '');
  if (!/^\d{12,19}$/.test(digits)) return pan;
  return `${digits.slice(0, 6)}${'*'.repeat(digits.length - 10)}${digits.slice(-4)}`;
}

/** A key, masked but for its last four characters. */
export const maskedKey = (key: string): string => `${'*'.repeat(key.length - 4)}${key.slice(-4)}`;
