import type { PaymentState, PaymentView } from '@pay-button/server-helper';
import type { ShopOrder } from './order.ts';

/** An order together with where its money stands. */
export interface OrderStanding {
  readonly order: ShopOrder;
  /** `unpaid` until the shopper first goes to pay. */
  readonly state: PaymentState;
  /** Whether the gateway is about to be asked again, since a shopper came back. */
  readonly isChecking: boolean;
  /** Whether the shop gave the order up. */
  readonly cancelled: boolean;
  /** Refunded so far, as a decimal string with two decimals. */
  readonly refunded: string;
  readonly review: PaymentView['review'];
}

/** Joins an order and its payment; there is none before the shopper first goes to pay. */
export function standingOf(order: ShopOrder, payment: PaymentView | null): OrderStanding {
  return {
    order,
    state: payment?.state ?? 'unpaid',
    isChecking: payment?.isChecking ?? false,
    cancelled: payment?.cancelled ?? false,
    refunded: payment?.refunded ?? '0.00',
    review: payment?.review ?? [],
  };
}

/** Whether the order can still be paid for. */
export function isPayable({ state, cancelled }: OrderStanding): boolean {
  return !cancelled && ['unpaid', 'pending', 'failed', 'expired'].includes(state);
}

/** Whether the shop has the money, or had it. */
export function isPaid({ state }: OrderStanding): boolean {
  return ['paid', 'captured', 'partially_refunded', 'refunded'].includes(state);
}
