import { createHash } from 'node:crypto';

/**
 * N8: lower-case hex MD5 of UPPER(reverse(email) + password + reverse(first six + last four digits
 * of the card number)). Nothing is protected by it; it is what sibling gateways ask for.
 */
export function saleHash(email: string, password: string, cardNumber: string): string {
  const card = cardNumber.slice(0, 6) + cardNumber.slice(-4);
  const text = reversed(email) + password + reversed(card);
  return createHash('md5').update(text.toUpperCase()).digest('hex');
}

function reversed(text: string): string {
  return text.split('').toReversed().join('');
}
