import type { EntryKind, LedgerEntry } from '../money/ledger.ts';
import type { Environment, Session } from '../session/session.ts';
import type { TestCard } from '../transaction/cards.ts';
import { usualWebhook } from '../transaction/outcome.ts';
import type { WebhookPlan } from '../transaction/outcome.ts';
import { tokenOf } from '../transaction/transaction.ts';
import type { Transaction } from '../transaction/transaction.ts';

/** N13. */
export type EventType = 'Purchase' | 'Authorization' | 'Capture' | 'Refund' | 'Void';
/** N13. */
export type EventStatus = 'Approved' | 'Declined' | 'Pending' | 'Redirect';

/** What webhooks report of one ledger entry, with all that N13's payload needs. */
export interface GatewayEvent {
  /** The same for every delivery of it. */
  readonly id: string;
  readonly type: EventType;
  readonly status: EventStatus;
  readonly environment: Environment;
  /** Null for a sale and a recurring charge, which have no checkout session. */
  readonly sessionId: string | null;
  /** With the policy `sameId` the wire shows the session's id in its place. */
  readonly transactionId: string;
  /** The ledger entry that it reports. */
  readonly entryId: string;
  readonly merchantOrderId: string;
  /** Of a refund: the amount of this refund. */
  readonly amountMinor: number;
  /** ISO 4217 letters. */
  readonly currency: string;
  readonly card: Pick<TestCard, 'firstSix' | 'lastFour' | 'scheme'>;
  readonly rrn: string;
  readonly reason: string | null;
  /** Only in the approval of a payment that asked for one (N10). */
  readonly recurringToken: string | null;
  readonly createdAt: number;
  /** Null while it is pending. */
  readonly finishedAt: number | null;
  readonly plan: WebhookPlan;
}

const types: Readonly<Record<EntryKind, EventType>> = {
  purchase: 'Purchase',
  authorization: 'Authorization',
  capture: 'Capture',
  refund: 'Refund',
  void: 'Void',
};

/** The event that reports an entry, or null where none is sent. */
export function eventOf(
  session: Session,
  transaction: Transaction,
  entry: LedgerEntry,
): GatewayEvent | null {
  const status = statusOf(transaction, entry);
  if (status === null) return null;
  const isPayment = entry.kind === 'purchase' || entry.kind === 'authorization';
  return {
    id: `${entry.id}.${status.toLowerCase()}`,
    type: types[entry.kind],
    status,
    environment: session.environment,
    sessionId: session.kind === 'link' ? session.id : null,
    transactionId: transaction.id,
    entryId: entry.id,
    merchantOrderId: session.merchantOrderId,
    amountMinor: entry.amountMinor,
    currency: session.currency,
    card: transaction.card,
    rrn: transaction.rrn,
    reason: entry.reason,
    recurringToken: isPayment && entry.result === 'done' ? tokenOf(transaction) : null,
    createdAt: entry.createdAt,
    finishedAt: entry.finishedAt,
    plan: isPayment && entry.result !== 'pending' ? transaction.sideEffects.webhook : usualWebhook,
  };
}

/**
 * A challenge on the hosted page is between the gateway and the shopper. A sale's challenge
 * is reported, because the merchant has to show its page.
 */
function statusOf(transaction: Transaction, entry: LedgerEntry): EventStatus | null {
  if (entry.result === 'done') return 'Approved';
  if (entry.result === 'failed') return 'Declined';
  if (entry.kind === 'refund') return null;
  if (transaction.challenge === null) return 'Pending';
  return transaction.method === 'sale' ? 'Redirect' : null;
}
