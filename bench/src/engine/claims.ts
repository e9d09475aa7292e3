import type { PaymentPage, Store } from '@pay-button/server-helper';
import { startGateway } from '../gateway.ts';
import {
  describeMachine,
  judged,
  type Measured,
  median,
  quantile,
  quarters,
  table,
} from '../measured.ts';
import {
  asking,
  type Ask,
  ourPayments,
  type Places,
  poolOf,
  storeAt,
  storeNames,
  type StoreName,
} from '../our-payments.ts';

/** How many payments the tables hold. */
const sizes = [1_000, 100_000, 1_000_000] as const;

/** Claiming, searching, or reading a page or a day, at a million payments, as a multiple of the same at a thousand, at most. */
const MOST_GROWTH = 1.5;

/** When everything that is due became due. */
const DUE_AT = 1_790_000_000_000;
/** So many orders of each table are due; the others are due years later. */
const DUE = 1_000;
const LATER = DUE_AT + 100_000_000_000;

/** As many as a tick claims at once. */
const AT_ONCE = 5;
const lease = { gapMs: 5_000, leaseMs: 60_000 };
const WARM_UP = 20;
/** As many payments as `payments.list` shows unless told otherwise. */
const PAGE = 50;
/** As many payments as a day of figures has. */
const DAY = 100;

interface Contender {
  readonly storeName: StoreName;
  readonly payments: number;
  readonly store: Store<unknown>;
  /** What each took, in microseconds. */
  readonly took: Map<Work, number[]>;
  close(): Promise<void>;
}

/** A work: one in the words of a table and one with its number, and how much it is to find. */
interface Work {
  readonly words: readonly [string, string];
  readonly finds: number;
  readonly run: (contender: Contender) => Promise<readonly unknown[]>;
}

const works: readonly Work[] = [
  {
    words: ['a claim', 'a claim of five'],
    finds: AT_ONCE,
    run: ({ store }) => store.claimDue(DUE_AT, AT_ONCE, lease),
  },
  { words: ['a page of a list', 'a page of fifty'], finds: PAGE, run: readPage },
  { words: ['a page of an amount', 'fifty of one price'], finds: PAGE, run: readAmount },
  { words: ['a search', 'a search that finds one'], finds: 1, run: searchOne },
  { words: ['a day of figures', 'a day of a hundred payments'], finds: DAY, run: readDay },
];

/** Claims due work, and reads pages and figures, in tables of three sizes, in turn, on both stores. */
export async function measureClaims(
  places: Places,
  tell: (text: string) => void,
): Promise<Measured> {
  const contenders: Contender[] = [];
  try {
    for (const storeName of storeNames) {
      for (const payments of sizes) {
        tell(`filling ${storeName} with ${payments.toLocaleString('en')} payments`);
        contenders.push(await contenderOf(places, storeName, payments));
      }
    }
    tell('claiming, and reading pages and figures');
    for (let times = 0; times < DUE / AT_ONCE; times += 1) {
      for (const contender of contenders) {
        for (const work of works) {
          const start = performance.now();
          const { length } = await work.run(contender);
          const tookUs = (performance.now() - start) * 1_000;
          if (times >= WARM_UP) contender.took.get(work)?.push(tookUs);
          if (length !== work.finds) throw new Error(`${work.words[1]}: found ${length}`);
        }
      }
    }
    return report(contenders);
  } finally {
    for (const contender of contenders) await contender.close();
  }
}

/** A page somewhere in the table, of several states, as somebody meets it who turns pages. */
function readPage({ store, payments }: Contender) {
  return store.list(pageIn(payments));
}

/** The same of one price, which all payments have: the most that an amount can be asked for. */
function readAmount({ store, payments }: Contender) {
  return store.list({ ...pageIn(payments), minorUnits: 11_500 });
}

/** An order by the first characters of its number, which no other has. */
function searchOne({ store, payments }: Contender) {
  const orderId = `order-${Math.floor((Math.random() * payments) / 3 + payments / 2)}`;
  const below = { createdAt: DUE_AT, orderId: '' };
  const names = [{ kind: 'session', name: orderId } as const];
  const search = { orderId, beginnings: [orderId], names };
  return store.list({ ...pageIn(payments), below, search });
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
    of: 'payments',
    states: ['pending', 'paid', 'refunded', 'review'],
    since: 0,
    below: { createdAt: DUE_AT - depth, orderId: '' },
    limit: PAGE,
  };
}

