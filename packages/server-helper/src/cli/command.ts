import type { EnvironmentOptions } from '../payments-from-env.ts';
import type { Environs } from '../options/environment.ts';
import type { Terminal } from './terminal.ts';

/** How a command ended: 0 all is well, 1 something was found. */
export type ExitCode = 0 | 1;

/** Options as they were typed. */
export type Values = Readonly<Record<string, string | boolean | undefined>>;

/** Where a person types; Node's stream, or a test's. */
export type Source = NodeJS.ReadableStream & { readonly isTTY?: boolean };

/** The options of the shop's `pay.config.ts`, which the shop itself hands to `paymentsFromEnv`. */
export type ShopConfig = EnvironmentOptions<unknown, never>;

/** The arguments and dependencies of a command. */
export interface Invocation {
  readonly words: readonly string[];
  readonly values: Values;
  readonly env: Environs;
  /** The folder that it works in. */
  readonly cwd: string;
  /** The options of the shop's `pay.config.ts`; absent without one. */
  readonly config?: ShopConfig | undefined;
  readonly terminal: Terminal;
  /** Absent where nobody can be asked. */
  readonly input?: Source | undefined;
}

/** One command. */
export interface Command {
  /** The options that only it knows, by whether they take a text. */
  readonly options: Readonly<Record<string, 'text' | 'flag'>>;
  /** Whether it works without a shop, so that no `pay.config.ts` is loaded. */
  readonly needsNoShop?: boolean;
  run(invocation: Invocation): Promise<ExitCode>;
}

/** An option's text, if it was given. */
export function textOf(values: Values, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

/** The command was used wrongly; the message says how to use it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** The command whose help to read; empty for the program's own. */
  readonly command: string;

  constructor(message: string, command = '') {
    super(message);
    this.command = command;
  }
}
