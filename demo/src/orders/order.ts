import type { Line } from '../basket/basket.ts';

/** Who ordered, and how to reach them. */
export interface Customer {
  readonly name: string;
  /** Empty when none was given. */
  readonly email: string;
  readonly phone: string;
}

/** An order as the shop keeps it. Whether it is paid is not here: only the payment knows. */
export interface ShopOrder {
  readonly orderId: string;
  /** Fingerprint of the `shop_session` that placed it; nobody else may see the order. */
  readonly owner: string;
  readonly lines: readonly Line[];
  /** What it cost when it was placed, in whole halalas; a later price change does not touch it. */
  readonly halalas: number;
  readonly customer: Customer;
  /** ISO 8601, UTC. */
  readonly placedAt: string;
}

/** A new order, and what makes a second sending of the same form recognisable. */
export interface NewOrder extends ShopOrder {
  /** The same for every sending of one form, unique otherwise. */
  readonly requestKey: string;
}
