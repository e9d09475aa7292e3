import { createHash } from 'node:crypto';
import { z } from 'zod';
import { transactionId, type TransactionId } from '../ids.ts';
import { decimalOf, type Money, toWireNumber } from '../money.ts';
import { keysOf, noteKeys } from './answer.ts';
import type { Caller, CallOptions } from './call.ts';
import * as fields from './fields.ts';
import { change, may, moves, type Operation } from './operation.ts';

/** A card. It is sent to the gateway and stored nowhere. */
export interface CardInput {
  /** 12 to 19 digits; spaces and dashes are dropped. */
  readonly number: string;
  /** `"01"` to `"12"`. */
  readonly expiryMonth: string;
  /** Two or four digits. */
  readonly expiryYear: string;
  /** Three or four digits. */
  readonly cvv: string;
  /** As printed on the card. */
  readonly holderName: string;
}

/** A server-to-server sale (§4.4, assumption N7). The shop that sends one handles card numbers. */
export interface SaleInput extends fields.PurchaseInput {
  /** Names the payment at the gateway; unique per payment. */
  readonly orderId: string;
  /** `authorize` holds the amount for a later capture or void; `capture` takes it at once. */
  readonly auth: 'authorize' | 'capture';
  /** Whether a token for later recurring charges is asked for. @defaultValue `false` */
  readonly recurring?: boolean | undefined;
  /** The card; it is sent to the gateway and stored nowhere. */
  readonly card: CardInput;
}

/** The outcome of a sale. */
export interface Sale {
  /** `redirect`: the shopper must pass the 3-D Secure page of `html`; nothing is paid yet. */
  readonly result: 'success' | 'redirect' | 'declined';
  /** Null only when declined. */
  readonly transactionId: TransactionId | null;
  /** For reconciliation only (§2.3). */
  readonly paymentId: string | null;
  /** The order that the gateway says it is for. */
  readonly orderId: string | null;
  /** Charges this customer again, where `recurring` was asked for (assumption N10). */
  readonly recurringToken: string | null;
  /** The issuer's challenge, with `redirect` only. */
  readonly html: string | null;
  /** The issuer's reason; null when there is none. */
  readonly declineReason: string | null;
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

const digitsOfCard = z
  .string()
  .transform((text) => text.replaceAll(/[\s-]/g, ''))
  .refine((digits) => /^\d{12,19}$/.test(digits), 'is no card number');

const saleInput: z.ZodType<SaleInput> = z.strictObject({
  ...fields.purchaseInput,
  orderId: fields.filledText,
  auth: z.enum(['authorize', 'capture']),
  recurring: z.boolean().optional(),
  card: z.strictObject({
    number: digitsOfCard,
    expiryMonth: z.string().regex(/^(?:0[1-9]|1[0-2])$/, 'must be "01" to "12"'),
    expiryYear: z.string().regex(/^(?:\d{2}){1,2}$/, 'must have two or four digits'),
    cvv: z.string().regex(/^\d{3,4}$/, 'must have three or four digits'),
    holderName: fields.filledText,
  }),
});

/** Fields that inform: the specification states none of them. */
const informing = {
  order_id: fields.mayInform,
  payment_id: fields.mayInform,
  trans_id: fields.mayInform,
  recurringToken: fields.mayBeText,
};

const wordUnless = (isDenial: (word: string) => boolean) =>
  z
    .string()
    .refine((word) => !isDenial(word))
    .nullish();

/**
 * `data` of a sale's answer (assumption N9), by what it says. An unknown word, a success
 * that also gives a reason for a decline, or one without a transaction to ask about is none of them.
 */
const saleData = z.discriminatedUnion('result', [
  z.object({
    ...informing,
    result: z.literal('SUCCESS'),
    status: wordUnless((word) => /^(?:FAILED|DECLINED)$/i.test(word)),
    transactionId: fields.wireId,
    decline_reason: z.literal(['']).nullish(),
  }),
  z.object({
    ...informing,
    result: z.literal('REDIRECT'),
    transactionId: fields.wireId,
    html: z.string().min(1),
    decline_reason: z.literal(['']).nullish(),
  }),
  z.object({
    ...informing,
    result: z.literal('DECLINED'),
    status: wordUnless(fields.deniesDecline),
    transactionId: fields.wireId.nullish().catch(null),
    decline_reason: fields.mayInform,
  }),
]);

const operation = {
  ...moves,
  name: 'sale',
  path: '/payment/s2s/sale',
  input: saleInput,
  answer: saleData,
  foreseen: z.object({
    ...informing,
    result: fields.oneOf('SUCCESS|REDIRECT|DECLINED', z.string()),
    status: fields.oneOf('SUCCESS|REDIRECT|PENDING|FAILED|DECLINED', z.string()),
    transactionId: fields.wireId,
    html: z.string(),
    decline_reason: z.string(),
    ...fields.foreseen('rrn', 'card_brand'),
  }),
  profile: change({
    body: may.body(
      ['orderId', 'currency', 'paymentMethod', 'recurringInit', 'hash'],
      ['amount', 'auth', 'card', 'customerDetails', 'successUrl', 'failureUrl'],
    ),
    add: may.add,
    answer: may.answerAt([
      'result',
      'transactionId',
      'payment_id',
      'order_id',
      'html',
      'recurringToken',
      'decline_reason',
    ]),
  }),
} as const satisfies Operation;

export const saleOperations = { sale: operation };

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
  const { data: digits } = digitsOfCard.safeParse(cardNumber);
  if (digits === undefined) throw fields.invalidInput(operation, 'cardNumber is no card number.');
  for (const [name, text] of Object.entries({ email, password })) {
    if (typeof text !== 'string' || text === '')
      throw fields.invalidInput(operation, `${name} is empty.`);
  }
  const card = `${digits.slice(0, 6)}${digits.slice(-4)}`;
  const text = `${reversed(email)}${password}${reversed(card)}`.toUpperCase();
  return createHash('md5').update(text, 'utf8').digest('hex');
}

