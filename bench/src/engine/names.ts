/** Where the shops store their payments. */
export const storeNames = ['PostgreSQL', 'SQLite'] as const;
export type StoreName = (typeof storeNames)[number];

/** The shops, the floor first; the tables have this order. */
export type ShopName = 'by hand (floor)' | 'stripe-node' | 'ours';

/** The parts of the measurement, in their order. */
export const partNames = ['fast-gateway', 'slow-gateway', 'medusa', 'claims'] as const;
export type PartName = (typeof partNames)[number];
