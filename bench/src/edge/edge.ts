import { setTimeout } from 'node:timers/promises';
import { cpuMicroseconds } from '../child.ts';
import { startGateway } from '../gateway.ts';
import type { Measured } from '../measured.ts';
import { asking, findPlaces } from '../our-payments.ts';
import type { Parameters } from '../parameters.ts';
import { Shop } from '../shop.ts';
import { offer, saturate, type Tallies } from './load.ts';
import { answersOf, report, type Run } from './report.ts';
import { kinds, PAID_AFTER_MS, rates, Shoppers, type Kind } from './shoppers.ts';

const USUAL_SECONDS = 20;
/** Until code is compiled and limits, which count for a minute, forget as many orders as they meet. */
const REST_SECONDS = 70;
/** The part of the usual load that is far from too much. */
const CALM = 0.15;
const WEIGHING_SECONDS = 8;
/** Checkouts and webhooks under way at a process that is always busy and never overloaded. */
const FULL = 64;
const FULL_SECONDS = 10;
/** Of what one process can answer. */
const OVERLOAD = 2;
/** Load shedding has found its measure by then. */
const SETTLE_SECONDS = 10;
/** The shop is told to stop in the middle of this. */
const STOP_SECONDS = 2;

/** One process on the embedded store at twice the load that it can answer, then stopped under it. */
export async function measureEdge(
  onProgress: (text: string) => void,
  { seconds = USUAL_SECONDS }: Parameters,
): Promise<Measured> {
  const places = await findPlaces();
  const address = await places.make('SQLite');
  const gateway = await startGateway({ paidAfterMs: PAID_AFTER_MS });
  const setup = { shopName: 'ours', storeName: 'SQLite', address, background: true } as const;
  const shop = await Shop.start({ ...setup, gatewayOrigin: gateway.origin });
  const shoppers = new Shoppers(shop.port);
  const load = (part: number, length: number, wanted?: readonly Kind[]): Promise<Tallies> =>
    offer(shoppers.offers(part, wanted), AbortSignal.timeout(length * 1_000));
  /** A calm load, until memory holds what this load needs and nothing of an earlier one. */
  const heapAtRest = async (): Promise<number> => {
    onProgress(`${REST_SECONDS} s of a calm load`);
    await load(CALM, REST_SECONDS);
    return (await shop.ask('memory')).heapBytes;
  };
  try {
    const calm = await heapAtRest();
    onProgress('measuring what an answer of each kind costs');
    const costs = await weigh(shop, (wanted) => load(CALM, WEIGHING_SECONDS, wanted));

    onProgress(`${FULL_SECONDS} s with ${FULL} checkouts and webhooks under way`);
    await shoppers.connect();
    const signal = AbortSignal.timeout(FULL_SECONDS * 1_000);
    const full = await saturate(shoppers.offers(1), FULL, signal);
    // What a process that is always busy answers in a second, as a part of the usual load.
    const capacity = answersOf(full, 'checkout') / FULL_SECONDS / rates.checkout;

    onProgress(`${SETTLE_SECONDS} and ${seconds} s of twice as much`);
    await shoppers.connect();
    await load(OVERLOAD * capacity, SETTLE_SECONDS);
    const overload = await overloaded(shop, seconds, () => load(OVERLOAD * capacity, seconds));

    const growth = (await heapAtRest()) / calm;
    onProgress('stopping under load');
    await shoppers.connect();
    const last = load(OVERLOAD * capacity, STOP_SECONDS);
    await setTimeout((STOP_SECONDS / 2) * 1_000);
    const stopped = shop.ask('stop');
    const stopping = await last;
    // Else the shop waits for the connections that shoppers keep.
    shoppers.end();
    await stopped;
    const lost = await lostOrders(address, shoppers);
    const measured = { seconds, capacity, costs, full, fullSeconds: FULL_SECONDS, growth };
    return report({ ...measured, ...overload, ...lost, stopping });
  } finally {
    await shop.end();
    shoppers.end();
    gateway.end();
    await places.end();
  }
}

/** CPU of one answer of each kind, in microseconds: what each kind adds to the kinds before it. */
async function weigh(
  shop: Shop,
  load: (wanted: readonly Kind[]) => Promise<Tallies>,
): Promise<Run['costs']> {
  const costs = { checkout: 0, webhook: 0, poll: 0 };
  for (const [index, kind] of kinds.entries()) {
    const earlier = await shop.ask('figures');
    const tallies = await load(kinds.slice(0, index + 1));
    const later = await shop.ask('figures');
    const others = kinds.reduce((sum, one) => sum + costs[one] * answersOf(tallies, one), 0);
    const own = later.cpuMicroseconds - earlier.cpuMicroseconds - others;
    costs[kind] = Math.max(0, own) / answersOf(tallies, kind);
  }
  return costs;
}

/** What the shop and the load took in an overload. */
async function overloaded(shop: Shop, seconds: number, load: () => Promise<Tallies>) {
  const before = await shop.ask('figures');
  const cpu = process.cpuUsage();
  const tallies = await load();
  const loadCpuShare = cpuMicroseconds(cpu) / 1e6 / seconds;
  const { fulfilled, loopDelayMs } = await shop.ask('figures');
  return { tallies, loadCpuShare, fulfilled: fulfilled - before.fulfilled, loopDelayMs };
}

/** Looks into the file that a stopped shop left: links, hints, and the events of paid orders. */
function lostOrders(
  file: string,
  { checkedOut, hinted }: Shoppers,
): Promise<Pick<Run, 'acknowledged' | 'lost'>> {
  return asking('SQLite', file, async (ask) => {
    const idsOf = async (sql: string): Promise<ReadonlySet<unknown>> =>
      new Set((await ask(sql)).map((row) => row['order_id']));
    const open = await idsOf("SELECT order_id FROM pay_names WHERE kind = 'session'");
    const paid = await idsOf("SELECT order_id FROM pay_orders WHERE state = 'paid'");
    const told = await idsOf('SELECT order_id FROM pay_events');
    const noted = await idsOf(`SELECT order_id
      FROM pay_orders, json_each(record, '$.attempts') AS attempt
      WHERE attempt.value ->> 'hintedAt' IS NOT NULL`);
    const lost = [
      ...checkedOut.filter((orderId) => !open.has(orderId)),
      ...[...hinted].filter((orderId) => !noted.has(orderId) && !paid.has(orderId)),
      ...[...paid].filter((orderId) => !told.has(orderId)),
    ];
    return { acknowledged: checkedOut.length + hinted.size + paid.size, lost: lost.length };
  });
}
