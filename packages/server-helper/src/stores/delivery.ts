import type { PaymentEvent } from '../payments/payment-record.ts';

/** An event on its way to the merchant's handler, or there, or given up. */
export interface QueuedEvent {
  readonly event: PaymentEvent;
  readonly outcome: 'waiting' | 'done' | 'dead';
  readonly tries: number;
}

/** One event to hand to the merchant's `on` handler. */
export interface Delivery {
  readonly event: PaymentEvent;
  /** 1 for the first try. It fences the lease: only the latest try may report. */
  readonly tryNumber: number;
}

/** How a delivery ended: `done`, again at a time, or never again (`dead`). */
export type DeliveryReport =
  | { readonly outcome: 'done' | 'dead' }
  | { readonly outcome: 'again'; readonly at: number };
