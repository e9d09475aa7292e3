import { z } from 'zod';

/**
 * An id as the gateway gives it: a text that says something and that a store, a log and an address
 * can carry, so without control characters and halves of characters.
 */
export const wireId = z
  .string()
  .max(200)
  .regex(/^(?=.*\S)[^\p{Cc}\p{Cs}]+$/u, 'is no id');

/** A text that the gateway may leave out or leave empty by `null`. */
export const mayBeAbsent = z.string().nullish();

/** A field that no specification states (assumption N6): a number says the same as its digits. */
export const mayBeNumber = z
  .union([z.string(), z.int().transform((number) => String(number))])
  .nullish();

/**
 * A field that informs and decides nothing: absent, where its type says nothing. It never makes what
 * stands beside it unreadable.
 */
export const mayInform = mayBeNumber.catch(null);

/** A secret in full; a masked one is none. */
export const fullSecret = z
  .string()
  .min(1)
  .regex(/^(?!.*[*•]{3})/su, 'is masked');

/** A text that says something, unchanged; `undefined` for one that is blank or absent. */
export const filled = (text: string | null | undefined): string | undefined =>
  text?.trim() ? text : undefined;
