import { transactionKey } from '../ids.ts';
import type { Money } from '../money.ts';
import { advance, type AuditEntry } from './document.ts';
import type { Attempt, AttemptKind, AttemptState } from './attempt.ts';
import type { StatusRow } from './answer.ts';
import {
  attemptOf,
  type Change,
  type LedgerKind,
  type LedgerRow,
  type Operation,
  type OperationKind,
  type PaymentRecord,
  type PaymentState,
  type ReviewReason,
} from './record.ts';

/**
 * The steps of an attempt: `requested` its link, sale or authorization was asked for · a state that
 * it entered · `withdrawn` the gateway no longer knows its session, so its link is not offered ·
 * `unwatched` it is not checked any more.
 */
export type AttemptStep =
  | 'requested'
  | Exclude<AttemptState, 'creating'>
  | 'withdrawn'
  | 'unwatched';

/** One thing that happened to an order's payment, without its time. */
export type TimelineFact =
  | {
      readonly kind: 'attempt';
      readonly attempt: number;
      readonly means: AttemptKind;
      readonly amount: Money;
      readonly step: AttemptStep;
    }
  /** A status answer of the gateway that changed something. */
  | { readonly kind: 'evidence'; readonly attempt: number; readonly rows: readonly StatusRow[] }
  /** The role of a transaction. */
  | {
      readonly kind: 'verdict';
      readonly attempt: number;
      readonly transactionId: string;
      readonly verdict: LedgerKind;
    }
  | (Pick<Operation, 'amount' | 'state' | 'reason' | 'requestedBy' | 'approvedBy'> & {
      readonly kind: 'operation';
      readonly operationId: string;
      readonly operation: OperationKind;
      /** Whether it was sent, or may have been; a proposal that failed was withdrawn. */
      readonly wasSent: boolean;
      /** The person who resolved it, where they said so. */
      readonly by: string | null;
    })
  /** A review, which is open while it has no resolution. */
  | {
      readonly kind: 'review';
      readonly reason: ReviewReason;
      readonly about: string;
      readonly resolution: string | null;
      readonly by: string | null;
    }
  | { readonly kind: 'payment'; readonly state: PaymentState; readonly amount: Money }
  /** The refunded total, as the gateway's status shows it. */
  | { readonly kind: 'refunded'; readonly total: Money }
  /** The merchant cancelled the order; `by` is the person, where they said so. */
  | { readonly kind: 'cancelled'; readonly by?: string }
  /** An event whose handler had failed too often is delivered again. */
  | { readonly kind: 'redelivered'; readonly eventId: string; readonly by?: string };

/** What a timeline says of an operation. */
export type OperationFact = Extract<TimelineFact, { readonly kind: 'operation' }>;

/** One entry of an order's timeline. {@link describeEntry} puts it into words. */
export type TimelineEntry = TimelineFact & {
  /** ISO 8601, UTC. */
  readonly at: string;
};

/** The kinds of entries. */
export type TimelineKind = TimelineEntry['kind'];

/** Reads the log of an order, oldest entry first. Evidence without an effect is left out. */
export function timelineOf(log: readonly AuditEntry[]): readonly TimelineEntry[] {
  const timeline: TimelineEntry[] = [];
  let record: PaymentRecord | null = null;
  for (const entry of log) {
    const at = new Date(entry.at).toISOString();
    timeline.push(...factsIn(record, entry).map((fact) => ({ at, ...fact })));
    record = advance(record, entry);
  }
  return timeline;
}

const factsIn = (before: PaymentRecord | null, entry: AuditEntry): readonly TimelineFact[] =>
  entry.kind === 'change'
    ? factsOf(before, entry.change)
    : [{ kind: 'redelivered', eventId: entry.eventId, ...named(entry.by) }];

/** The person, where there is one. */
const named = (by: string | null | undefined): { readonly by?: string } =>
  typeof by === 'string' ? { by } : {};

/** The entries of one change: its evidence first, then the effects. */
function factsOf(before: PaymentRecord | null, change: Change): readonly TimelineFact[] {
  const { because, attempts, ledger, operations, reviews } = change;
  const roleOf = ({ transactionId, kind }: LedgerRow) => `${kind} ${transactionKey(transactionId)}`;
  const roles = before?.ledger.map(roleOf);
  return [
    ...(because === undefined
      ? []
      : [{ kind: 'evidence', attempt: because.attemptNumber, rows: because.rows } as const]),
    ...attempts.flatMap((attempt) => attemptFacts(before, attempt, operations)),
    ...ledger
      .filter((row) => roles?.includes(roleOf(row)) !== true)
      .map(({ transactionId, kind: verdict, attemptNumber: attempt }) => {
        return { kind: 'verdict', attempt, transactionId, verdict } as const;
      }),
    ...operations.map(operationFact),
    ...reviews.map(({ reason, subject: about, resolution, resolvedBy: by }) => {
      return { kind: 'review', reason, about, resolution, by } as const;
    }),
    ...paymentFacts(before, change),
  ];
}

function attemptFacts(
  before: PaymentRecord | null,
  attempt: Attempt,
  operations: readonly Operation[],
): readonly TimelineFact[] {
  const { number, kind: means, amount } = attempt;
  const former = attemptOf(before, number);
  // A sale that was declined closes together with its operation.
  const isDeclined = operations.some(({ attemptNumber }) => attemptNumber === number);
  const step = stepOf(former, attempt, isDeclined);
  return step === null ? [] : [{ kind: 'attempt', attempt: number, means, amount, step }];
}

function stepOf(
  former: Attempt | undefined,
  { state, redirectUrl }: Attempt,
  isDeclined: boolean,
): AttemptStep | null {
  if (former === undefined || state === 'creating') return 'requested';
  if (former.state === 'open' && state === 'closed' && !isDeclined) return 'unwatched';
  if (former.state !== state) return state;
  return former.redirectUrl !== null && redirectUrl === null ? 'withdrawn' : null;
}

const operationFact = (one: Operation): TimelineFact => ({
  kind: 'operation',
  operationId: one.id,
  operation: one.kind,
  amount: one.amount,
  state: one.state,
  reason: one.reason,
  requestedBy: one.requestedBy,
  approvedBy: one.approvedBy,
  wasSent: one.sentAt !== null,
  by: one.resolvedBy,
});

function paymentFacts(before: PaymentRecord | null, change: Change): readonly TimelineFact[] {
  const { payment, cancelledBy } = change;
  const { state, amount, refundedMinorUnits, cancelled } = payment;
  const former = before?.payment;
  const facts: TimelineFact[] = [];
  if (former?.state !== state) facts.push({ kind: 'payment', state, amount });
  if (former !== undefined && former.refundedMinorUnits !== refundedMinorUnits) {
    facts.push({ kind: 'refunded', total: { ...amount, minorUnits: refundedMinorUnits } });
  }
  if (cancelled && former?.cancelled !== true) {
    facts.push({ kind: 'cancelled', ...named(cancelledBy) });
  }
  return facts;
}
