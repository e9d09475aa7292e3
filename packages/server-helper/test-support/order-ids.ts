/** Orders of the simulated shop. */
export const ORDER_IDS = ['a', 'b'] as const;
export type OrderId = (typeof ORDER_IDS)[number];

/** A thing of some kind that is done about an order. */
export type OfOrder<Kind extends string, More = object> = {
  readonly kind: Kind;
  readonly orderId: OrderId;
} & Readonly<More>;
