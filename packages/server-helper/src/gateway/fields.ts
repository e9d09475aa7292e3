import { z } from 'zod';
import { isStorable, onOneLine } from '../text.ts';
import { DEFAULT_CURRENCY, InvalidMoneyError, money, type Money } from '../money.ts';
import { type AskedOperation, GatewayError, type OperationName } from './gateway-error.ts';
import { quotable } from './quotable.ts';

export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * An id as the gateway gives it: a text that says something and that a store, a log and an address
 * can carry, so without control characters and halves of characters.
 */
export const wireId = z
  .string()
  .max(200)
  .regex(/^(?=.*\S)[^\p{Cc}\p{Cs}]+$/u, 'is no id');

/** A text that decides nothing; its control characters are dropped. */
export const infoText = z.string().transform(onOneLine);

/**
 * A text that decides. Its control characters are made a sign that shows: left out, another word or
 * name could come of it, and left in, nothing that comes with it could be stored.
 */
export const decidingText = z
  .string()
  .transform((text) => text.replaceAll(/[\p{Cc}\p{Cs}]/gu, '\uFFFD'));

/** A text that informs and decides nothing: `null`, where its type says nothing. */
export const mayBeText = infoText.nullish().catch(null);

/** A text that holds one of a few words. Another word is counted; whether it is read, the form decides. */
export const oneOf = <Form extends z.ZodType>(words: string, form: Form): Form =>
  form.meta({ type: 'string', words: `^(?:${words})$` });

/** A number, which may be written as a text of a form. */
export const numberOr = (text: RegExp) => z.number().or(z.string().regex(text).transform(Number));

const digits = z.int().transform((number) => String(number));

/**
 * A field that informs and decides nothing: a number as its digits (assumption N6), absent where its type
 * says nothing. It never makes what comes with it unreadable.
 */
export const mayInform = z
  .union([decidingText, digits])
  .nullish()
  .catch(null)
  .transform((text) => text ?? undefined);

export const foreseen = (...names: readonly string[]): Readonly<Record<string, typeof mayInform>> =>
  Object.fromEntries(names.map((name) => [name, mayInform]));

/** An id that an answer is nothing without; a number as its digits. */
export const wireIdOrNumber = z.union([wireId, digits]);

/**
 * A field that an answer is nothing without, unless the gateway has no such field: `null`, also from
 * its profile, is then the empty text.
 */
export const unlessNone = <Shape extends z.ZodType<string>>(shape: Shape) =>
  z.union([shape, digits, z.null()]).transform((text) => text ?? '');

/** Whether a word beside a decline says that money moved, or may still move. */
export const deniesDecline = (word: string): boolean =>
  /^\s*(?:success|approved|accepted|pending|processing|captured|paid|authorized)\s*$/i.test(word);

