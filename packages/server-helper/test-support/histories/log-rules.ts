import { transactionKey } from '../../src/ids.ts';
import { advance, replay, unwatched } from '../../src/payments/document.ts';
import type {
  Change,
  PaymentEvent,
  PaymentRecord,
  PaymentState,
  ReviewItem,
} from '../../src/payments/record.ts';
import type { History } from '../../src/stores/store.ts';
import { wordsOf } from '../simulated-answers.ts';
import { ACCEPTED } from './action.ts';
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
