import {
  attemptName,
  type MerchantOrderId,
  type SessionId,
  type TransactionId,
  transactionKey,
} from '../ids.ts';
import type { Money } from '../money.ts';

/**
 * `creating` the gateway was asked for a link and has not answered us · `open` the link is payable
 * or may have been paid · `succeeded` money was accepted through it · `closed` watched to its end
 * without money, or refused by the gateway · `lost` the gateway's answer never arrived, so
 * no shopper has its address.
 */
export type AttemptState = 'creating' | 'open' | 'succeeded' | 'closed' | 'lost';

/**
 * How it is paid: by a payment `link`, by a server-to-server `sale`, or by an `authorization`, which
 * holds the money for a later capture. A `charge` is a recurring charge that was made: its own
 * transaction is checked like that of any other attempt.
 */
export type AttemptKind = 'link' | 'sale' | 'authorization' | 'charge';

type Undecided = Readonly<{ ids: readonly TransactionId[]; since: number }>;

/** One payment link, sale or recurring charge that we asked for, for one order. */
export interface Attempt {
  readonly orderId: string;
  /** 1 for an order's first attempt, then 2, 3, … */
  readonly number: number;
  readonly kind: AttemptKind;
  readonly merchantOrderId: MerchantOrderId;
  /** Frozen when the attempt was made; evidence is compared with this. */
  readonly amount: Money;
  readonly state: AttemptState;
  readonly sessionId: SessionId | null;
  /** The hosted page; `null` when there is none, or when the gateway does not know it any more. */
  readonly redirectUrl: string | null;
  /** Whose status is asked, of a server-to-server sale; from the sale's own answer. */
  readonly transactionId: TransactionId | null;
  /** Up to when something explains its hints: declines, or the evidence by which its order expired. */
  readonly explainedAt: number | null;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** When the gateway takes no more money: 48 h after it was made (§8), or after a leap of the clock. */
  readonly expiresAt: number;
  /** When the gateway was last asked about it. */
  readonly lastCheckAt: number | null;
  /** When a hint about it arrived last. One that is later than the last status check is still to be followed. */
  readonly hintedAt: number | null;
  /** When the first of the hints came that wait for an explanation together. */
  readonly hintedFrom?: number | undefined;
  /** When to ask again without any hint; `null` when it is no longer watched. */
  readonly nextCheckAt: number | null;
  /** When the latest question was asked to which the gateway knew the attempt. */
  readonly heardAt?: number | undefined;
  /**
   * When the gateway last showed its session, or a sale's transaction, whether there were tries and all were declined,
   * and which were undecided, the newest of them `since` then. A later "not found" about another one is no ordinary one.
   */
  readonly shown?:
    | Readonly<{ at: number; isDeclined?: boolean; undecided?: Undecided | undefined }>
    | undefined;
  /** Whether the gateway was never asked for it, since nothing could be sent. */
  readonly isUnsent?: boolean;
  /** A mark of the API key by which the link was made; a key opens one account's sessions. */
  readonly keys?: readonly string[];
}

const HOUR_MS = 3_600_000;

/** Lifetime of a checkout session (§8). */
export const SESSION_LIFETIME_MS = 48 * HOUR_MS;

/** An attempt of which the gateway has not answered anything. */
export function newAttempt(
  { orderId, number, kind, amount }: Pick<Attempt, 'orderId' | 'number' | 'kind' | 'amount'>,
  now: number,
): Attempt {
  return {
    orderId,
    number,
    kind,
    merchantOrderId: attemptName(orderId, number),
    amount,
    state: 'creating',
    sessionId: null,
    redirectUrl: null,
    transactionId: null,
    explainedAt: null,
    createdAt: now,
    expiresAt: now + SESSION_LIFETIME_MS,
    lastCheckAt: null,
    hintedAt: null,
    nextCheckAt: null,
  };
}

/** How soon evidence is asked for after a money operation was sent. */
export const CHECK_SOON_MS = 5_000;

/** An attempt whose create call has not ended after this long was left by a process that died. */
export const CREATING_TIMEOUT_MS = 45_000;

/** Whether a time is of a clock that ran ahead: those of a shop differ by less than an hour. */
export const isAhead = (at: number, now: number): boolean => at > now + HOUR_MS;

/** Whether something happened after the gateway was asked, and not by a clock that ran ahead. */
export const isAfter = (at: number, askedAt: number): boolean =>
  at > askedAt && !isAhead(at, askedAt);

/** Whether an id is the attempt's own, which a gateway may write into each row of it. */
export const isNameOf = ({ sessionId, merchantOrderId }: Attempt, id: string): boolean =>
  [sessionId ?? '', merchantOrderId].some((name) => transactionKey(name) === transactionKey(id));

/** Whether the gateway can be asked about an attempt. */
export const isAskable = ({ sessionId, transactionId }: Attempt): boolean =>
  (sessionId ?? transactionId) !== null;

/** Whether time alone ended the watch of an attempt: by a wrong clock, or before money that came since. */
export const isEndedByTime = (attempt: Attempt): boolean =>
  attempt.state === 'closed' && isAskable(attempt);

/** Whether a hint came that no status check has followed yet. */
export const awaitsHint = ({ hintedAt, lastCheckAt }: Attempt): boolean =>
  hintedAt !== null && hintedAt > (lastCheckAt ?? 0);

/** Whether an open attempt has a hint that a status check is still to follow. */
export const isHinted = (attempt: Attempt): boolean =>
  attempt.state === 'open' && awaitsHint(attempt);
