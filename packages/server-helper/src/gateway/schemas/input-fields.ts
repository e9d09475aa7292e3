import { z } from 'zod';
import type { Money } from '../../money.ts';

/** An amount as a caller gives it: a decimal string with two decimals such as `"115.00"`, or money. */
export type AmountInput = string | Money;

/** Half of a character can neither be sent nor written into an address. */
const HALF_CHARACTER = /[\uD800-\uDFFF]/u;

/** A text that says something. */
export const filledText = z
  .string()
  .refine((text) => text.trim() !== '', 'is empty')
  .refine((text) => !HALF_CHARACTER.test(text), 'holds half of a character');

/** An id that becomes a segment of a path; `.` and `..` would lead to another path. */
export const pathId = filledText
  .max(500, 'is longer than 500 characters')
  .refine((id) => id !== '.' && id !== '..', 'is a dot segment');

/** A name or an e-mail address that a shop may not have; blank means absent. */
export const optionalText = z
  .string()
  .refine((text) => !HALF_CHARACTER.test(text), 'holds half of a character')
  .optional();

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

/**
 * Characters that a parser drops silently, so that the sent address would differ from the checked
 * one.
 */
const DROPPED = /[\p{Cc}\p{Cs}]/u;

/** An address that a browser can be sent to. */
export const webAddressInput = z.string().refine((text) => {
  const url = DROPPED.test(text) ? null : URL.parse(text);
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

/** @see CustomerInput */
export const customerInput: z.ZodType<CustomerInput> = z.strictObject({
  name: optionalText,
  email: optionalText,
  phone: z.string(),
});

/** An operation that takes nothing but options. */
export const noInput = z.strictObject({}).optional();
