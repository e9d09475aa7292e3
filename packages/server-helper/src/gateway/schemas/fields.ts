import { z } from 'zod';
import { onOneLine } from '../../html-text.ts';
import type { Money } from '../../money.ts';

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

/** A text that decides nothing and may be absent or `null`. */
export const mayBeAbsent = infoText.nullish();

const digits = z.int().transform((number) => String(number));

/** A field that no specification states (assumption N6): a number says the same as its digits. */
export const mayBeNumber = z.union([decidingText, digits]).nullish();

/**
 * A field that informs and decides nothing: absent, where its type says nothing. It never makes what
 * comes with it unreadable.
 */
export const mayInform = mayBeNumber.catch(null).transform((text) => text ?? undefined);

/**
 * A stated field that informs and decides nothing: a number as its digits, `null` where its type says
 * nothing. It never makes the answer unreadable.
 */
export const informs = z
  .union([infoText, digits])
  .nullish()
  .catch(null)
  .transform((text) => text ?? null);

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
  /^\s*(?:success|approved|accepted|pending)\s*$/i.test(word);

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