/** Signs that replace hidden characters: one alone, or crosses, dashes and the like in a row. */
const masked = /[*•●…]|([xX#_.-])\1{3}/u;

/** A secret in full; a masked one is none. */
export const fullSecret = z
  .string()
  .min(1)
  .refine((text) => !masked.test(text), 'is masked');

/** A text that says something, unchanged; `undefined` for one that is blank or absent. */
export const filled = (text: string | null | undefined): string | undefined =>
  text?.trim() ? text : undefined;

interface Asked {
  readonly name: AskedOperation;
  readonly input: z.ZodType;
}

/** An amount as a caller gives it: a decimal string with two decimals such as `"115.00"`, or money. */
export type AmountInput = string | Money;

/** Half of a character can neither be sent nor written into an address. */
const sendableText = z
  .string()
  .refine((text) => !/[\uD800-\uDFFF]/u.test(text), 'holds half of a character');

/** A text that says something. */
export const filledText = sendableText.refine((text) => text.trim() !== '', 'is empty');

/** An id that becomes a segment of a path; `.` and `..` would lead to another path. */
export const pathId = filledText
  .max(500, 'is longer than 500 characters')
  .refine((id) => id !== '.' && id !== '..', 'is a dot segment');

/** The form of an amount; whether the gateway can carry it is read with its currency. */
export const amountInput = z.custom<AmountInput>(
  (value) =>
    typeof value === 'string' ||
    (typeof value === 'object' &&
      value !== null &&
      'minorUnits' in value &&
      'currency' in value &&
      Object.keys(value).length === 2),
  'must be a decimal string with two decimals such as "115.00", or whole minor units with a currency',
);

/** An address for a browser, without what parsers drop: it would be another than was checked. */
export const webAddressInput = z.string().refine((text) => {
  const url = isStorable(text) ? URL.parse(text) : null;
  return url?.protocol === 'https:' || url?.protocol === 'http:';
}, 'is no http(s) address');

/** The customer of a payment link or a sale. */
export interface CustomerInput {
  /** Shown on the hosted page; blank means absent. */
  readonly name?: string | undefined;
  /** Blank means absent. */
  readonly email?: string | undefined;
  /** Any usual form; sent as `05XXXXXXXX` where it is a Saudi mobile (assumption N20). */
  readonly phone: string;
}

const customerInput: z.ZodType<CustomerInput> = z.strictObject({
  name: sendableText.optional(),
  email: sendableText.optional(),
  phone: z.string(),
});

/** What a payment link and a sale ask a customer to pay. */
export interface PurchaseInput {
  /** Decimal string with two decimals, at least `"0.01"`, or money. */
  readonly amount: AmountInput;
  /** ISO 4217 code of a currency with two decimals. @defaultValue `"SAR"`; always sent */
  readonly currency?: string | undefined;
  /** The customer. The e-mail is needed where a `saleHash` signs a sale. */
  readonly customer: CustomerInput;
  /** Where the shopper goes after a payment or a passed challenge; http(s). It proves nothing. */
  readonly successUrl: string;
  /** Where the shopper goes after a failed payment or challenge; http(s). */
  readonly failureUrl: string;
}

export const purchaseInput = {
  amount: amountInput,
  currency: z.string().optional(),
  customer: customerInput,
  successUrl: webAddressInput,
  failureUrl: webAddressInput,
};

/** An operation that takes nothing but options. */
export const noInput = z.strictObject({}).optional();

/**
 * Reads an input.
 *
 * @throws {@link GatewayError} `invalid_input` (`not-sent`) with the parts at fault, which it does not
 * quote, since they may be secret.
 */
export function readInput<Row extends Asked>(operation: Row, input: unknown) {
  const parsed = operation.input.safeParse(input);
  if (parsed.success) return parsed.data as z.output<Row['input']>;
  const faults = parsed.error.issues.slice(0, 5).map(faultOf);
  throw invalidInput(operation, `${faults.join('; ')}.`);
}

function faultOf(issue: z.core.$ZodIssue): string {
  const place = issue.path.length === 0 ? 'the input' : issue.path.join('.');
  if (issue.code === 'unrecognized_keys') return `${place} has a field that is not taken`;
  if (issue.code === 'invalid_type') return `${place} is no ${issue.expected}`;
  if (issue.code === 'invalid_value') return `${place} must be ${issue.values.join(' or ')}`;
  if (issue.code === 'invalid_union') return `${place} has a form that is not taken`;
  return `${place} ${issue.message}`;
}

/**
 * Reads an amount.
 *
 * @throws {@link GatewayError} `invalid_input` (`not-sent`).
 */
export function readMoney(
  operation: Pick<Asked, 'name'>,
  amount: AmountInput,
  currency?: string,
  name = 'amount',
): Money {
  try {
    if (typeof amount === 'string') return money(amount, currency ?? DEFAULT_CURRENCY);
    const read = money({ minorUnits: amount.minorUnits }, amount.currency);
    if (currency === undefined || currency === read.currency) return read;
  } catch (error) {
    if (error instanceof InvalidMoneyError) {
      throw invalidInput(operation, `${name}: ${quotable(error.message, [])}`);
    }
    throw error;
  }
  throw invalidInput(operation, `${name} is of another currency than the one beside it.`);
}

/**
 * Reads a customer as the gateway gets one, with the texts that no error may quote: the phone in each of
 * its spellings, and the e-mail.
 *
 * @throws {@link GatewayError} `invalid_input` (`not-sent`).
 */
export function readCustomer(operation: Pick<Asked, 'name'>, given: CustomerInput) {
  const phone = normalizePhone(given.phone);
  if (phone === undefined) throw invalidInput(operation, 'customer.phone is no phone number.');
  const secrets = [phone, phone.replace(/^0/, ''), given.phone, given.email ?? ''];
  return { name: filled(given.name), email: filled(given.email), phone, secrets };
}

/** The error of an input that was refused before anything was sent. */
export function invalidInput({ name }: Pick<Asked, 'name'>, what: string): GatewayError {
  return new GatewayError({
    code: 'invalid_input',
    operation: name as OperationName,
    outcome: 'not-sent',
    message: `${name}: ${what} Nothing was sent (invalid_input, not-sent).`,
  });
}

/**
 * Writes a phone number the way the gateway takes it: a Saudi mobile in its local form with the
 * leading zero (`05XXXXXXXX`), any other number of 8 to 15 digits as given (assumption N20).
 * Arabic-Indic digits become ASCII digits.
 *
 * @returns `undefined` when it is no phone number.
 */
export function normalizePhone(text: string): string | undefined {
  const compact = text
    .replaceAll(/[\s()-]/g, '')
    .replaceAll(/[\u0660-\u0669\u06F0-\u06F9]/g, (digit) => String(digit.charCodeAt(0) & 0xf));
  const saudi = /^(?:\+?966|00966|0)?(5\d{8})$/.exec(compact);
  if (saudi?.[1] !== undefined) return `0${saudi[1]}`;
  // A leading zero or 966 is a Saudi number, and the gateway takes only mobiles of those.
  if (/^0(?!0)/.test(compact) || /^(?:\+|00)?966/.test(compact)) return undefined;
  if (/^5\d{0,8}$/.test(compact)) return undefined;
  return /^(?:\+|00)?[1-9]\d{7,14}$/.test(compact) ? compact : undefined;
}
