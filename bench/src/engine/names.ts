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

/**
 * Reads which stores are measured, as in `--store SQLite`; all of them unless it is given.
 *
 * @throws when there is no such store.
 */
export function readStores(parameters: readonly string[]): readonly StoreName[] {
  const at = parameters.indexOf('--store');
  if (at === -1) return storeNames;
  const name = storeNames.find((one) => one === parameters[at + 1]);
  if (name !== undefined) return [name];
  throw new Error(`--store takes one of ${storeNames.join(', ')}.`);
}
