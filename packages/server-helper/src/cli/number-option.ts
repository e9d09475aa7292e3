import { textOf, UsageError, type Values } from './command.ts';

interface Rule {
  readonly name: string;
  readonly usual: number;
  readonly most: number;
  readonly command: string;
}

/** An option that takes a whole number from 1. @throws {@link UsageError} for another text. */
export function wholeOption(values: Values, { name, usual, most, command }: Rule): number {
  const text = textOf(values, name);
  if (text === undefined) return usual;
  if (/^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= most) return Number(text);
  throw new UsageError(`--${name} takes a whole number of 1 to ${most}.`, command);
}
