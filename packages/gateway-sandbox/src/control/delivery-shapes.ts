import type { AttemptOutcome, DeliveryState } from '../domain/webhooks/delivery.ts';

/** What webhooks report of one movement in the ledger. */
export interface ControlEvent {
  /** Its deliveries' ids begin with it. */
  readonly id: string;
  readonly at: string;
  /** Purchase, Authorization, Capture, Refund or Void (N13). */
  readonly type: string;
  /** Approved, Declined, Pending or Redirect (N13). */
  readonly status: string;
  readonly environment: 'staging' | 'production';
  readonly merchantOrderId: string;
  readonly transactionId: string;
  /** Two decimals; of a refund, what it gives back. */
  readonly amount: string;
  readonly reason: string | null;
}

/** One event on its way to one webhook. */
export interface ControlDelivery {
  readonly id: string;
  readonly webhookId: string;
  readonly state: DeliveryState;
  /** Purchase, Authorization, Capture, Refund or Void (N13). */
  readonly type: string;
  /** Approved, Declined, Pending or Redirect (N13). */
  readonly status: string;
  readonly environment: 'staging' | 'production';
  readonly merchantOrderId: string;
  readonly transactionId: string;
  /** Two decimals; of a refund, what it gives back. */
  readonly amount: string;
  readonly createdAt: string;
  /** ISO 8601 on the tenant's clock; null unless it waits. */
  readonly nextAttemptAt: string | null;
  readonly attempts: readonly {
    readonly at: string;
    readonly url: string;
    readonly outcome: AttemptOutcome;
    /** The HTTP status that was answered; null without an answer. */
    readonly status: number | null;
    /** Asked for by hand, beyond the gateway's own attempts. */
    readonly replay: boolean;
  }[];
  /** The exact text that goes over the wire. */
  readonly body: string;
  /** What goes in `X-Signature` (N14). */
  readonly signature: string;
}

export interface DeliveryFilter {
  readonly state?: DeliveryState;
  readonly merchantOrderId?: string;
}

export interface ReplayRequest {
  /** @defaultValue the webhook's own address */
  readonly url?: string;
  /** Signs what is sent anew, with the webhook's secret. */
  readonly resign?: boolean;
  /** Signs what is sent with this secret instead. */
  readonly secret?: string;
}
