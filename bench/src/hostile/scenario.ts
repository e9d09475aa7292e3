import { startGateway } from '../gateway.ts';
import { quantile, type Verdict } from '../measured.ts';
import type { Places, StoreName } from '../our-payments.ts';
import type { Tell } from '../parameters.ts';
import { Shop } from '../shop.ts';

/** Where and how a scenario is measured. */
export interface Surroundings {
  readonly places: Places;
  readonly storeName: StoreName;
  /** The length of each measurement. */
  readonly seconds: number;
  /** Forged webhooks a second. */
  readonly rate: number;
  readonly tell: Tell;
}

/** Requests of one kind, in milliseconds each, and how many were not answered as they should be. */
export interface Series {
  readonly about: string;
  readonly tookMs: readonly number[];
  readonly failed: number;
}

/** What was found at one store. */
export interface Found {
  readonly bounds: readonly Verdict[];
  readonly series: readonly Series[];
}

/** A rule about two figures of one run: their ratio, or a count. One that is no number is not met. */
export const bound = (about: string, atMost: number, measured: number): Verdict => ({
  cells: [about, atMost, Number.isInteger(measured) ? measured : measured.toFixed(2)],
  isMet: measured <= atMost,
});

/** How much longer a request may take than the same in quiet. */
const MAX_RATIO = 1.5;

/** Bounds of a series beside another one. The longest of a few requests is chance, and is not judged. */
export const slowerThan = (quiet: Series, { about, tookMs }: Series): readonly Verdict[] =>
  Object.entries({ median: 0.5, p95: 0.95 }).map(([name, share]) =>
    bound(
      `${about} ÷ ${quiet.about}, ${name}`,
      MAX_RATIO,
      quantile(tookMs, share) / quantile(quiet.tookMs, share),
    ),
  );

export const failures = ({ about, failed }: Series): Verdict =>
  bound(`${about}: failed`, 0, failed);

/** So many shoppers do the same side by side, for more figures: one slow answer is no 95th. */
const SHOPPERS = 4;

/** New orders are checked out for so long, each shopper one after the other; the last are waited for. */
export async function checkouts(about: string, shop: Shop, seconds: number): Promise<Series> {
  const tookMs: number[] = [];
  let failed = 0;
  const endsAt = performance.now() + seconds * 1_000;
  const shopper = async (): Promise<void> => {
    while (performance.now() < endsAt) {
      const sentAt = performance.now();
      if (!(await checksOut(shop))) failed += 1;
      tookMs.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: SHOPPERS }, shopper));
  return { about, tookMs, failed };
}

/** Says whether a new order got its link. */
export const checksOut = async (shop: Shop): Promise<boolean> =>
  (await shop.checkOut(shop.newOrderId(), 'shopper')).status === 201;

/** Measures our shop with its background work, at a slow gateway that has seen nothing paid. */
export async function atShop(
  storeName: StoreName,
  address: string,
  measure: (shop: Shop) => Promise<Found>,
): Promise<Found> {
  const gateway = await startGateway({ delayMs: 500, paidAfterMs: null });
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
