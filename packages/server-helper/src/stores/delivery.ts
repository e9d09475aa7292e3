import type { PaymentEvent } from '../payments/payment-record.ts';

/** The state of an event: waiting for its handler, delivered, or a dead letter. */
export interface QueuedEvent {
  readonly event: PaymentEvent;
  readonly outcome: 'waiting' | 'done' | 'dead';
  readonly tries: number;
}

/** One event to hand to the merchant's `on` handler. */
export interface Delivery {
  readonly event: PaymentEvent;
  /** 1 for the first try; each claim is one. It fences the lease: only the latest try may report. */
  readonly tryNumber: number;
}

/** How a delivery ended: `done`, to be repeated at a time, or `dead`. */
export type DeliveryReport =
  | { readonly outcome: 'done' | 'dead' }
  | { readonly outcome: 'again'; readonly at: number };
