import { transactionKey } from '../../src/ids.ts';
import { advance, replay, takenOf, unwatched } from '../../src/payments/document.ts';
import type {
  Change,
  PaymentEvent,
  PaymentRecord,
  PaymentState,
  ReviewItem,
} from '../../src/payments/record.ts';
import type { History, Store } from '../../src/stores/store.ts';
import { DAY_MS } from '../durations.ts';
import { wordsOf } from '../simulated-answers.ts';
import { ACCEPTED } from './history.ts';
import { hold } from './hold.ts';

/** I16: the log gives the record. Rows of one moment may come in another order than they did. */
export function logHolds(record: PaymentRecord | null, { log }: History): void {
  const kept = record && { ...record, attempts: record.attempts.map(unwatched) };
  const [built, stored] = [linesOf(replay(log)), linesOf(kept)];
  hold(built === stored, 'I16: the log gives the record', [built, stored]);
}

const byEvidenceOnly: ReadonlySet<PaymentState> = new Set([
  'paid',
  'paid_late',
  'partially_refunded',
  'refunded',
]);

/** I12: only the gateway's own word makes a payment paid or refunded; never an error, or nothing. */
export function wordsHold({ log }: History, said: ReadonlySet<string>): void {
  let record: PaymentRecord | null = null;
  for (const entry of log) {
    const before: PaymentState = record?.payment.state ?? 'unpaid';
    record = advance(record, entry);
    if (entry.kind !== 'change') continue;
    isFounded(before, entry.change);
    const rows = entry.change.because?.rows ?? [];
    const wasSaid = rows.every((row) => said.has(wordsOf(row)));
    hold(wasSaid, 'I12: evidence is what the gateway said', rows);
  }
}

/** Whether a person accepted a transaction, which may be of another amount than the order's. */
export const isAccepted = (reviews: readonly ReviewItem[], transaction: string | null): boolean =>
  reviews.some(({ subject, resolution }) => subject === transaction && resolution === ACCEPTED);

function isFounded(before: PaymentState, { payment, reviews, because }: Change): void {
  if (payment.state === before || !byEvidenceOnly.has(payment.state)) return;
  // The evidence came before, with the review that a person has ended.
  if (isAccepted(reviews, payment.transactionId)) return;
  // An amount that is only held came by the sale's own answer, since no status may tell it.
  if (payment.capturedMinorUnits === 0) return;
  const isSaid = because?.rows.some(
    ({ transactionId, transactionStatus, paymentStatus }) =>
      transactionKey(transactionId) === transactionKey(payment.transactionId ?? '') &&
      transactionStatus === 'SUCCESS' &&
      paymentStatus === 'APPROVED',
  );
  hold(isSaid === true, 'I12: only evidence pays or refunds', [before, payment, because]);
}

/** I17: an order's events have ids of their own, and reach their handlers as they happened. */
export function deliveriesHold(delivered: readonly PaymentEvent[], { log }: History): void {
  const ids = log.flatMap((entry) =>
    entry.kind === 'change' ? entry.change.events.map(({ id }) => id) : [],
  );
  hold(new Set(ids).size === ids.length, 'I17: no two happenings share an id', ids);
  const places = delivered.map(({ id }) => ids.indexOf(id));
  const isInOrder = places.every((place, index) => place >= (places[index - 1] ?? 0));
  hold(isInOrder, 'I17: no event overtakes an earlier one of its order', delivered);
}

/** I14: nothing of a card or of a customer is kept or logged. */
export function secretsHold(kept: unknown, secrets: readonly string[]): void {
  const text = JSON.stringify(kept);
  const found = secrets.filter((secret) => text.includes(secret));
  hold(found.length === 0, 'I14: no secret is kept', found);
}

function linesOf(record: PaymentRecord | null): string {
  if (record === null) return '';
  const { attempts, ledger, reviews, operations } = record;
  // The version counts changes of times too.
  const payment = { ...record.payment, version: 0 };
  const rows = [payment, ...attempts, ...ledger, ...reviews, ...operations];
  const lines = rows.map((row) => JSON.stringify(Object.entries(row).toSorted(byName)));
  return lines.toSorted().join('\n');
}

const byName = ([left]: [string, unknown], [right]: [string, unknown]): number =>
  left < right ? -1 : 1;

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
  for (const [name, minorUnits] of amounts) totals.set(name, (totals.get(name) ?? 0) + minorUnits);
  const some = [...totals].filter(([, total]) => total !== 0);
  return JSON.stringify(some.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
