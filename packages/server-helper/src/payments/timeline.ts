import { formatAmount, type Money } from '../money.ts';
import { advance, type AuditEntry } from './audit.ts';
import type { Attempt } from './attempt.ts';
import type { StatusRow } from './evidence.ts';
import type { Change, LedgerKind, PaymentRecord } from './payment-record.ts';

/** What one entry of a story is about. */
export type TimelineKind = 'attempt' | 'evidence' | 'verdict' | 'operation' | 'review' | 'payment';

/** One thing that happened to an order's payment. */
export interface TimelineEntry {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly kind: TimelineKind;
  /** A sentence for an operator. */
  readonly text: string;
  /** What the gateway said, of `evidence`. */
  readonly rows?: readonly StatusRow[];
}

/** Tells an order's log, oldest first. Evidence that changed nothing is not in it. */
export function timelineOf(log: readonly AuditEntry[]): readonly TimelineEntry[] {
  const story: TimelineEntry[] = [];
  let record: PaymentRecord | null = null;
  for (const entry of log) {
    const { at } = entry;
    if (entry.kind === 'closed') {
      const what = `Attempt ${entry.attemptNumber} is watched no more.`;
      story.push({ at, kind: 'attempt', text: what });
    } else {
      story.push(...entriesOf(record, entry.change).map((told) => ({ at, ...told })));
    }
    record = advance(record, entry);
  }
  return story;
}

type Told = Omit<TimelineEntry, 'at'>;

const text = ({ minorUnits, currency }: Money): string => `${formatAmount(minorUnits)} ${currency}`;

/** What one change says, evidence first and the payment's new state last. */
function entriesOf(before: PaymentRecord | null, change: Change): readonly Told[] {
  const told: Told[] = [];
  const { because, payment } = change;
  if (because !== undefined) {
    const { rows } = because;
    const what = `The gateway was asked about attempt ${because.attemptNumber} and told ${rows.length} transaction(s).`;
    told.push({ kind: 'evidence', text: what, rows });
  }
  for (const attempt of change.attempts) told.push(...attemptEntries(before, attempt));
  for (const { transactionId, kind, attemptNumber } of change.ledger) {
    if (before?.ledger.some((row) => row.transactionId === transactionId) === true) continue;
    const what = `Transaction ${transactionId} of attempt ${attemptNumber} is ${verdicts[kind]}.`;
    told.push({ kind: 'verdict', text: what });
  }
  for (const { id, kind, state, amount, reason } of change.operations) {
    const why = reason === null ? '' : ` (${reason})`;
    told.push({
      kind: 'operation',
      text: `The ${kind} ${id} of ${text(amount)} is ${state}${why}.`,
    });
  }
  for (const { reason, subject, resolution } of change.reviews) {
    const what =
      resolution === null
        ? `A person must look: ${reason}, about ${subject}.`
        : `Resolved: ${reason}, about ${subject} (${resolution}).`;
    told.push({ kind: 'review', text: what });
  }
  const former = before?.payment;
  if (former?.state !== payment.state) {
    told.push({
      kind: 'payment',
      text: `The payment of ${text(payment.amount)} is ${payment.state}.`,
    });
  }
  if (former !== undefined && former.refundedMinorUnits !== payment.refundedMinorUnits) {
    const refunded = { ...payment.amount, minorUnits: payment.refundedMinorUnits };
    told.push({ kind: 'payment', text: `Refunded so far: ${text(refunded)}.` });
  }
  if (payment.cancelled && former?.cancelled !== true) {
    told.push({ kind: 'payment', text: 'The merchant gave the order up.' });
  }
  return told;
}

const verdicts: Readonly<Record<LedgerKind, string>> = {
  payment: 'what the order is paid by',
  late: 'money that came late',
  duplicate: 'a duplicate charge',
  discrepancy: 'in doubt',
};

const means = {
  link: 'a payment link',
  sale: 'a sale',
  authorization: 'an authorization',
} as const;

function attemptEntries(before: PaymentRecord | null, attempt: Attempt): readonly Told[] {
  const { number, kind, state, amount, redirectUrl } = attempt;
  const former = before?.attempts.find((one) => one.number === number);
  if (former === undefined) {
    const what = `Attempt ${number}, ${means[kind]} of ${text(amount)}, was asked for.`;
    return [{ kind: 'attempt', text: what }];
  }
  if (former.state !== state) {
    return [{ kind: 'attempt', text: `Attempt ${number} is ${state}.` }];
  }
  const isWithdrawn = former.redirectUrl !== null && redirectUrl === null;
  return isWithdrawn
    ? [{ kind: 'attempt', text: `Attempt ${number} is offered no more: the gateway lost it.` }]
    : [];
}
