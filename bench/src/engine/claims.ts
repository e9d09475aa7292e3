import {
  postgresStore,
  sqliteStore,
  type PaymentPage,
  type Store,
} from '@pay-button/server-helper';
import pg from 'pg';
import { median, quantile } from '../quantile.ts';
import { DUE, DUE_AT, fill } from './fill.ts';
import { storeNames, type StoreName } from './names.ts';
import type { Places } from './places.ts';

/** How many payments the tables hold. */
export const sizes = [1_000, 100_000, 1_000_000] as const;

/** Claiming, searching, or reading a page or a day, at a million payments, as a multiple of the same at a thousand, at most. */
export const MOST_GROWTH = 1.5;

/** As many as a tick claims at once. */
const AT_ONCE = 5;
const LEASE_MS = 60_000;
const WARM_UP = 20;
/** As many payments as `payments.list` shows unless told otherwise. */
const PAGE = 50;
/** As many payments as a day of figures has. */
const DAY = 100;

/** What one claim, page, search or day takes in tables of a size, in microseconds. */
export interface ClaimCost {
  readonly storeName: StoreName;
  readonly payments: number;
  readonly median: number;
  readonly lower: number;
  readonly upper: number;
}

/** What is measured. */
type Work = (typeof works)[number];
const works = ['claim', 'page', 'amount', 'search', 'day'] as const;

interface Contender {
  readonly storeName: StoreName;
  readonly payments: number;
  readonly store: Store<unknown>;
  readonly took: Readonly<Record<Work, number[]>>;
  close(): Promise<void>;
}

/** Claims due work, and reads pages and figures, in tables of three sizes, in turn, on both stores. */
export async function measureClaims(
  places: Places,
  onProgress: (text: string) => void,
): Promise<Readonly<Record<Work, readonly ClaimCost[]>>> {
  const contenders: Contender[] = [];
  try {
    for (const storeName of storeNames) {
      for (const payments of sizes) {
        onProgress(`filling ${storeName} with ${payments.toLocaleString('en')} payments`);
        contenders.push(await contenderOf(places, storeName, payments));
      }
    }
    onProgress('claiming, and reading pages and figures');
    for (let times = 0; times < DUE / AT_ONCE; times += 1) {
      for (const contender of contenders) {
        await timed(contender, 'claim', times, AT_ONCE, ({ store }) =>
          store.claimDue(DUE_AT, AT_ONCE, LEASE_MS),
        );
        await timed(contender, 'page', times, PAGE, readPage);
        await timed(contender, 'amount', times, PAGE, readAmount);
        await timed(contender, 'search', times, 1, search);
        await timed(contender, 'day', times, DAY, readDay);
      }
    }
    const costs = works.map((work) => [work, costsOf(contenders, work)] as const);
    return Object.fromEntries(costs) as Record<Work, readonly ClaimCost[]>;
  } finally {
    for (const contender of contenders) await contender.close();
  }
}

/** Does a work once, which is to find so much, and keeps its time after the warm-up. */
async function timed(
  contender: Contender,
  work: Work,
  times: number,
  expected: number,
  run: (contender: Contender) => Promise<readonly unknown[]>,
): Promise<void> {
  const start = performance.now();
  const { length } = await run(contender);
  if (times >= WARM_UP) contender.took[work].push((performance.now() - start) * 1_000);
  if (length !== expected) throw new Error(`a ${work} found ${length} of ${expected}`);
}

/** A page somewhere in the table, of several states, as somebody meets it who turns pages. */
const readPage = ({ store, payments }: Contender) => store.listPayments(pageIn(payments));

/** The same of one price, which all payments have: the most that an amount can be asked for. */
const readAmount = ({ store, payments }: Contender) =>
  store.listPayments({ ...pageIn(payments), minorUnits: 11_500 });

/** An order by the first characters of its number, which no other has. */
function search({ store, payments }: Contender) {
  const number = Math.floor((Math.random() * payments) / 3 + payments / 2);
  const page = { ...pageIn(payments), below: { createdAt: DUE_AT, orderId: '' } };
  return store.listPayments({ ...page, search: `order-${number}` });
}

/** The figures of a day somewhere in the table; answers with its payments. */
async function readDay({ store, payments }: Contender): Promise<readonly unknown[]> {
  const to = DUE_AT - Math.floor(Math.random() * (payments - DAY));
  const [day] = await store.figures([{ from: to - DAY, to }]);
  return Array.from({ length: day?.created[0]?.count ?? 0 });
}

function pageIn(payments: number): PaymentPage {
  const depth = Math.floor(Math.random() * (payments - PAGE));
  return {
    states: ['pending', 'paid', 'refunded', 'review'],
    since: 0,
    below: { createdAt: DUE_AT - depth, orderId: '' },
    limit: PAGE,
  };
}

const costsOf = (contenders: readonly Contender[], work: Work): readonly ClaimCost[] =>
  contenders.map(({ storeName, payments, took }) => ({
    storeName,
    payments,
    median: median(took[work]),
    lower: quantile(took[work], 0.25),
    upper: quantile(took[work], 0.75),
  }));

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
  return {
    storeName,
    payments,
    store,
    took: { claim: [], page: [], amount: [], search: [], day: [] },
    close,
  };
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
