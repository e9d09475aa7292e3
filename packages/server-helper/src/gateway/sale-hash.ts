import { createHash } from 'node:crypto';
import { invalidInput } from './input.ts';

/** Signs a sale (assumption N8): the option `saleHash` of the client. Told in lower-case hex. */
export type SaleHash = (input: { readonly email: string; readonly cardNumber: string }) => string;

const reversed = (text: string): string => Array.from(text).toReversed().join('');

/**
 * The sale's hash as sibling gateways describe it (§4.4, analogue: N8): lower-case hex MD5 of the
 * reversed e-mail, the password and the reversed first six and last four digits of the card, all in
 * upper case. MD5 protects nothing; it is what the gateway compares.
 *
 * @param input - The customer's e-mail, the merchant's hash password, the card's digits (spaces and
 * dashes are dropped).
 * @returns 32 hexadecimal digits.
 * @throws {@link GatewayError} `invalid_input` (`not-sent`) when a part is empty or the card number
 * has not 12 to 19 digits.
 * @example
 * const client = createGatewayClient({
 *   ...options,
 *   saleHash: ({ email, cardNumber }) => saleHash({ email, password, cardNumber }),
 * });
 */
export function saleHash(input: {
  readonly email: string;
  readonly password: string;
  readonly cardNumber: string;
}): string {
  const { email, password, cardNumber } = input;
  const digits = typeof cardNumber === 'string' ? cardNumber.replaceAll(/[\s-]/g, '') : '';
  if (!/^\d{12,19}$/.test(digits)) throw invalidInput('sale', 'cardNumber is no card number.');
  for (const [name, text] of Object.entries({ email, password })) {
    if (typeof text !== 'string' || text === '') throw invalidInput('sale', `${name} is empty.`);
  }
  const card = `${digits.slice(0, 6)}${digits.slice(-4)}`;
  const text = `${reversed(email)}${password}${reversed(card)}`.toUpperCase();
  return createHash('md5').update(text, 'utf8').digest('hex');
}
