import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { startGateway } from '../gateway.ts';
import type { Measured } from '../measured.ts';
import type { Parameters } from '../parameters.ts';
import { type Figures, Shop } from '../shop.ts';
import { offer, saturate, type Tallies } from './load.ts';
import { answersOf, report, type Lost, type Overload, type Run } from './report.ts';
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
  const folder = mkdtempSync(join(tmpdir(), 'bench-edge-'));
  const file = join(folder, 'payments.db');
  const gateway = await startGateway({ paidAfterMs: PAID_AFTER_MS });
  const shop = await Shop.start({
    shopName: 'ours',
    storeName: 'SQLite',
    gatewayOrigin: gateway.origin,
    address: file,
    background: true,
  });
  const shoppers = new Shoppers(shop.port);
  const trial = new Trial(shop, shoppers, onProgress);
  try {
    const calm = await trial.rest();
    const costs = await trial.weigh();
    const { full, capacity } = await trial.fill();
    const overload = await trial.overload(capacity, seconds);
    const rested = await trial.rest();
    const stopping = await trial.stop(capacity);
    const lost = lostOrders(file, shoppers.checkedOut, shoppers.hinted);
    const growth = rested.heapBytes / calm.heapBytes;
    const measured = { seconds, capacity, costs, full, fullSeconds: FULL_SECONDS };
    return report({ ...measured, ...overload, growth, stopping, lost });
  } finally {
    await shop.end();
    shoppers.end();
    gateway.end();
    rmSync(folder, { recursive: true });
  }
}

/** The phases of the measurement at one shop. */
class Trial {
  readonly #shop: Shop;
  readonly #shoppers: Shoppers;
  readonly #onProgress: (text: string) => void;

  constructor(shop: Shop, shoppers: Shoppers, onProgress: (text: string) => void) {
    this.#shop = shop;
    this.#shoppers = shoppers;
    this.#onProgress = onProgress;
  }

  /** A calm load, until memory holds what this load needs and nothing of an earlier one. */
  async rest(): Promise<Figures> {
    this.#onProgress(`${REST_SECONDS} s of a calm load`);
    await this.#offer(CALM, REST_SECONDS);
    return this.#shop.ask('memory');
  }

  /** CPU of one answer of each kind, in microseconds: what each kind adds to the kinds before it. */
  async weigh(): Promise<Run['costs']> {
    this.#onProgress('measuring what an answer of each kind costs');
    const costs = { checkout: 0, webhook: 0, poll: 0 };
    for (const [index, kind] of kinds.entries()) {
      const earlier = await this.#shop.ask('figures');
      const tallies = await this.#offer(CALM, WEIGHING_SECONDS, kinds.slice(0, index + 1));
      const later = await this.#shop.ask('figures');
      const others = kinds.reduce((sum, one) => sum + costs[one] * answersOf(tallies, one), 0);
      const cpuMicroseconds = later.cpuMicroseconds - earlier.cpuMicroseconds - others;
      costs[kind] = Math.max(0, cpuMicroseconds) / answersOf(tallies, kind);
    }
    return costs;
  }

  /** What a process that is always busy answers in a second, as a part of the usual load. */
  async fill(): Promise<{ full: Tallies; capacity: number }> {
    this.#onProgress(`${FULL_SECONDS} s with ${FULL} checkouts and webhooks under way`);
    await this.#shoppers.connect();
    const signal = AbortSignal.timeout(FULL_SECONDS * 1_000);
    const tallies = await saturate(this.#shoppers.offers(1), FULL, signal);
    const capacity = answersOf(tallies, 'checkout') / FULL_SECONDS / rates.checkout;
    return { full: tallies, capacity };
  }

  async overload(capacity: number, seconds: number): Promise<Overload> {
    this.#onProgress(`${SETTLE_SECONDS} and ${seconds} s of twice as much`);
    await this.#shoppers.connect();
    await this.#offer(OVERLOAD * capacity, SETTLE_SECONDS);
    const { fulfilled } = await this.#shop.ask('figures');
    const cpu = process.cpuUsage();
    const tallies = await this.#offer(OVERLOAD * capacity, seconds);
    const own = Object.values(process.cpuUsage(cpu)).reduce((sum, part) => sum + part, 0);
    const after = await this.#shop.ask('figures');
    return {
      tallies,
      fulfilled: after.fulfilled - fulfilled,
      loopDelayMs: after.loopDelayMs,
      loadCpuShare: own / 1e6 / seconds,
    };
  }

  /** Stops the shop under the load. */
  async stop(capacity: number): Promise<Tallies> {
    this.#onProgress('stopping under load');
    await this.#shoppers.connect();
    const load = this.#offer(OVERLOAD * capacity, STOP_SECONDS);
    await setTimeout((STOP_SECONDS / 2) * 1_000);
    const stopped = this.#shop.ask('stop');
    const tallies = await load;
    // Else the shop waits for the connections that shoppers keep.
    this.#shoppers.end();
    await stopped;
    return tallies;
  }

  #offer(part: number, seconds: number, wanted: readonly Kind[] = kinds): Promise<Tallies> {
    return offer(this.#shoppers.offers(part, wanted), AbortSignal.timeout(seconds * 1_000));
  }
}

/** Looks into the file that a stopped shop left. */
function lostOrders(
  file: string,
  checkedOut: readonly string[],
  hinted: ReadonlySet<string>,
): Lost {
  const database = new DatabaseSync(file, { readOnly: true });
  const idsOf = (sql: string): Set<unknown> =>
    new Set(
      database
        .prepare(sql)
        .all()
        .map((row) => row['order_id']),
    );
  const open = idsOf("SELECT order_id FROM pay_names WHERE kind = 'session'");
  const paid = idsOf("SELECT order_id FROM pay_orders WHERE state = 'paid'");
  const told = idsOf('SELECT order_id FROM pay_events');
  const noted = idsOf(`SELECT order_id FROM pay_orders, json_each(record, '$.attempts') AS attempt
    WHERE attempt.value ->> 'hintedAt' IS NOT NULL`);
  database.close();
  return {
    acknowledged: checkedOut.length + hinted.size + paid.size,
    checkouts: checkedOut.filter((orderId) => !open.has(orderId)).length,
    webhooks: [...hinted].filter((orderId) => !noted.has(orderId) && !paid.has(orderId)).length,
    events: [...paid].filter((orderId) => !told.has(orderId)).length,
  };
}
