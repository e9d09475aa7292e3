import type { LedgerEntry } from './money/ledger.ts';
import type { Session } from './session/session.ts';
import type { Transaction } from './transaction/transaction.ts';
import { eventOf } from './webhooks/gateway-event.ts';
import type { GatewayEvent } from './webhooks/gateway-event.ts';

/** Something that happened to the tenant's resources, for the timeline and for `advance`. */
export interface Happening {
  /** Epoch milliseconds of the sandbox clock. */
  readonly at: number;
  readonly kind:
    | 'session-created'
    | 'session-paid'
    | 'session-expired'
    | 'transaction-pending'
    | 'transaction-declined'
    | 'transaction-authorized'
    | 'transaction-captured'
    | 'transaction-voided'
    | 'capture-declined'
    | 'refund-accepted'
    | 'refund-settled'
    | 'refund-failed'
    | 'challenge-opened'
    | 'challenge-timed-out'
    | 'token-revoked'
    | 'webhook-due'
    | 'webhook-delivered'
    | 'webhook-failed'
    | 'clock-changed'
    | 'snapshot-restored';
  /**
   * The session's, transaction's, ledger entry's or challenge's id; a clock's change bears what it
   * does now.
   */
  readonly id: string;
}

/** An event that webhooks report. */
export interface WebhookEffect {
  readonly at: number;
  readonly kind: 'webhook-event';
  readonly id: string;
  readonly event: GatewayEvent;
}

/** The effects of a command besides its reply, in the order of time. */
export type Effect = Happening | WebhookEffect;

/** An event to report is not a happening of its own; the deliveries of it are. */
export function isHappening(effect: Effect): effect is Happening {
  return effect.kind !== 'webhook-event';
}

/**
 * The effects between two versions of a transaction. Every effect follows from an entry that is new
 * or has ended, so no webhook reports money that the ledger does not hold.
 */
export function effectsOfChange(
  session: Session,
  before: Transaction | null,
  after: Transaction,
  at: number,
): Effect[] {
  return after.entries.flatMap((entry): Effect[] => {
    const known = before?.entries.find(({ id }) => id === entry.id);
    if (known?.result === entry.result) return [];
    const event = eventOf(session, after, entry);
    const happened: Happening = { at, ...happeningOf(session, after, entry) };
    return event === null
      ? [happened]
      : [happened, { at, kind: 'webhook-event', id: event.id, event }];
  });
}

function happeningOf(
  session: Session,
  transaction: Transaction,
  entry: LedgerEntry,
): Pick<Happening, 'kind' | 'id'> {
  switch (entry.kind) {
    case 'purchase':
    case 'authorization':
      return paymentHappening(session, transaction, entry);
    case 'capture':
      return entry.result === 'done'
        ? { kind: 'transaction-captured', id: transaction.id }
        : { kind: 'capture-declined', id: transaction.id };
    case 'void':
      return { kind: 'transaction-voided', id: transaction.id };
    case 'refund':
      return { kind: refundKinds[entry.result], id: entry.id };
  }
}

const refundKinds = {
  pending: 'refund-accepted',
  done: 'refund-settled',
  failed: 'refund-failed',
} as const;

function paymentHappening(
  session: Session,
  { id, challenge, responseCode }: Transaction,
  { kind, result }: LedgerEntry,
): Pick<Happening, 'kind' | 'id'> {
  switch (result) {
    case 'pending':
      return challenge === null
        ? { kind: 'transaction-pending', id }
        : { kind: 'challenge-opened', id: challenge.id };
    case 'done':
      return kind === 'purchase'
        ? { kind: 'session-paid', id: session.id }
        : { kind: 'transaction-authorized', id };
    case 'failed':
      return responseCode === '3T' && challenge !== null
        ? { kind: 'challenge-timed-out', id: challenge.id }
        : { kind: 'transaction-declined', id };
  }
}
