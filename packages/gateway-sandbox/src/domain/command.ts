import type { Effect } from './effect.ts';
import type { Tenant } from './state.ts';

/** Randomness, as a parameter. */
export interface Randomness {
  uuid(): string;
  digits(count: number): string;
}

/** The randomness of one occasion; the same occasion draws the same values. */
export type Chance = (occasion: number | string) => Randomness;

/** The context of a command's handler besides the tenant. */
export interface Moment {
  /** The machine's clock; only the tenant's clock setting is computed from it. */
  readonly realNow: number;
  /** The tenant's clock, before the command. */
  readonly now: number;
  readonly random: Randomness;
  /** For the timers that the command fires; a handler itself draws from `random`. */
  readonly chance: Chance;
}

/** The result of a handler: the tenant afterwards, the reply, and the effects. */
export interface Step<Reply> {
  readonly tenant: Tenant;
  readonly reply: Reply;
  readonly effects: readonly Effect[];
}

export function respond<const Reply>(
  tenant: Tenant,
  reply: Reply,
  effects: readonly Effect[] = [],
): Step<Reply> {
  return { tenant, reply, effects };
}
