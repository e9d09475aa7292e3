import { setTimeout as pause } from 'node:timers/promises';
import { tortured, type Tortured, type TorturedDatabase } from './database.ts';
import { ShopUnderFire, startGateway, startShop, type Shared } from './shop-under-fire.ts';
import { send, shop, type Purchase } from './shopper.ts';

const PROCESSES = 4;
const SHOPPERS = 8;
/** PostgreSQL itself dies once among so many deaths. */
const DEATHS_PER_DATABASE = 12;
/**
 * How long the last orders and events may take when nobody dies any more. An event whose process
 * died during a delivery delivers again when that process's lease of a minute is over.
 */
const SETTLING_MS = 90_000;

/**
 * Runs a shop of four processes on one database, lets shoppers buy, and kills: processes at random
 * and at named points, and PostgreSQL itself. Then compares what the shop shipped and refunded with
 * the gateway's truth.
 *
 * @param isStopped - Asked now and then; ends the torture early, with the report of what was.
 */
export async function torture(store: Tortured, kills: number, isStopped = () => false) {
  const database = await tortured[store].make();
  const gateway = await startGateway();
  const { database: address, isPooled } = database;
  const settings = { database: address, isPooled, gatewayUrl: gateway.url };
  const fire = new ShopUnderFire(settings);
  try {
    await fire.start(PROCESSES);
    const run = { isOver: false };
    const purchases: Purchase[] = [];
    const keepShopping = async (_: unknown, shopper: number): Promise<void> => {
      for (let order = 0; !run.isOver; order += 1) {
        purchases.push(await shop(`order-${shopper}-${order}`, () => fire.url, gateway.url));
      }
    };
    const shoppers = Array.from({ length: SHOPPERS }, keepShopping);
    await killUntil(fire, database.kill, kills, isStopped);
    run.isOver = true;
    await Promise.all(shoppers);
    await fire.spare();
    return {
      kills: fire.kills,
      orders: purchases.length,
      refunds: purchases.filter(({ isRefunded }) => isRefunded).length,
      /** What should not be: an order lost, shipped twice or unpaid, refunded twice, or not delivered. */
      wrongs: [
        ...(await finishAndCompare(database, settings)),
        ...purchases.flatMap(({ wrong = [] }) => wrong),
      ],
      /** From the gateway's taking money to the shop's showing it, in milliseconds, the longest last. */
      recoveries: purchases.map(({ knownAfterMs }) => knownAfterMs).toSorted((a, b) => a - b),
    };
  } finally {
    await fire.spare();
    gateway.process.kill('SIGKILL');
    await database.remove();
  }
}

async function killUntil(
  fire: ShopUnderFire,
  killDatabase: TorturedDatabase['kill'],
  kills: number,
  isStopped: () => boolean,
): Promise<void> {
  const { kills: done } = fire;
  let nextDatabase = killDatabase ? Math.min(kills, DEATHS_PER_DATABASE) / 2 : Infinity;
  // Processes die of their own too, so that the database's turn may come when all have had theirs.
  const isDue = (): boolean => killDatabase !== undefined && done['the database'] === 0;
  while (!isStopped() && (fire.total < kills || isDue())) {
    await pause(300 + Math.random() * 1_200);
    // On a busy machine processes start slowly; somebody should be at work when one is killed.
    if (fire.serving < 2) continue;
    if (fire.total + 1 >= nextDatabase) {
      nextDatabase += DEATHS_PER_DATABASE;
      await killDatabase?.();
      done['the database'] += 1;
    } else fire.killOne();
    if (fire.total % 20 === 0) console.error(`${fire.total} of ${kills} kills`);
  }
}

interface Truth {
  readonly paid: readonly string[];
  readonly refunds: Readonly<Record<string, number>>;
  readonly handled: Readonly<Record<string, number>>;
}

/** One process does what is left, in peace; then the books are compared. */
async function finishAndCompare({ rows }: TorturedDatabase, settings: Shared) {
  const last = await startShop(settings);
  const giveUpAt = performance.now() + SETTLING_MS;
  let wrongs: readonly string[] = [];
  do {
    await pause(250);
    const truth = (await (await send(`${settings.gatewayUrl}/truth`, {})).json()) as Truth;
    const found = await rows('SELECT order_id, count(*) AS times FROM shipments GROUP BY order_id');
    const shipped = found.map((row) => [String(row['order_id']), Number(row['times'])] as const);
    wrongs = compare(truth, new Map(shipped));
  } while (wrongs.length > 0 && performance.now() < giveUpAt);
  last.process.kill('SIGTERM');
  await last.ended;
  return wrongs;
}

function compare({ paid, refunds, handled: mail }: Truth, shipped: ReadonlyMap<string, number>) {
  const wrongs: string[] = [];
  const isPaid = new Set(paid);
  for (const [orderId, times] of shipped) {
    if (!isPaid.has(orderId)) wrongs.push(`${orderId} was shipped unpaid`);
    if (times > 1) wrongs.push(`${orderId} was shipped ${times} times`);
  }
  // An event's id is the order, the type and what it is about.
  const events = Object.keys(mail).map((id) => id.split('/'));
  const isHandled = new Set(events.filter(([, type]) => type === 'paid').map(([id]) => id));
  for (const orderId of isPaid) {
    if (!shipped.has(orderId)) wrongs.push(`${orderId} was paid and is lost`);
    else if (!isHandled.has(orderId)) wrongs.push(`${orderId} reached no handler`);
  }
  for (const [orderId, times] of Object.entries(refunds)) {
    if (times > 1) wrongs.push(`${orderId} was refunded ${times} times`);
  }
  return wrongs;
}
