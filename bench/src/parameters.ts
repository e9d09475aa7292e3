import { oneOf, type ValuesOf, wholeNumber } from '../../scripts/long-run.ts';
import { storeNames, type StoreName } from './our-payments.ts';

const many = wholeNumber(1, 999_999_999, undefined);

/** The options of all measurements; each takes some of them and has its own usual values. */
export const options = {
  /** Takes the parts of one measurement. */
  only: { means: 'measures one part only', read: (parts: readonly string[] = []) => oneOf(parts) },
  payments: { means: 'payments on each store', read: () => many },
  rate: { means: 'forged webhooks a second', read: () => many },
  rounds: { means: 'rounds of the measurement', read: () => many },
  seconds: { means: 'seconds of each measurement', read: () => many },
  store: {
    means: `measures at one store only, ${storeNames.join(' or ')}, and engine at MariaDB`,
    read: () => oneOf<StoreName>([...storeNames, 'MariaDB']),
  },
};
export type Option = keyof typeof options;

export type Parameters = Partial<
  ValuesOf<{ readonly [Name in Option]: ReturnType<(typeof options)[Name]['read']> }>
>;

/** Says how far a measurement is. */
export type Tell = (text: string) => void;
