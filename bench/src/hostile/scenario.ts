import type { StoreName } from '../engine/names.ts';
import type { Places } from '../engine/places.ts';
import { startGateway } from '../gateway.ts';
import { quantile } from '../measured.ts';
import { Shop } from '../shop.ts';

/** Where and how a scenario is measured. */
export interface Surroundings {
  readonly places: Places;
  readonly storeName: StoreName;
  /** The length of each measurement. */
  readonly seconds: number;
  /** Forged webhooks a second. */
  readonly rate: number;
  readonly tell: (text: string) => void;
}

/** Requests of one kind, in milliseconds each, and how many were not answered as they should be. */
export interface Series {
  readonly about: string;
  readonly tookMs: readonly number[];
  readonly failed: number;
}

/** A rule about two figures of one run: their ratio, or a count. */
export interface Bound {
  readonly about: string;
  readonly atMost: number;
  readonly measured: number;
}

/** What was found at one store. */
export interface Found {
  readonly bounds: readonly Bound[];
  readonly series: readonly Series[];
}

/** A figure that could not be measured is above every bound. */
export const isMet = ({ atMost, measured }: Bound): boolean => measured <= atMost;

/** The longest of a few requests is chance, and is not judged. */
const judged = [
  [0.5, 'median'],
  [0.95, 'p95'],
] as const;

/** Bounds of a series beside the same in quiet. */
export const slowerThan = (
  quiet: Series,
  { about, tookMs }: Series,
  atMost: number,
): readonly Bound[] =>
  judged.map(([share, name]) => ({
    about: `${about} ÷ ${quiet.about}, ${name}`,
    atMost,
    measured: quantile(tookMs, share) / quantile(quiet.tookMs, share),
  }));

export const failures = ({ about, failed }: Series): Bound => ({
  about: `${about}: failed`,
  atMost: 0,
  measured: failed,
});

/** So many shoppers do the same side by side, for more figures: one slow answer is no 95th. */
export const SHOPPERS = 4;

/** Repeats a request for so long, each shopper one after the other; the last ones are waited for. */
export async function repeat(
  about: string,
  seconds: number,
  isGood: () => Promise<boolean>,
): Promise<Series> {
  const tookMs: number[] = [];
  let failed = 0;
  const endsAt = performance.now() + seconds * 1_000;
  const shop = async (): Promise<void> => {
    while (performance.now() < endsAt) {
      const sentAt = performance.now();
      if (!(await isGood())) failed += 1;
      tookMs.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: SHOPPERS }, shop));
  return { about, tookMs, failed };
}

/** Says whether a new order got its link. */
export const checksOut = async (shop: Shop): Promise<boolean> =>
  (await shop.checkOut(shop.newOrderId(), 'shopper')).status === 201;

/** Measures our shop with its background work, by default at a slow gateway that has seen nothing paid. */
export async function atShop(
  storeName: StoreName,
  address: string,
  measure: (shop: Shop) => Promise<Found>,
  given?: Awaited<ReturnType<typeof startGateway>>,
): Promise<Found> {
  const gateway = given ?? (await startGateway({ delayMs: 500, paidAfterMs: 'never' }));
  let shop: Shop | undefined;
  try {
    const setup = { storeName, address, gatewayOrigin: gateway.origin, background: true };
    shop = await Shop.start({ shopName: 'ours', ...setup, maxConnections: 2_000 });
    return await measure(shop);
  } finally {
    gateway.end();
    await shop?.end();
  }
}
