/** Where the shops keep their payments. */
export const storeNames = ['PostgreSQL', 'SQLite'] as const;
export type StoreName = (typeof storeNames)[number];

/** Who keeps the shop, the floor first; the tables have this order. */
export const keepers = ['by hand (floor)', 'ours'] as const;
export type Keeper = (typeof keepers)[number];

/** The two requests of a payment that a server answers. */
export const operations = ['checkout', 'confirm'] as const;
export type Operation = (typeof operations)[number];

/** How many requests are under way at once. */
export const concurrencies = [64, 1] as const;
export type Concurrency = (typeof concurrencies)[number];
