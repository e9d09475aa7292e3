/** Where the shops keep their payments. */
export const storeNames = ['PostgreSQL', 'SQLite'] as const;
export type StoreName = (typeof storeNames)[number];

/** Who keeps the shop, the floor first; the tables have this order. */
export const keepers = ['by hand (floor)', 'ours'] as const;
export type Keeper = (typeof keepers)[number];

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
