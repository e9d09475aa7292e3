import { isPaid, isPayable, type PaymentState, type PaymentView } from '@pay-button/server-helper';
import type { Line } from '../basket/basket.ts';

/** Who ordered, and how to reach them. */
export interface Customer {
  readonly name: string;
  /** Empty when none was given. */
  readonly email: string;
  readonly phone: string;
}

/** One product of an order, at the price of that day. */
export interface OrderLine extends Line {
  /** Price of one piece in whole halalas; a later price change does not touch it. */
  readonly halalas: number;
}

/** An order as the shop stores it. The payment, and not the order, says whether it is paid. */
export interface ShopOrder {
  readonly orderId: string;
  /** Fingerprint of the `shop_session` that placed it; no other visitor may see the order. */
  readonly owner: string;
  readonly lines: readonly OrderLine[];
  /** What it cost when it was placed, in whole halalas; a later price change does not touch it. */
  readonly halalas: number;
  readonly customer: Customer;
  /** ISO 8601, UTC. */
  readonly placedAt: string;
}

/** A new order, with a key that a second sending of the same form shares. */
export interface NewOrder extends ShopOrder {
  /** The same for every sending of one form, unique otherwise. */
  readonly requestKey: string;
}

/** What the shop stores of a payment for the receipt. */
export interface Receipt {
  /** ISO 8601, UTC. */
  readonly paidAt: string;
  /** `null` where the gateway did not say which card paid. */
  readonly card: PaidCard | null;
}

/** A card as a receipt shows it. */
export interface PaidCard {
  /** The gateway's code, such as `MADA`. */
  readonly scheme: string;
  readonly lastFour: string;
}

/** An order together with its payment. */
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
export function canBePaid({ state, cancelled }: OrderStanding): boolean {
  return !cancelled && isPayable(state);
}

/** Whether the shopper paid, also where all of it was refunded since. */
export function hasReceipt({ state }: OrderStanding): boolean {
  return isPaid(state) || state === 'refunded';
}