/** Makes the sale's method; `sign` makes its hash where the gateway wants that (assumption N8). */
export const saleMethods = (
  caller: Caller,
  sign: SaleHash | undefined,
  profile: { readonly hash: 'optional' | 'required' },
): SaleMethods => ({
  sale: async (given, options) => {
    if (sign === undefined && profile.hash === 'required') {
      throw fields.invalidInput(
        operation,
        'the profile says that a sale needs a hash: give saleHash.',
      );
    }
    const input = fields.readInput(operation, given);
    const { card } = input;
    const amount = fields.readMoney(operation, input.amount, input.currency);
    const { secrets: personal, ...customerDetails } = fields.readCustomer(
      operation,
      input.customer,
    );
    const hash = sign && signedBy(sign, input, amount);
    const body = {
      orderId: input.orderId,
      amount: toWireNumber(amount),
      currency: amount.currency,
      paymentMethod: 'card',
      auth: input.auth === 'authorize' ? 'Y' : 'N',
      recurringInit: input.recurring === true ? 'Y' : 'N',
      card,
      customerDetails,
      successUrl: input.successUrl,
      failureUrl: input.failureUrl,
      ...(hash && { hash }),
    };
    const ofCard = [card.number, given.card.number, card.cvv, card.holderName];
    const secrets = [...ofCard, hash ?? '', ...personal];
    const data = await caller.exchange({ operation, body, secrets }, options);
    const { transactionId: id, decline_reason: reason } = data;
    const made: Sale = {
      result: results[data.result],
      transactionId: id ? transactionId(id) : null,
      paymentId: data.payment_id ?? data.trans_id ?? null,
      orderId: data.order_id ?? null,
      recurringToken: data.recurringToken ?? null,
      html: data.result === 'REDIRECT' ? data.html : null,
      declineReason: reason ? caller.clean(reason, secrets) : null,
    };
    return noteKeys(made, keysOf(data));
  },
});

const results = { SUCCESS: 'success', REDIRECT: 'redirect', DECLINED: 'declined' } as const;

/** An error of the hash function could quote the card, so it is dropped. */
function signedBy(sign: SaleHash, { card, ...rest }: SaleInput, money: Money): string {
  const email = fields.filled(rest.customer.email);
  if (email === undefined)
    throw fields.invalidInput(operation, 'customer.email is empty, and the sale’s hash needs it.');
  const { currency } = money;
  const amount = decimalOf(money.minorUnits);
  let hash: unknown;
  try {
    hash = sign({ ...rest, email, cardNumber: card.number, amount, currency });
  } catch {
    throw fields.invalidInput(operation, 'the option saleHash threw.');
  }
  if (typeof hash === 'string' && hash !== '') return hash;
  throw fields.invalidInput(operation, 'the option saleHash answered no text.');
}
