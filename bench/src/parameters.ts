import { oneOf, type ValuesOf, wholeNumber } from '../../scripts/long-run.ts';
import { storeNames, type StoreName } from './our-payments.ts';

const many = wholeNumber(1, 999_999_999, undefined);

/** The options of all measurements; each takes some of them and has its own usual values. */
export const options = {
  /** `--only` takes the parts of one measurement. */
  only: (parts: readonly string[] = []) => oneOf(parts),
  payments: () => many,
  rate: () => many,
  rounds: () => many,
  seconds: () => many,
  store: () => oneOf<StoreName>([...storeNames, 'MariaDB']),
};
export type Option = keyof typeof options;

/** What each option means. */
export const meanings: Readonly<Record<Option, string>> = {
  only: 'measures one part only',
  payments: 'payments on each store',
  rate: 'forged webhooks a second',
  rounds: 'rounds of the measurement',
  seconds: 'seconds of each measurement',
  store: `measures at one store only, ${storeNames.join(' or ')}, and engine at MariaDB`,
};

export type Parameters = Partial<
  ValuesOf<{ readonly [Name in Option]: ReturnType<(typeof options)[Name]> }>
>;
