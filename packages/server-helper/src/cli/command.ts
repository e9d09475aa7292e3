import type { EnvironmentOptions, Environs } from '../index.ts';
import { isDay } from '../days.ts';
import { Conversation, type Source, type Terminal } from './terminal.ts';

/** How a command ended: 0 all is well, 1 something was found. */
export type ExitCode = 0 | 1;

export type Values = Readonly<Record<string, string | boolean | undefined>>;

/** The options of the shop's `pay.config.ts`, which the shop itself hands to `paymentsFromEnv`. */
export type ShopConfig = EnvironmentOptions<unknown, never>;

export interface Invocation {
  readonly name: string;
  readonly words: readonly string[];
  readonly values: Values;
  readonly isJson: boolean;
  readonly env: Environs;
  readonly cwd: string;
  /** The options of the shop's `pay.config.ts`; absent without one. */
  readonly config?: ShopConfig | undefined;
  readonly terminal: Terminal;
  /** Absent where nobody can be asked. */
  readonly input?: Source | undefined;
}

export type Command = (invocation: Invocation) => Promise<ExitCode>;

export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Ends a command well: a line with a mark for a person, JSON for a program. */
export function done({ terminal, isJson }: Invocation, text: string, json: unknown): ExitCode {
  if (isJson) terminal.json(json);
  else terminal.line(`${terminal.paint('green', '✓')} ${text}`);
  return 0;
}

/** The only word of a command. @throws {@link UsageError} with `advice` for none and for more. */
export function onlyWord(words: readonly string[], advice: string): string {
  const [word, ...others] = words;
  if (word !== undefined && others.length === 0) return word;
  throw new UsageError(advice);
}

/** @throws {@link UsageError} with `advice` where a command that takes options alone was given words. */
export function noWords({ words }: Invocation, advice: string): void {
  if (words.length > 0) throw new UsageError(advice);
}

export function textOf(values: Values, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

/** The text of an option that must be given. @throws {@link UsageError} with `advice` without it. */
export function filledOf(values: Values, name: string, advice: string): string {
  const text = textOf(values, name)?.trim() ?? '';
  if (text === '') throw new UsageError(advice);
  return text;
}

/** An option that takes a whole number from 1. @throws {@link UsageError} for another text. */
export function wholeOf(values: Values, name: string, usual: number, most: number): number {
  const text = textOf(values, name);
  if (text === undefined) return usual;
  if (/^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= most) return Number(text);
  throw new UsageError(`--${name} takes a whole number of 1 to ${most}.`);
}

const MOMENT =
  /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/**
 * An option that takes a moment: a day, which begins in UTC, or ISO 8601 with a time zone.
 *
 * @throws {@link UsageError} for another text, such as a time without a zone.
 */
function momentOf(values: Values, name: string): number | undefined {
  const text = textOf(values, name);
  if (text === undefined) return undefined;
  const [, day] = MOMENT.exec(text) ?? [];
  const at = day === undefined || !isDay(day) ? Number.NaN : Date.parse(text);
  if (!Number.isNaN(at)) return at;
  throw new UsageError(
    `--${name} takes a day such as 2026-11-01, which begins in UTC, or a time with its zone, such as 2026-11-01T00:00:00+03:00.`,
  );
}

/** A span of time: from its first moment to before its end, in milliseconds since the epoch. */
export interface Span {
  readonly since: number;
  readonly until: number;
}

/** The span of `--since` and `--until`. @throws {@link UsageError} for one that ends before it begins. */
export function spanOf(values: Values): Span {
  const since = momentOf(values, 'since') ?? 0;
  const until = momentOf(values, 'until') ?? Number.MAX_SAFE_INTEGER;
  if (since < until) return { since, until };
  throw new UsageError('--since must be before --until, whose own moment is left out.');
}

/**
 * Asks a person whether to go on; only a typed yes is one. `--yes` goes on without asking.
 *
 * @throws {@link UsageError} where nobody can be asked and `--yes` is not given.
 */
export async function isConfirmed({ terminal, values, input }: Invocation, question: string) {
  if (values['yes'] === true) return true;
  if (input?.isTTY !== true) {
    throw new UsageError(
      'It asks a person first, and the input is no terminal. Add --yes to go on without asking.',
    );
  }
  const conversation = new Conversation(terminal, input);
  try {
    if (await conversation.agrees(question, 'n')) return true;
    terminal.error('Nothing was done.');
    return false;
  } finally {
    conversation.end();
  }
}
