import { localDays } from '../days.ts';
import { type Currency, decimalOf, type Money } from '../money.ts';
import { hasMoney, type PaymentState } from '../payments/record.ts';
import { MAX_COUNTED, type SpanFigures } from '../stores/store.ts';
import type { FlowContext } from './flow-context.ts';
import { askStore } from './waiting.ts';

/** The span of `payments.figures`, in days of a time zone. */
export interface FiguresQuery {
  /** The first day: `"2026-11-01"`. */
  readonly since: string;
  /** The day after the last one. At most 366 days after `since`. */
  readonly until: string;
  /** The IANA name of the time zone whose days these are. @defaultValue `"Asia/Riyadh"` */
  readonly timeZone?: string | undefined;
}

/** Money in one currency: decimal strings with two decimals. */
export interface MoneyFigures {
  readonly currency: Currency;
  /** Recorded as taken then: by a payment, a capture, a charge, late, twice, or in review. */
  readonly taken: string;
  /** Recorded as refunded then, whenever it was taken; on the gateway's dashboard too. */
  readonly refunded: string;
}

/** The figures of one day, or of all. */
export interface SumFigures {
  /** By currency, in the order of their codes; those in which nothing moved are left out. */
  readonly money: readonly MoneyFigures[];
  /** Payments that were created then, by how they stand now. */
  readonly created: {
    readonly all: number;
    /** With money, also if it was held, released or refunded since. */
    readonly succeeded: number;
    /** Declined, or expired unpaid. */
    readonly failed: number;
    /** Waiting for the shopper, or for a person's review. */
    readonly open: number;
  };
  /** Succeeded ÷ (succeeded + failed), 0 to 1; `null` where none has ended. */
  readonly successRate: number | null;
  /**
   * Of payments that were confirmed then: the time from the payment link to the recorded payment, which
   * includes the shopper's own. Rounded up to two digits.
   */
  readonly timeToConfirm: {
    readonly count: number;
    readonly medianMs: number | null;
    /** Nineteen of twenty took no longer. */
    readonly p95Ms: number | null;
  };
}

/** The figures of one day. */
export interface DayFigures extends SumFigures {
  /** Such as `2026-11-01`. */
  readonly day: string;
}

/** What `payments.figures` answers. */
export interface Figures {
  readonly timeZone: string;
  /** Oldest first, each day of the span. */
  readonly days: readonly DayFigures[];
  readonly total: SumFigures;
  /** Authorizations that are held at this moment, whenever they were made: the oldest 1,000. */
  readonly held: readonly {
    readonly currency: Currency;
    readonly amount: string;
    readonly payments: number;
  }[];
}

/** Adds up a span by days. */
export async function figuresOf<Tx>(
  { store }: FlowContext<Tx>,
  { since, until, timeZone = 'Asia/Riyadh' }: FiguresQuery,
): Promise<Figures> {
  const asked = localDays(since, until, timeZone);
  const all = await askStore(() => store.figures(asked));
  const held = await askStore(() => store.list({ of: 'held money', limit: MAX_COUNTED }));
  return {
    timeZone,
    days: all.map((one, index) => ({ day: asked[index]?.day ?? '', ...sumOf([one]) })),
    total: sumOf(all),
    held: heldOf(held.map(({ payment }) => payment.amount)),
  };
}

const currenciesOf = (all: readonly { readonly currency: Currency }[]): readonly Currency[] =>
  [...new Set(all.map(({ currency }) => currency))].toSorted();

function heldOf(amounts: readonly Money[]): Figures['held'] {
  return currenciesOf(amounts).map((currency) => {
    const own = amounts.filter((one) => one.currency === currency);
    const sum = own.reduce((total, { minorUnits }) => total + minorUnits, 0);
    return { currency, amount: decimalOf(sum), payments: own.length };
  });
}

function sumOf(figures: readonly SpanFigures[]): SumFigures {
  const moved = figures.flatMap((one) => one.moved);
  const created = figures.flatMap((one) => one.created);
  const money = currenciesOf(moved).map((currency) => {
    const sum = (kind: 'taken' | 'refunded'): number =>
      moved
        .filter((one) => one.kind === kind && one.currency === currency)
        .reduce((total, { minorUnits }) => total + minorUnits, 0);
    return { currency, taken: signed(sum('taken')), refunded: signed(sum('refunded')) };
  });
  const counted = (isWanted: (state: PaymentState) => boolean): number =>
    created.filter(({ state }) => isWanted(state)).reduce((total, { count }) => total + count, 0);
  const succeeded = counted(hasMoney);
  const failed = counted((state) => state === 'failed' || state === 'expired');
  const all = counted(() => true);
  return {
    money,
    created: { all, succeeded, failed, open: all - succeeded - failed },
    successRate: succeeded + failed === 0 ? null : succeeded / (succeeded + failed),
    timeToConfirm: timesOf(moved),
  };
}

/** Money that was taken to be paid and turned out to be held makes a day less than nothing. */
const signed = (minorUnits: number): string =>
  `${minorUnits < 0 ? '-' : ''}${decimalOf(Math.abs(minorUnits))}`;

function timesOf(moved: SpanFigures['moved']): SumFigures['timeToConfirm'] {
  const times = moved
    .flatMap(({ confirmMs, count }) => (confirmMs === null ? [] : [{ confirmMs, count }]))
    .toSorted((a, b) => a.confirmMs - b.confirmMs);
  const count = times.reduce((total, one) => total + one.count, 0);
  const withinShare = (share: number): number | null => {
    let left = Math.ceil(count * share);
    for (const one of times) {
      left -= one.count;
      if (left <= 0) return one.confirmMs;
    }
    return null;
  };
  return { count, medianMs: withinShare(0.5), p95Ms: withinShare(0.95) };
}
