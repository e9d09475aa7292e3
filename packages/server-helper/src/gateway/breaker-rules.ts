import { ConfigurationError } from '../errors.ts';

/** When a breaker opens, and for how long. */
export interface BreakerOptions {
  /** Failures in a row, sends counted, before it opens. @defaultValue `20` */
  readonly failures?: number | undefined;
  /** For how long they must have gone on, in milliseconds. @defaultValue `10_000` */
  readonly streakMs?: number | undefined;
  /** How often one call is let through while it is open, in milliseconds. @defaultValue `2_000` */
  readonly coolDownMs?: number | undefined;
}

/** Options that were checked and filled in. */
export type BreakerRules = { readonly [Name in keyof BreakerOptions]-?: number };

/** What each option may be, and what it is when it is left out. */
const ranges: {
  readonly [Name in keyof BreakerRules]: { usual: number; least: number; most: number };
} = {
  failures: { usual: 20, least: 1, most: 1_000_000 },
  streakMs: { usual: 10_000, least: 0, most: 86_400_000 },
  // Longer, and the gateway could be back for a while without anyone knowing.
  coolDownMs: { usual: 2_000, least: 1, most: 10_000 },
};

/**
 * Checks the option `breaker` once, at start; `null` when it is off.
 *
 * @throws {@link ConfigurationError} `invalid_breaker`.
 */
export function readBreaker(given: false | BreakerOptions = {}): BreakerRules | null {
  if (given === false) return null;
  const isObject = typeof given === 'object' && given !== null;
  const isKnown = isObject && Object.keys(given).every((name) => Object.hasOwn(ranges, name));
  if (!isKnown)
    throw invalid('is neither false nor an object of failures, streakMs and coolDownMs');
  const read = (name: keyof BreakerRules): number => {
    const { usual, least, most } = ranges[name];
    const value = given[name] ?? usual;
    if (Number.isInteger(value) && value >= least && value <= most) return value;
    throw invalid(`must have a whole number of ${least} to ${most} as ${name}`);
  };
  return { failures: read('failures'), streakMs: read('streakMs'), coolDownMs: read('coolDownMs') };
}

const invalid = (why: string): ConfigurationError =>
  new ConfigurationError('invalid_breaker', {
    setting: 'gateway.breaker',
    what: `The option breaker ${why}.`,
    why: 'It keeps calls from a gateway that fails again and again.',
    fix: 'Leave it out, or give false or whole numbers in these ranges.',
  });
