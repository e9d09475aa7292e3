import type { z } from 'zod';
import { DEFAULT_CURRENCY, InvalidMoneyError, money, type Money } from '../money.ts';
import { GatewayError } from './gateway-error.ts';
import { type OperationName, operations } from './operations.ts';
import { quotable } from './quotable.ts';
import type { AmountInput, CustomerInput } from './schemas/fields.ts';

/** An operation's input after it was read. */
export type InputOf<Name extends OperationName> = z.output<(typeof operations)[Name]['input']>;

/**
 * Reads an input.
 *
 * @throws {@link GatewayError} `invalid_input` (`not-sent`) with the parts at fault, which it does not
 * quote, since they may be secret.
 */
export function readInput<Name extends OperationName>(
  operation: Name,
  input: unknown,
): InputOf<Name> {
  const parsed = operations[operation].input.safeParse(input);
  if (parsed.success) return parsed.data as InputOf<Name>;
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
  operation: OperationName,
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
 * Reads a phone number.
 *
 * @throws {@link GatewayError} `invalid_input` (`not-sent`).
 */
export function readPhone(operation: OperationName, phone: string): string {
  const read = normalizePhone(phone);
  if (read === undefined) throw invalidInput(operation, 'customer.phone is no phone number.');
  return read;
}

/** The error of an input that was refused before anything was sent. */
export function invalidInput(operation: OperationName, what: string): GatewayError {
  return new GatewayError({
    code: 'invalid_input',
    operation,
    outcome: 'not-sent',
    message: `${operation}: ${what} Nothing was sent (invalid_input, not-sent).`,
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

/** The customer's data that no error may quote: the phone in each of its spellings, and the e-mail. */
export function personalSecrets(customer: CustomerInput, phone: string): readonly string[] {
  return [phone, phone.replace(/^0/, ''), customer.phone, customer.email ?? ''];
}

/** A text unless it is blank; JSON leaves an undefined field out. */
export function presentText(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' ? undefined : text;
}
