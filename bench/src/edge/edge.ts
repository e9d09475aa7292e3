import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Child } from '../child.ts';
import { describeMachine } from '../machine.ts';
import type { Measured } from '../measured.ts';
import { readNumber } from '../parameters.ts';
import { quantile } from '../quantile.ts';
import { lostOrders, type Lost } from './lost.ts';
import { offer, type Tally } from './open-loop.ts';
import { PAID_AFTER_MS, Shoppers } from './shoppers.ts';
import type { Question, ShopAnswer } from './shop.ts';

const USUAL_SECONDS = 20;
/** Until code is compiled and limits, which count for a minute, forget as many orders as they meet. */
const WARM_UP_SECONDS = 65;
/** The shop is told to stop in the middle of this. */
const STOP_SECONDS = 2;
const MAX_GROWTH = 0.1;

interface Run {
  readonly seconds: number;
  /** Until the last answer, in seconds. */
  readonly lasted: number;
  readonly tallies: ReadonlyMap<string, Tally>;
  readonly before: ShopAnswer;
  readonly after: ShopAnswer;
  /** Answers while the shop stopped. */
  readonly stopping: ReadonlyMap<string, Tally>;
  readonly lost: Lost;
}

/**
 * One process on the embedded store under an open-loop load, then stopped under it, as Markdown.
 *
 * @param parameters - `--seconds N` of measured load, `--part N` of the rates.
 */
export async function measureEdge(
  onProgress: (text: string) => void,
  parameters: readonly string[],
): Promise<Measured> {
  const extent = readExtent(parameters);
  const folder = mkdtempSync(join(tmpdir(), 'bench-edge-'));
  const gateway = new Child<number>(new URL('gateway.ts', import.meta.url), [
    String(PAID_AFTER_MS),
  ]);
  try {
    const gatewayPort = await gateway.started();
    return report(await run(folder, gatewayPort, extent, onProgress));
  } finally {
    gateway.end();
    rmSync(folder, { recursive: true });
  }
}

interface Extent {
  readonly seconds: number;
  /** Of the usual rates. */
  readonly part: number;
}

const readExtent = (parameters: readonly string[]): Extent => ({
  seconds: readNumber(parameters, '--seconds', USUAL_SECONDS),
  part: readNumber(parameters, '--part', 1),
});

async function run(
  folder: string,
  gatewayPort: number,
  { seconds, part }: Extent,
  onProgress: (text: string) => void,
): Promise<Run> {
  const file = join(folder, 'payments.db');
  const shop = new Child<ShopAnswer>(new URL('shop.ts', import.meta.url), [
    String(gatewayPort),
    file,
  ]);
  const ask = (question: Question): Promise<ShopAnswer> => shop.ask({ question });
  const { port } = await shop.started();
  const shoppers = new Shoppers(port, part);
  const load = (length: number) => offer(shoppers.offers, AbortSignal.timeout(length * 1_000));
  try {
    onProgress(`${WARM_UP_SECONDS} s of warming up`);
    await load(WARM_UP_SECONDS);
    const before = await ask('memory');
    onProgress(`${seconds} s of load`);
    const startedAt = performance.now();
    const tallies = await load(seconds);
    const lasted = (performance.now() - startedAt) / 1_000;
    const after = await ask('memory');
    onProgress('stopping under load');
    const stopping = load(STOP_SECONDS);
    await setTimeout((STOP_SECONDS / 2) * 1_000);
    await ask('stop');
    const stopped = await stopping;
    const lost = lostOrders(file, shoppers.checkedOut, shoppers.hinted);
    return { seconds, lasted, tallies, before, after, stopping: stopped, lost };
  } finally {
    shop.end();
    await shoppers.close();
  }
}

function report({ seconds, lasted, tallies, before, after, stopping, lost }: Run): Measured {
  const failures = [...tallies].flatMap(([name, tally]) =>
    [...tally.failures].map(([code, count]) => `${count} × ${code} of a ${name}`),
  );
  const faults = sum(tallies, serverFaults) + sum(stopping, serverFaults);
  const growth = after.heapBytes / before.heapBytes - 1;
  const verdicts = [
    ['answers 5xx, also while stopping', '0', String(faults), faults === 0],
    ['requests without an answer', '0', failures.join(', ') || '0', failures.length === 0],
    ['memory after the load ÷ before', '1.10', (1 + growth).toFixed(2), growth < MAX_GROWTH],
    [
      'acknowledged checkouts, webhooks and events lost by stopping',
      '0',
      `${lost.checkouts + lost.webhooks + lost.events} of ${lost.acknowledged.toLocaleString('en')}`,
      lost.checkouts + lost.webhooks + lost.events === 0,
    ],
  ] as const;
  const cpuMicroseconds = after.cpuMicroseconds - before.cpuMicroseconds;
  const share = cpuMicroseconds / (lasted * 1e6);
  const answers = sum(tallies, ({ latenciesMs }) => latenciesMs.length);
  const fulfilled = after.fulfilled - before.fulfilled;
  const lines = [
    '| budget | at most | measured | |',
    '|---|---:|---:|---|',
    ...verdicts.map(
      ([about, budget, measured, isMet]) =>
        `| ${about} | ${budget} | ${measured} | ${isMet ? 'met' : '**not met**'} |`,
    ),
    '',
    '| offered | a second | median, ms | p99, ms | p99.9, ms | answers |',
    '|---|---:|---:|---:|---:|---|',
    ...[...tallies].map(([name, tally]) => row(name, tally, seconds)),
    '',
    `${seconds} s of load, answered in ${lasted.toFixed(1)} s; the shop took ${(share * 100).toFixed(0)} % of one core, ${(cpuMicroseconds / answers).toFixed(0)} µs an answer, and fulfilled ${fulfilled.toLocaleString('en')} orders; its event loop was late by ${after.loopDelayMs.toFixed(0)} ms at p99; ${(after.heapBytes / 1e6).toFixed(0)} MB of heap after it. ${describeMachine()}`,
  ];
  return { markdown: lines.join('\n'), isWithinBudget: verdicts.every(([, , , isMet]) => isMet) };
}

function row(name: string, { latenciesMs, byStatus }: Tally, seconds: number): string {
  const [median, p99, p999] = [0.5, 0.99, 0.999].map((q) => quantile(latenciesMs, q).toFixed(1));
  const answers = [...byStatus]
    .toSorted(([a], [b]) => a - b)
    .map(([status, count]) => `${count.toLocaleString('en')} × ${status}`);
  const perSecond = Math.round(latenciesMs.length / seconds).toLocaleString('en');
  return `| ${name} | ${perSecond} | ${median} | ${p99} | ${p999} | ${answers.join(', ')} |`;
}

const sum = (tallies: ReadonlyMap<string, Tally>, of: (tally: Tally) => number): number =>
  [...tallies.values()].reduce((total, tally) => total + of(tally), 0);

const serverFaults = ({ byStatus }: Tally): number =>
  [...byStatus].reduce((total, [status, count]) => total + (status >= 500 ? count : 0), 0);