async function contenderOf(
  places: Places,
  storeName: StoreName,
  payments: number,
): Promise<Contender> {
  const address = await places.make(storeName);
  const pool = poolOf(address);
  const store = storeAt(storeName, address, pool);
  const gateway = await startGateway();
  await ourPayments(gateway.origin, store).ensureLink('order-0');
  gateway.end();
  await asking(storeName, address, (ask) => fill(ask, storeName, payments));
  const took = new Map(works.map((work) => [work, []]));
  const close = async (): Promise<void> => {
    await store.close();
    await pool.end();
  };
  return { storeName, payments, store, took, close };
}

function report(contenders: readonly Contender[]): Measured {
  const found = works.map((work) => {
    const tookOf = ({ took }: Contender): readonly number[] => took.get(work) ?? [];
    const growths = storeNames.map((storeName) => {
      const own = contenders.filter((contender) => contender.storeName === storeName).map(tookOf);
      const [least = [], most = []] = [own[0], own.at(-1)];
      const ratio = median(most) / median(least);
      return {
        cells: [storeName, MOST_GROWTH.toFixed(2), ratio.toFixed(2)],
        isMet: ratio <= MOST_GROWTH,
        // By more than chance: even a quick one there was slower than a slow one here.
        isClearlyMissed: quantile(most, 0.25) > quantile(least, 0.75) * MOST_GROWTH,
      };
    });
    const costs = contenders.map((contender) => {
      const took = tookOf(contender);
      const payments = contender.payments.toLocaleString('en');
      return [payments, contender.storeName, median(took).toFixed(0), quarters(took, 0)];
    });
    const [one, some] = work.words;
    return judged(
      [`${one} at 1,000,000 payments ÷ at 1,000`, 'at most:', 'measured:'],
      growths,
      ...table(['payments in the tables:', 'store', `${some}, µs:`, 'quarters:'], costs),
    );
  });
  return {
    markdown: [...found.map(({ markdown }) => markdown), describeMachine()].join('\n'),
    isWithinBudget: found.every(({ isWithinBudget }) => isWithinBudget),
  };
}

/**
 * Fills a store's own tables with so many copies of its one order, each with a watched link and a movement,
 * so that whatever is asked for must be found among all of them.
 */
async function fill(ask: Ask, storeName: StoreName, payments: number): Promise<void> {
  const isPostgres = storeName === 'PostgreSQL';
  const series = isPostgres
    ? `generate_series(1, ${payments}) AS n`
    : `(WITH RECURSIVE up (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM up WHERE n < ${payments})
        SELECT n FROM up)`;
  const own: Readonly<Record<string, string>> = {
    order_id: "'order-' || n",
    created_at: `${DUE_AT} - n`,
    due_at: `CASE WHEN n <= ${DUE} THEN ${DUE_AT} - n ELSE ${LATER} + n END`,
    record: isPostgres
      ? "replace(record::text, 'order-0', 'order-' || n)::json"
      : "replace(record, 'order-0', 'order-' || n)",
  };
  await ask('CREATE TEMPORARY TABLE template AS SELECT * FROM pay_orders');
  await ask('DELETE FROM pay_orders');
  const [row = {}] = await ask('SELECT * FROM template');
  const columns = Object.keys(row);
  await ask(`INSERT INTO pay_orders (${columns.join(', ')})
    SELECT ${columns.map((name) => own[name] ?? name).join(', ')} FROM template, ${series}`);
  await ask(`INSERT INTO pay_names (kind, name, order_id)
    SELECT 'session', 'session-' || n, 'order-' || n FROM ${series}`);
  await ask(`INSERT INTO pay_movements (order_id, kind, amount, currency, recorded_at, confirm_ms)
    SELECT 'order-' || n, 'taken', 11500, 'SAR', ${DUE_AT} - n, 1000 * (n % 90) FROM ${series}`);
  // What the database does by itself within a minute of such a load.
  if (isPostgres) await ask('VACUUM ANALYZE');
}
