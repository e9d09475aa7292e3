import type { PaymentState } from '../payments/payment.ts';

/** Where a payment stands in a list: by its creation and, of one moment, by its order's id. */
export interface PaymentPosition {
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly orderId: string;
}

/** Asks for payments, a page at a time. */
export interface PaymentPage {
  readonly states: readonly PaymentState[];
  /** Only payments created at or after this, in milliseconds since the epoch. */
  readonly since: number;
  /** Only payments below this position: the last one of the page before, or a moment with no order. */
  readonly below: PaymentPosition;
  readonly limit: number;
  /** Only payments of this amount, in minor units of any currency. */
  readonly minorUnits?: number | undefined;
  /**
   * Only payments that this text names: by the order's id or its beginning, by an attempt's name, or by
   * the id of a transaction, a session or an operation or its reference. {@link termsOf} says how. Of
   * more than {@link MAX_BEGUN} orders whose ids begin so, the last by their ids are looked at.
   */
  readonly search?: string | undefined;
}

/** Orders positions as a list shows them: the latest first. */
export function latestFirst(a: PaymentPosition, b: PaymentPosition): number {
  if (a.createdAt !== b.createdAt) return b.createdAt - a.createdAt;
  return a.orderId === b.orderId ? 0 : a.orderId < b.orderId ? 1 : -1;
}
