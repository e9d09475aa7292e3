import { everyPaymentState } from '../../payments/payment.ts';
import type { Movement, PaymentRecord } from '../../payments/payment-record.ts';
import type { FigureSpan, HeldMoney, SpanFigures } from '../figures.ts';
import { latestFirst } from '../payment-page.ts';

/** Adds up a span. */
export function figures(
  records: readonly PaymentRecord[],
  movements: readonly Movement[],
  { from, to }: FigureSpan,
): SpanFigures {
  const isIn = (time: number): boolean => time >= from && time < to;
  const own = movements.filter(({ recordedAt }) => isIn(recordedAt));
  const payments = records.map(({ payment }) => payment).filter(({ createdAt }) => isIn(createdAt));
  const alike = grouped(own, (one) => `${one.kind} ${one.currency} ${one.confirmMs}`);
  return {
    moved: alike.flatMap((group) => {
      const [first] = group;
      if (first === undefined) return [];
      const { kind, currency, confirmMs } = first;
      return { kind, currency, confirmMs, minorUnits: sumOf(group), count: group.length };
    }),
    created: everyPaymentState
      .map((state) => ({ state, count: payments.filter((one) => one.state === state).length }))
      .filter(({ count }) => count > 0),
  };
}

/** Adds up the oldest authorizations. */
export function heldMoney(records: readonly PaymentRecord[], limit: number): readonly HeldMoney[] {
  const oldest = records
    .map(({ payment }) => payment)
    .filter(({ state }) => state === 'authorized')
    .toSorted((a, b) => latestFirst(b, a))
    .slice(0, limit)
    .map(({ amount }) => amount);
  return grouped(oldest, ({ currency }) => currency).flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    return { currency: first.currency, minorUnits: sumOf(group), count: group.length };
  });
}

/** Values of the same key, together. */
function grouped<T>(values: readonly T[], keyOf: (value: T) => string): readonly (readonly T[])[] {
  const keys = [...new Set(values.map(keyOf))];
  return keys.map((key) => values.filter((value) => keyOf(value) === key));
}

const sumOf = (amounts: readonly { readonly minorUnits: number }[]): number =>
  amounts.reduce((sum, { minorUnits }) => sum + minorUnits, 0);
