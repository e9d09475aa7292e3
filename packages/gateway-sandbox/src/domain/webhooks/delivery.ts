import type { GatewayEvent } from './gateway-event.ts';

/** The result of one attempt to deliver a webhook. Only HTTP 200 acknowledges (N15). */
export type AttemptOutcome = 'acknowledged' | 'refused' | 'timed-out' | 'unreachable' | 'blocked';

export interface Attempt {
  /** Epoch milliseconds of the sandbox clock. */
  readonly at: number;
  readonly url: string;
  readonly outcome: AttemptOutcome;
  /** The HTTP status that was answered; null without an answer. */
  readonly status: number | null;
  /** Asked for by hand, beyond the gateway's own attempts. */
  readonly isReplay: boolean;
}

/**
 * `waiting` for its instant (or, out of order, for the next one to go first), `held` until it is
 * released, `sending`, and then for good: `delivered`, `failed` after the last retry, `dropped` by a
 * fault, `cancelled` because its webhook was deleted or switched off.
 */
export type DeliveryState =
  | 'waiting'
  | 'held'
  | 'sending'
  | 'delivered'
  | 'failed'
  | 'dropped'
  | 'cancelled';

/** The effects of faults on one delivery. */
export interface InjectedFaults {
  readonly isDropped: boolean;
  /** How often each attempt sends it. */
  readonly copies: number;
  /** The amount is changed after signing. */
  readonly isAltered: boolean;
  /** How much later it is sent, in milliseconds of the sandbox clock. */
  readonly lateMs: number;
  /** The next delivery goes first. */
  readonly isBehind: boolean;
}

/** One event on its way to one webhook. Its bytes and its signature follow from it. */
export interface Delivery {
  readonly id: string;
  readonly webhookId: string;
  readonly event: GatewayEvent;
  readonly state: DeliveryState;
  /** When it falls, or fell, due: epoch milliseconds of the sandbox clock. */
  readonly dueAt: number;
  /** How often it was scheduled; distinguishes its timers. */
  readonly schedulings: number;
  /** Attempts of the gateway's own that were not acknowledged. */
  readonly failedTries: number;
  readonly attempts: readonly Attempt[];
  /** Null until it first falls due. */
  readonly injected: InjectedFaults | null;
  readonly createdAt: number;
}

/** N15: up to three retries, thirty seconds apart. */
export const mostRetries = 3;
export const retryAfterMs = 30_000;

/** How long a delivery waits for another one to go first. */
export const behindLimitMs = 30_000;

/** Everything that goes, went or is to go to the merchant's webhooks. */
export interface Outbox {
  /** In the order in which they came to be. */
  readonly deliveries: Map<string, Delivery>;
  /** Whether all due deliveries are held back. */
  readonly holds: boolean;
  /** The one delivery that waits for another to go first. */
  readonly behindId: string | null;
}

/** The result of one attempt. */
export interface AttemptResult {
  url: string;
  outcome: AttemptOutcome;
  status: number | null;
}
