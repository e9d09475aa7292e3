import { z } from 'zod';
import { onOneLine } from '../html-text.ts';

/** An object of a JSON body. */
export type Fields = Readonly<Record<string, unknown>>;

/** Whether a value of JSON is an object. */
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

/** A text that decides nothing and may be absent or `null`. */
export const mayBeAbsent = infoText.nullish();

/** A text that holds one of a few words. Another word is counted; whether it is read, the form decides. */
export const oneOf = <Form extends z.ZodType>(words: string, form: Form): Form =>
  form.meta({ type: 'string', words: `^(?:${words})$` });

const digits = z.int().transform((number) => String(number));

/** A field that no specification states (assumption N6): a number says the same as its digits. */
export const mayBeNumber = z.union([decidingText, digits]).nullish();

/**
 * A field that informs and decides nothing: absent, where its type says nothing. It never makes what
 * comes with it unreadable.
 */
export const mayInform = mayBeNumber.catch(null).transform((text) => text ?? undefined);

/** Such fields by their names. */
export const foreseen = (...names: readonly string[]): Readonly<Record<string, typeof mayInform>> =>
  Object.fromEntries(names.map((name) => [name, mayInform]));

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
