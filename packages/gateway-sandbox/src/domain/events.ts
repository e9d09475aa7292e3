import { noSideEffects } from './outcome.ts';
import { tokenOf, type EntryKind, type LedgerEntry, type Transaction } from './transaction.ts';

/** Something that happened to the tenant's resources, for the timeline and for `advance`. */
export interface Happening {
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
  /** The id of its subject; a clock's change bears what the clock does now. */
  readonly id: string;
}

interface WebhookEffect {
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

/** What the newest change of a ledger entry means, in the words of the timeline. */
export function happeningOf(
  { id, session, challenge, responseCode }: Transaction,
  { kind, result, id: entryId }: LedgerEntry,
): Pick<Happening, 'kind' | 'id'> {
  if (kind === 'refund') return { kind: refundKinds[result], id: entryId };
  if (kind === 'void') return { kind: 'transaction-voided', id };
  const isDone = result === 'done';
  if (kind === 'capture') return { kind: isDone ? 'transaction-captured' : 'capture-declined', id };
  if (isDone && kind === 'purchase') return { kind: 'session-paid', id: session.id };
  if (isDone) return { kind: 'transaction-authorized', id };
  const isPending = result === 'pending';
  if (challenge !== null && isPending) return { kind: 'challenge-opened', id: challenge.id };
  if (challenge !== null && responseCode === '3T') {
    return { kind: 'challenge-timed-out', id: challenge.id };
  }
  return { kind: isPending ? 'transaction-pending' : 'transaction-declined', id };
}

const refundKinds = {
  pending: 'refund-accepted',
  done: 'refund-settled',
  failed: 'refund-failed',
} as const;

/** The kinds of event that a webhook can ask for (N13). */
export const webhookTypes = ['Purchase', 'Authorization', 'Capture', 'Refund', 'Void'] as const;
export type WebhookType = (typeof webhookTypes)[number];

/** What webhooks report of one ledger entry, with all that N13's payload needs. */
export type GatewayEvent = Readonly<NonNullable<ReturnType<typeof eventOf>>>;

const types: Readonly<Record<EntryKind, WebhookType>> = {
  purchase: 'Purchase',
  authorization: 'Authorization',
  capture: 'Capture',
  refund: 'Refund',
  void: 'Void',
};

/** The event that reports an entry, or null where none is sent. */
export function eventOf(transaction: Transaction, entry: LedgerEntry) {
  const status = statusOf(transaction, entry);
  if (status === null) return null;
  const isPayment = entry.kind === 'purchase' || entry.kind === 'authorization';
  const { createdAt, finishedAt, reason } = entry;
  const { session, card, rrn } = transaction;
  return {
    /** The same for every delivery of it. */
    id: `${entry.id}.${status.toLowerCase()}`,
    type: types[entry.kind],
    status,
    environment: session.environment,
    /** A sale and a recurring charge have no checkout session. */
    sessionId: session.kind === 'link' ? session.id : null,
    /** With the policy `sameId` the wire shows the session's id in its place. */
    transactionId: transaction.id,
    entryId: entry.id,
    merchantOrderId: session.merchantOrderId,
    /** Of a refund: the amount of this refund. */
    amountMinor: entry.amountMinor,
    currency: session.currency,
    card,
    rrn,
    reason,
    /** Only in the approval of a payment that asked for one (N10). */
    recurringToken: isPayment && entry.result === 'done' ? tokenOf(transaction) : null,
    createdAt,
    finishedAt,
    plan: isPayment && entry.result !== 'pending' ? transaction.sideEffects : noSideEffects,
  };
}

/** A sale's challenge is reported, since the merchant shows its page; a link's is not. */
function statusOf(transaction: Transaction, entry: LedgerEntry) {
  if (entry.result === 'done') return 'Approved';
  if (entry.result === 'failed') return 'Declined';
  if (entry.kind === 'refund') return null;
  if (transaction.challenge === null) return 'Pending';
  return transaction.method === 'sale' ? 'Redirect' : null;
}

/** The result of one attempt to deliver a webhook. Only HTTP 200 acknowledges (N15). */
export interface AttemptResult {
  readonly url: string;
  readonly outcome: 'acknowledged' | 'refused' | 'timed-out' | 'unreachable' | 'blocked';
  /** The HTTP status that was answered; null without an answer. */
  readonly status: number | null;
}

/**
 * `waiting` for its instant (or, out of order, for the next one to go first), `held` until it is
 * released, `sending`, and then for good: `delivered`, `failed` after the last retry, `dropped` by a
 * fault, `cancelled` because its webhook was deleted or switched off.
 */
export const deliveryStates = [
  'waiting',
  'held',
  'sending',
  'delivered',
  'failed',
  'dropped',
  'cancelled',
] as const;

export interface InjectedFaults {
  readonly isDropped: boolean;
  readonly copies: number;
  /** The amount is changed after signing. */
  readonly isAltered: boolean;
  /** How much later it is sent, in milliseconds of the sandbox clock. */
  readonly lateMs: number;
  /** The next delivery goes first. */
  readonly isBehind: boolean;
}

/** One event on its way to one webhook. Its bytes and its signature follow from it. */
export type Delivery = ReturnType<typeof newDelivery>;

export function newDelivery(event: GatewayEvent, number: number, webhookId: string, at: number) {
  return {
    id: `${event.id}.${number}`,
    webhookId,
    event,
    state: 'waiting' as (typeof deliveryStates)[number],
    /** When it falls, or fell, due: epoch milliseconds of the sandbox clock. */
    dueAt: at,
    /** How often it was scheduled; distinguishes its timers. */
    schedulings: 0,
    /** Attempts of the gateway's own that were not acknowledged. */
    failedTries: 0,
    /** `isReplay`: asked for by hand, beyond the gateway's own attempts. */
    attempts: [] as (AttemptResult & { readonly at: number; readonly isReplay: boolean })[],
    /** Null until it first falls due. */
    injected: null as InjectedFaults | null,
    createdAt: at,
  };
}
