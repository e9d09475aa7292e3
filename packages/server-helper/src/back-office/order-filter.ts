import type { PaymentQuery } from '../flows/list-payments.ts';
import { isDay, nextDay, startOfDay } from '../flows/figures.ts';
import { everyPaymentState, type PaymentState } from '../payments/record.ts';
import type { Fields, Visit } from './office.ts';
import { typedAmount } from './typed-amount.ts';

/** What the list of orders is narrowed to, as the address holds it. */
export interface OrderFilter {
  readonly search: string;
  readonly state: PaymentState | '';
  /** As it was typed. */
  readonly amount: string;
  /** Days in the office's time zone, both included. */
  readonly from: string;
  readonly to: string;
  /** What could not be read, and narrows nothing. */
  readonly mistakes: readonly ('day' | 'amount')[];
}

const isState = (text: string): text is PaymentState =>
  everyPaymentState.some((state) => state === text);

const MAX_SEARCH_LENGTH = 200;

/** Reads the filter of an address. */
export function readFilter({ query }: Visit): OrderFilter {
  const { q = '', state = '', amount = '', from = '', to = '' } = query;
  const areDays = [from, to].every((day) => day === '' || isDay(day));
  const isSpan = areDays && (from === '' || to === '' || from <= to);
  const isAmount = amount.trim() === '' || typedAmount(amount) !== null;
  return {
    search: q
      .replaceAll(/\p{Cc}/gu, ' ')
      .trim()
      .slice(0, MAX_SEARCH_LENGTH),
    state: isState(state) ? state : '',
    amount: amount.trim(),
    ...(isSpan ? { from, to } : { from: '', to: '' }),
    mistakes: [...(isSpan ? [] : ['day' as const]), ...(isAmount ? [] : ['amount' as const])],
  };
}

/** The filter in an address. */
export const filterFields = ({ search, state, amount, from, to }: OrderFilter): Fields => ({
  q: search,
  state,
  amount,
  from,
  to,
});

/** The filter as `payments.list` takes it. */
export function queryOf(
  { search, state, amount, from, to }: OrderFilter,
  timeZone: string,
): Pick<PaymentQuery, 'search' | 'amount' | 'state' | 'since' | 'until'> {
  return {
    ...(search === '' ? {} : { search }),
    amount: typedAmount(amount) ?? undefined,
    ...(state === '' ? {} : { state }),
    ...(from === '' ? {} : { since: new Date(startOfDay(from, timeZone)) }),
    ...(to === '' ? {} : { until: new Date(startOfDay(nextDay(to), timeZone)) }),
  };
}
