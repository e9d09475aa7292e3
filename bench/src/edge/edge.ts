import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Child } from '../child.ts';
import type { Measured } from '../measured.ts';
import type { Parameters } from '../parameters.ts';
import { lostOrders } from './lost.ts';
import { offer, type Tally } from './open-loop.ts';
import { answersOf, report, type Run } from './report.ts';
import { kinds, PAID_AFTER_MS, Shoppers, type Kind } from './shoppers.ts';
import type { Question, ShopAnswer } from './shop.ts';

const USUAL_SECONDS = 20;
/** Until code is compiled and limits, which count for a minute, forget as many orders as they meet. */
const WARM_UP_SECONDS = 65;
const CALIBRATION_SECONDS = 8;
/** The part of the usual load at which costs are measured: far from too much. */
const CALM = 0.4;
/** Of what one process can answer. */
const OVERLOAD = 2;
/** The pressure has risen by then. */
const SETTLE_SECONDS = 10;
/** The shop is told to stop in the middle of this. */
const STOP_SECONDS = 2;

/** One process on the embedded store at twice the load that it can answer, then stopped under it. */
export async function measureEdge(
  onProgress: (text: string) => void,
  { seconds = USUAL_SECONDS }: Parameters,
): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-edge-'));
  const gateway = new Child<number>(new URL('gateway.ts', import.meta.url), [
    String(PAID_AFTER_MS),
  ]);
  try {
    return report(await run(folder, await gateway.started(), seconds, onProgress));
  } finally {
    gateway.end();
    rmSync(folder, { recursive: true });
  }
}

async function run(
  folder: string,
  gatewayPort: number,
  seconds: number,
  onProgress: (text: string) => void,
): Promise<Run> {
  const file = join(folder, 'payments.db');
  const shop = new Child<ShopAnswer>(new URL('shop.ts', import.meta.url), [
    String(gatewayPort),
    file,
  ]);
  const ask = (question: Question): Promise<ShopAnswer> => shop.ask({ question });
  const { port } = await shop.started();
  const shoppers = new Shoppers(port);
  const load = (part: number, length: number, wanted: readonly Kind[] = kinds) =>
    offer(shoppers.offers(part, wanted), AbortSignal.timeout(length * 1_000));
  try {
    onProgress(`${WARM_UP_SECONDS} s of warming up`);
    await load(CALM, WARM_UP_SECONDS);
    onProgress('measuring what an answer of each kind costs');
    const costs = await costsOf(ask, (wanted) => load(CALM, CALIBRATION_SECONDS, wanted));
    const usual = shoppers.offers(1);
    const capacity = 1e6 / usual.reduce((sum, one) => sum + costs[one.name] * one.perSecond, 0);
    const before = await ask('memory');
    onProgress(`${seconds} s of twice the load that the process can answer`);
    await load(OVERLOAD * capacity, SETTLE_SECONDS);
    const settled = await ask('memory');
    const tallies = await load(OVERLOAD * capacity, seconds);
    const after = await ask('memory');
    onProgress('stopping under load');
    const stopping = load(OVERLOAD * capacity, STOP_SECONDS);
    await setTimeout((STOP_SECONDS / 2) * 1_000);
    await ask('stop');
    const stopped = await stopping;
    const lost = lostOrders(file, shoppers.checkedOut, shoppers.hinted);
    const loopDelayMs = Math.max(settled.loopDelayMs, after.loopDelayMs);
    return {
      seconds,
      capacity,
      costs,
      tallies,
      before,
      after: { ...after, loopDelayMs },
      stopping: stopped,
      lost,
    };
  } finally {
    shop.end();
    await shoppers.close();
  }
}

/** CPU of one answer of each kind, in microseconds: what each kind adds to the kinds before it. */
async function costsOf(
  ask: (question: Question) => Promise<ShopAnswer>,
  load: (wanted: readonly Kind[]) => Promise<ReadonlyMap<string, Tally>>,
): Promise<Run['costs']> {
  const costs = { checkout: 0, webhook: 0, poll: 0 };
  for (const [index, kind] of kinds.entries()) {
    const earlier = await ask('memory');
    const tallies = await load(kinds.slice(0, index + 1));
    const later = await ask('memory');
    const others = kinds.reduce((sum, one) => sum + costs[one] * answersOf(tallies, one), 0);
    const cpuMicroseconds = later.cpuMicroseconds - earlier.cpuMicroseconds - others;
    costs[kind] = Math.max(0, cpuMicroseconds) / answersOf(tallies, kind);
  }
  return costs;
}
