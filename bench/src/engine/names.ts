/** Where the shops store their payments. */
export const storeNames = ['PostgreSQL', 'SQLite'] as const;
export type StoreName = (typeof storeNames)[number];

/** The shops, the floor first; the tables have this order. */
export const shopNames = ['by hand (floor)', 'stripe-node', 'ours'] as const;
export type ShopName = (typeof shopNames)[number];

/** The shops that are measured at one store: a developer writes the shop with an SDK for PostgreSQL. */
export const shopsOf = (storeName: StoreName, gatewayMs: number): readonly ShopName[] =>
  storeName === 'PostgreSQL' && gatewayMs === 0
    ? ['by hand (floor)', 'stripe-node', 'ours']
    : ['by hand (floor)', 'ours'];

/** The two requests of a payment that a server answers. */
export const operations = ['checkout', 'confirm'] as const;
export type Operation = (typeof operations)[number];

/** The parts of the measurement, in their order. */
export const partNames = ['fast-gateway', 'slow-gateway', 'medusa', 'claims'] as const;
export type PartName = (typeof partNames)[number];
