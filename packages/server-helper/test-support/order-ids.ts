/** Orders of the simulated shop. */
export const ORDER_IDS = ['a', 'b'] as const;
export type OrderId = (typeof ORDER_IDS)[number];
