import { createHash } from 'node:crypto';
import {
  type InputOf,
  invalidInput,
  personalSecrets,
  presentText,
  readInput,
  readMoney,
  readPhone,
} from '../input.ts';
import { transactionId } from '../../ids.ts';
import { decimalOf, type Money, toWireNumber } from '../../money.ts';
import type { Caller, CallOptions } from '../caller.ts';
import type { Profile } from '../profile.ts';
import type { Sale, SaleData, SaleInput } from '../schemas/sale.ts';

/** The sale that a hash signs: all that is sent, but for the card's expiry, holder and CVV. */
export interface SaleToSign extends Omit<SaleInput, 'amount' | 'card'> {
  /** The customer's e-mail. */
  readonly email: string;
  /** The card's digits. */
  readonly cardNumber: string;
  /** Decimal string with two decimals. */
  readonly amount: string;
  /** ISO 4217 code. */
  readonly currency: string;
}

/** Signs a sale (assumption N8): the option `saleHash` of the client. Returns lower-case hex. */
export type SaleHash = (sale: SaleToSign) => string;

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
 * import { saleHash, type GatewayClientOptions } from '@pay-button/server-helper';
 *
 * const password = process.env['SALE_PASSWORD'] ?? '';
 * export const options: Pick<GatewayClientOptions, 'saleHash'> = {
 *   saleHash: ({ email, cardNumber }) => saleHash({ email, password, cardNumber }),
 * };
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

/** The server-to-server sale (§4.4). The shop that uses it handles card numbers. */
export interface SaleMethods {
  /**
   * Charges or authorizes a card (§4.4; fields and answer are analogues: N7 to N10). `redirect`
   * means that the shopper must pass a challenge first. Never sent twice. The card shows in no
   * error and no log.
   *
   * @throws {@link GatewayError} `invalid_input` (`not-sent`) for a card that is none;
   * `unreadable_answer`, `timeout`, `connection_lost`, `gateway_fault` (`unknown`): the card may
   * have been charged, so ask the status before you act.
   * @example
   * const sale = await client.sale({
   *   orderId: '1001~1',
   *   amount: '115.00',
   *   auth: 'authorize', // To be captured or voided; 'capture' takes the money at once.
   *   card: {
   *     number: '4201 3201 1111 1010', // A test card.
   *     expiryMonth: '12',
   *     expiryYear: '2030',
   *     cvv: '123',
   *     holderName: 'NOURA ALQAHTANI',
   *   },
   *   customer: { email: 'noura@example.com', phone: '0501234567' },
   *   successUrl: 'https://shop.example/thanks/1001',
   *   failureUrl: 'https://shop.example/retry/1001',
   * });
   * if (sale.result === 'redirect') console.log(sale.html); // The shopper's browser shows it.
   */
  sale(input: SaleInput, options?: CallOptions): Promise<Sale>;
}

/** Makes the sale's method; `sign` makes its hash where the gateway wants that (assumption N8). */
export function saleMethods(
  caller: Caller,
  sign: SaleHash | undefined,
  { hash }: Profile['sale'],
): SaleMethods {
  return {
    sale: async (input, options) => {
      if (sign !== undefined || hash === 'optional') return sale(caller, sign, input, options);
      throw invalidInput('sale', 'the profile says that a sale needs a hash: give saleHash.');
    },
  };
}

async function sale(
  caller: Caller,
  sign: SaleHash | undefined,
  given: SaleInput,
  options?: CallOptions,
): Promise<Sale> {
  const operation = 'sale';
  const input = readInput(operation, given);
  const { card, customer } = input;
  const amount = readMoney(operation, input.amount, input.currency);
  const phone = readPhone(operation, customer.phone);
  const hash = sign === undefined ? {} : { hash: signedBy(sign, input, amount) };
  const body = {
    orderId: input.orderId,
    amount: toWireNumber(amount),
    currency: amount.currency,
    paymentMethod: 'card',
    auth: input.auth === 'authorize' ? 'Y' : 'N',
    recurringInit: input.recurring === true ? 'Y' : 'N',
    card: {
      number: card.number,
      expiryMonth: card.expiryMonth,
      expiryYear: card.expiryYear,
      cvv: card.cvv,
      holderName: card.holderName,
    },
    customerDetails: {
      name: presentText(customer.name),
      email: presentText(customer.email),
      phone,
    },
    successUrl: input.successUrl,
    failureUrl: input.failureUrl,
    ...hash,
  };
  const secrets = [
    card.number,
    given.card.number,
    card.cvv,
    card.holderName,
    hash.hash ?? '',
    ...personalSecrets(customer, phone),
  ];
  const data = await caller.exchange({ operation, body, secrets }, options);
  return decodeSale(data, (text) => caller.clean(text, secrets));
}

/** An error of the hash function could quote the card, so it is dropped. */
function signedBy(sign: SaleHash, { card, ...rest }: InputOf<'sale'>, money: Money): string {
  const { email } = rest.customer;
  if (email === undefined || email.trim() === '') {
    throw invalidInput('sale', 'customer.email is empty, and the sale’s hash needs it.');
  }
  let hash: unknown;
  try {
    const { currency, minorUnits } = money;
    const amount = decimalOf(minorUnits);
    hash = sign({ ...rest, email, cardNumber: card.number, amount, currency });
  } catch {
    throw invalidInput('sale', 'the option saleHash threw.');
  }
  if (typeof hash === 'string' && hash !== '') return hash;
  throw invalidInput('sale', 'the option saleHash answered no text.');
}

const results = { SUCCESS: 'success', REDIRECT: 'redirect', DECLINED: 'declined' } as const;

function decodeSale(data: SaleData, clean: (text: string) => string): Sale {
  return {
    result: results[data.result],
    transactionId: data.transactionId ? transactionId(data.transactionId) : null,
    paymentId: data.payment_id ?? data.trans_id ?? null,
    orderId: data.order_id ?? null,
    recurringToken: data.recurringToken ?? null,
    html: data.result === 'REDIRECT' ? data.html : null,
    declineReason: data.decline_reason ? clean(data.decline_reason) : null,
  };
}
