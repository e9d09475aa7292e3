import { transactionId, type TransactionId } from '../ids.ts';
import type { Money } from '../money.ts';
import { allows, isKnown, type Answer } from './answer.ts';
import type { Attempt } from './attempt.ts';
import { spelling, statusRow } from './evidence.ts';
import { decideUnpaid, endSilence } from './end-unpaid.ts';
import { judge, type Verdict } from './judge.ts';
import { withdrawLink } from './link-decision.ts';
import { reviewUnproven } from './operation-outcome.ts';
import type { Change, PaymentRecord } from './payment-record.ts';
import { transition } from './transition.ts';

/** Facts besides the record and the answer. */
export interface StatusFacts {
  /** Transactions of other orders, with those orders. */
  readonly boundElsewhere?: ReadonlyMap<TransactionId, string>;
  /** The order's price now; `null` for no such order, absent where the merchant was not asked. */
  readonly price?: Money | null | undefined;
  /** Whether the gateway's page takes another card after a failed one. @defaultValue `payable` */
  readonly afterFailure?: 'payable' | 'closed' | undefined;
}

/** Judges the rows of a status answer, and says what the verdict changes. */
export function decideByEvidence(
  record: PaymentRecord,
  attempt: Attempt,
  answer: Answer,
  now: number,
  { boundElsewhere = new Map(), price }: StatusFacts = {},
): { readonly verdict: Verdict; readonly change: Change | null } {
  const { unattributed, unreadableIds } = answer;
  const { isFull } = allows[answer.kind];
  const { ledger, reviews } = record;
  const spell = spelling(transactionsOf(record));
  const rows = answer.rows.map((row) => ({ ...row, transactionId: spell(row.transactionId) }));
  const verdict = judge({ attempt, rows, isFull, ledger, reviews, unattributed, boundElsewhere });
  const read = { ...answer, rows, unreadableIds: unreadableIds.map(spell) };
  const change = transition(record, attempt, verdict, now, read, price);
  if (change === null) return { verdict, change };
  const because = { attemptNumber: attempt.number, rows: answer.rows.map(statusRow) };
  return { verdict, change: { ...change, because } };
}

/** The transactions that the record names, where the oldest spelling counts. */
function transactionsOf({ ledger, attempts, operations, reviews }: PaymentRecord) {
  return [
    ...ledger.map((row) => row.transactionId),
    ...[...attempts, ...operations].flatMap((one) => one.transactionId ?? []),
    ...reviews.map(({ subject }) => transactionId(subject)),
  ];
}

/**
 * Decides what a status answer changes: by its evidence, else by what it does not show for too long. An
 * operation that no answer proves in time needs a person.
 *
 * @returns `null` when nothing changes.
 */
export function decideStatus(
  record: PaymentRecord,
  attempt: Attempt,
  answer: Answer,
  now: number,
  facts: StatusFacts = {},
): Change | null {
  const shown = isKnown(answer) ? decideByRows(record, attempt, answer, now, facts) : undefined;
  const decided = shown === undefined ? decideUnpaid(record, attempt, answer, now) : shown;
  const change = decided ?? reviewUnproven(record, attempt.number, now);
  return endSilence(record, attempt, answer, change, now);
}

/** @returns `undefined` where the rows decide nothing. */
function decideByRows(
  record: PaymentRecord,
  attempt: Attempt,
  answer: Answer,
  now: number,
  facts: StatusFacts,
): Change | null | undefined {
  const { verdict, change: judged } = decideByEvidence(record, attempt, answer, now, facts);
  // A page that takes no more cards would stay on offer until it expires, and the order unpaid.
  const isDead =
    facts.afterFailure === 'closed' && verdict.kind === 'failed' && answer.kind === 'whole';
  const change = isDead ? withdrawLink(record, attempt, now, judged) : judged;
  return change ?? (verdict.kind === 'money' ? null : undefined);
}

/**
 * Whether a change makes its order paid, or holds its money. The merchant is asked for the price before
 * such a change is committed.
 */
export const paysOrder = (change: Change | null): boolean =>
  change?.events.some(({ type }) => type === 'paid' || type === 'authorized') === true;
