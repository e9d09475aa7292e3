import { postgresStore, sqliteStore, type Store } from '@pay-button/server-helper';
import pg from 'pg';
import { median, quantile } from '../quantile.ts';
import { DUE, DUE_AT, fill } from './fill.ts';
import { storeNames, type StoreName } from './names.ts';
import type { Places } from './places.ts';

/** How many payments the tables hold. */
export const sizes = [1_000, 100_000, 1_000_000] as const;

/** Claiming at a million payments, as a multiple of claiming at a thousand, at most. */
export const MOST_GROWTH = 1.5;

/** As many as a tick claims at once. */
const AT_ONCE = 5;
const LEASE_MS = 60_000;
const WARM_UP = 20;

/** What one claim takes in tables of a size, in microseconds. */
export interface ClaimCost {
  readonly storeName: StoreName;
  readonly payments: number;
  readonly median: number;
  readonly lower: number;
  readonly upper: number;
}

interface Contender {
  readonly storeName: StoreName;
  readonly payments: number;
  readonly store: Store<unknown>;
  readonly took: number[];
  close(): Promise<void>;
}

/** Claims due work in tables of three sizes, in turn, on both stores. */
export async function measureClaims(
  places: Places,
  onProgress: (text: string) => void,
): Promise<readonly ClaimCost[]> {
  const contenders: Contender[] = [];
  try {
    for (const storeName of storeNames) {
      for (const payments of sizes) {
        onProgress(`filling ${storeName} with ${payments.toLocaleString('en')} payments`);
        contenders.push(await contenderOf(places, storeName, payments));
      }
    }
    onProgress('claiming');
    for (let claims = 0; claims < DUE / AT_ONCE; claims += 1) {
      for (const { store, took } of contenders) {
        const start = performance.now();
        const due = await store.claimDue(DUE_AT, AT_ONCE, LEASE_MS);
        if (claims >= WARM_UP) took.push((performance.now() - start) * 1_000);
        if (due.length !== AT_ONCE) throw new Error(`claimed ${due.length} of ${AT_ONCE}`);
      }
    }
    return contenders.map(({ storeName, payments, took }) => ({
      storeName,
      payments,
      median: median(took),
      lower: quantile(took, 0.25),
      upper: quantile(took, 0.75),
    }));
  } finally {
    for (const contender of contenders) await contender.close();
  }
}

async function contenderOf(
  places: Places,
  storeName: StoreName,
  payments: number,
): Promise<Contender> {
  const address = await places.make(storeName);
  const pool = new pg.Pool({ connectionString: address });
  const store = (
    storeName === 'PostgreSQL' ? postgresStore({ pool }) : sqliteStore({ file: address })
  ) as Store<unknown>;
  await store.open('bench');
  await fill(storeName, address, payments);
  const close = async (): Promise<void> => {
    await store.close();
    await pool.end();
  };
  return { storeName, payments, store, took: [], close };
}

/** How a store's claims at a million payments compare with those at a thousand. */
export interface Growth {
  readonly storeName: StoreName;
  readonly ratio: number;
  readonly isMet: boolean;
  /** Not met, and not by chance: even a quick claim there was slower than a slow one here. */
  readonly isClearlyMissed: boolean;
}

/** Says of each store whether its claims stay as cheap as they must. */
export function growthOf(costs: readonly ClaimCost[]): readonly Growth[] {
  return storeNames.flatMap((storeName) => {
    const own = costs.filter((cost) => cost.storeName === storeName);
    const [least, most] = [own[0], own.at(-1)];
    if (least === undefined || most === undefined) return [];
    const ratio = most.median / least.median;
    const isMet = ratio <= MOST_GROWTH;
    const isClearlyMissed = !isMet && most.lower > least.upper * MOST_GROWTH;
    return [{ storeName, ratio, isMet, isClearlyMissed }];
  });
}
