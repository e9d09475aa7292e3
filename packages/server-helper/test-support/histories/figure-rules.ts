import { transactionKey } from '../../src/ids.ts';
import { takenOf } from '../../src/payments/document.ts';
import type { PaymentRecord } from '../../src/payments/record.ts';
import type { History, Store } from '../../src/stores/store.ts';
import { hold } from './hold.ts';

const DAY_MS = 86_400_000;
const ALL = { from: 0, to: Number.MAX_SAFE_INTEGER };
const NONE = { moved: [], created: [] };

/** An order at the end of a history. */
interface Ended {
  readonly record: PaymentRecord;
  readonly history: History;
}

/**
 * I21: the movements add up to the ledger, by kind and currency; the refunds of each day are those that
 * the log shows of that day, as an export of the refunds has them.
 */
export async function figuresHold(
  store: Pick<Store<unknown>, 'figures'>,
  orders: readonly Ended[],
): Promise<void> {
  const booked = orders.flatMap(({ record: { payment, ledger } }) =>
    ledger.flatMap((row) => [
      [`taken ${row.amount.currency}`, takenOf(payment, row)] as const,
      [`refunded ${row.amount.currency}`, row.refundedMinorUnits] as const,
    ]),
  );
  const [{ moved, created } = NONE] = await store.figures([ALL]);
  const shown = moved.map(
    ({ kind, currency, minorUnits }) => [`${kind} ${currency}`, minorUnits] as const,
  );
  const [wanted, found] = [sums(booked), sums(shown)];
  hold(wanted === found, 'I21: the movements add up to the ledger', [wanted, found, orders]);
  const counted = created.reduce((sum, { count }) => sum + count, 0);
  hold(counted === orders.length, 'I21: every payment was created once', [created, orders]);
  const refunds = orders.flatMap(({ history }) => refundsIn(history));
  for (const day of new Set(refunds.map(([of]) => of))) {
    const own = refunds.filter(([of]) => of === day).map(([, of, amount]) => [of, amount] as const);
    const span = { from: day * DAY_MS, to: (day + 1) * DAY_MS };
    const [{ moved: then } = NONE] = await store.figures([span]);
    const moves = then
      .filter(({ kind }) => kind === 'refunded')
      .map(({ currency, minorUnits }) => [currency, minorUnits] as const);
    hold(sums(own) === sums(moves), 'I21: refunds are of the day that shows them', [own, moves]);
  }
}

/** The refunds of an order's log: the day, the currency and the amount of each. */
function refundsIn({ log }: History): readonly (readonly [number, string, number])[] {
  const totals = new Map<string, number>();
  return log.flatMap((entry) => {
    if (entry.kind !== 'change') return [];
    return entry.change.ledger.map(({ transactionId, refundedMinorUnits: total, amount }) => {
      const key = transactionKey(transactionId);
      const more = total - (totals.get(key) ?? 0);
      totals.set(key, total);
      return [Math.floor(entry.at / DAY_MS), amount.currency, more] as const;
    });
  });
}

/** What there is of each name; nothing is left out as none. */
function sums(amounts: readonly (readonly [name: string, minorUnits: number])[]): string {
  const totals = new Map<string, number>();
  for (const [name, minorUnits] of amounts) {
    totals.set(name, (totals.get(name) ?? 0) + minorUnits);
  }
  const some = [...totals].filter(([, total]) => total !== 0);
  return JSON.stringify(some.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
