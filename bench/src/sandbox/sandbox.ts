import { createGatewayClient, type GatewayClient } from '@pay-button/server-helper';
import { callEveryOperation } from '../../../contract/every-operation.ts';
import { installIn, succeed } from '../../../scripts/process.ts';
import { byHand } from '../engine/other-shops.ts';
import {
  atATime,
  describeMachine,
  inTurn,
  judged,
  type Measured,
  median,
  quantile,
  ratiosOf,
  table,
  type Verdict,
} from '../measured.ts';
import { orderOf } from '../our-payments.ts';
import type { Tell } from '../parameters.ts';
import { floor, prism, sandbox, type Server, startServer } from './servers.ts';

const STARTS = 9;
const TIMES_EACH_OPERATION = 100;
const FILLED_AT_A_TIME = 32;

/** What is asked of each server. */
const operations = ['create link', 'status'] as const;
type Operation = (typeof operations)[number];

/** The sandbox's budgets. */
const budgets = {
  readyMs: 300,
  timesPrism: 3,
  shareOfFloor: 0.4,
  sessions: 100_000,
  residentMegabytes: 400,
  p95Ms: 10,
} as const;
const SESSIONS = budgets.sessions.toLocaleString('en');

/** The sandbox's budgets beside a bare handler and a Prism mock, as Markdown. */
export async function measureSandbox(tell: Tell): Promise<Measured> {
  tell('building the sandbox');
  await succeed('tsc', ['-b', 'packages/gateway-sandbox']);
  await installIn('contract-tools'); // Prism is among them.
  const ready = await measureReady(tell);
  const rates = await measureRates(tell);
  const full = await measureFull(tell);
  return judged(
    ['budget', 'at most / at least:', 'measured:'],
    [judgeReady(ready), ...operations.flatMap((one) => judgeRates(rates, one)), ...judgeFull(full)],
    ...table(
      ['16 at a time', 'call', 'calls a second:', 'CPU of the server a call, µs:'],
      rates.map(({ server, operation, rates: perSecond, cpu }) => {
        const rounded = Math.round(median(perSecond)).toLocaleString('en');
        return [server, operation, rounded, median(cpu).toFixed(0)];
      }),
    ),
    ...table(
      [`with ${SESSIONS} sessions, through our client`, 'median, ms:', 'p95, ms:'],
      [...full.durations].map(([operation, taken]) => {
        return [operation, median(taken).toFixed(2), quantile(taken, 0.95).toFixed(2)];
      }),
    ),
    describeMachine(', Prism 5.16.0'),
  );
}

/** Milliseconds that each start took. */
async function measureReady(tell: Tell): Promise<readonly number[]> {
  const ready: number[] = [];
  for (let start = 0; start < STARTS; start += 1) {
    tell(`start ${start + 1} of ${STARTS}`);
    const server = await startServer(sandbox);
    ready.push(server.readyMs);
    await server.end();
  }
  return ready;
}

/** Of one server and one operation, round by round: calls a second, and its CPU a call in µs. */
type Rates = Awaited<ReturnType<typeof measureRates>>[number];

const extent = { rounds: 7, atATime: 16, warmUpCalls: 3_000 };
/** A round of each server takes about as long as the others': Prism is much slower. */
const callsOf = (name: string): number => (name.startsWith('Prism') ? 300 : 3_000);

/** Measures the servers in turn, another one first each round. */
async function measureRates(tell: Tell) {
  const servers: Server[] = [];
  try {
    for (const kind of [floor, sandbox, await prism()]) servers.push(await startServer(kind));
    const rows = servers.flatMap((process) => {
      const [server, load] = [process.name, loadOf(process)];
      return operations.map((operation) => {
        return { server, process, operation, load, rates: [] as number[], cpu: [] as number[] };
      });
    });
    for (const { server, operation, load } of rows) {
      tell(`warming up: ${server}, ${operation}`);
      await load(operation, extent.warmUpCalls * (callsOf(server) / 3_000), extent.atATime);
    }
    for (let round = 0; round < extent.rounds; round += 1) {
      tell(`round ${round + 1} of ${extent.rounds}`);
      for (const row of inTurn(rows, round * operations.length)) {
        const calls = callsOf(row.server);
        const before = row.process.cpuMicroseconds();
        row.rates.push(await row.load(row.operation, calls, extent.atATime));
        row.cpu.push((row.process.cpuMicroseconds() - before) / calls);
      }
    }
    return rows;
  } finally {
    await Promise.all(servers.map((server) => server.end()));
  }
}

/** Calls to one server, so many at a time. @returns a function that answers the calls a second */
function loadOf({ access: { baseUrl, apiKey } }: Server) {
  const client = byHand(baseUrl, apiKey);
  const back = 'http://127.0.0.1/thanks';
  let orders = 0;
  let session_id = '5e551040-7d3c-4b52-9a7e-0c2f6f1d8a01';
  const call: Readonly<Record<Operation, () => Promise<unknown>>> = {
    'create link': async () => {
      session_id = (await client.createLink(orderOf(`order-${(orders += 1)}`), back)).id;
    },
    status: () => client.findPayment({ session_id, amount: '115.00' }),
  };
  return async (operation: Operation, calls: number, lanes: number): Promise<number> =>
    calls / (await atATime(lanes, calls, call[operation]));
}

type Full = Awaited<ReturnType<typeof measureFull>>;

/** Fills a sandbox with sessions, one call at a time for each of a few connections, and asks on. */
async function measureFull(tell: Tell) {
  const server = await startServer(sandbox);
  const load = loadOf(server);
  try {
    const step = budgets.sessions / 10;
    for (let made = 0; made < budgets.sessions; made += step) {
      tell(`${made.toLocaleString('en')} sessions of ${SESSIONS}`);
      await load('create link', step, FILLED_AT_A_TIME);
    }
    const residentBytes = server.residentBytes();
    tell('every operation, in a full sandbox');
    return { residentBytes, durations: await timeOperations(server) };
  } finally {
    await server.end();
  }
}

/**
 * Calls through our own client, which counts too: that makes the figures no better.
 *
 * @returns the milliseconds that each call took, by operation
 */
async function timeOperations({ access: { url, baseUrl, apiKey } }: Server) {
  const info = await fetch(`${url}/_sandbox/v1/info`);
  const { portal } = (await info.json()) as { portal: { username: string; password: string } };
  const client = createGatewayClient({ environment: 'staging', baseUrl, apiKey, portal });
  const taken = new Map<string, number[]>();
  const timed = new Proxy(client, {
    get: (target, name: keyof GatewayClient) => async (input: never) => {
      const startedAt = performance.now();
      const result: unknown = await (target[name] as (given: never) => unknown)(input);
      taken.set(name, [...(taken.get(name) ?? []), performance.now() - startedAt]);
      return result;
    },
  });
  for (let index = 0; index < TIMES_EACH_OPERATION; index += 1) {
    await callEveryOperation(timed, `every-${index}`);
  }
  await client.close();
  return taken;
}

function judgeReady(ready: readonly number[]): Verdict {
  const measured = median(ready);
  const about = `ready after the start of the process, median of ${STARTS}`;
  const cells = [about, `${budgets.readyMs} ms`, `${measured.toFixed(0)} ms`];
  return { cells, isMet: measured <= budgets.readyMs };
}

function judgeRates(rates: readonly Rates[], operation: Operation): readonly Verdict[] {
  const of = (start: string): readonly number[] =>
    rates.find((row) => row.operation === operation && row.server.startsWith(start))?.rates ?? [];
  const atLeast = (peer: string, start: string, least: number, digits: number): Verdict => {
    const ratio = median(ratiosOf(of('sandbox'), of(start)));
    const about = `${operation}: calls a second ÷ ${peer}`;
    return { cells: [about, least.toFixed(digits), ratio.toFixed(digits)], isMet: ratio >= least };
  };
  return [
    atLeast('Prism mock', 'Prism', budgets.timesPrism, 1),
    atLeast('bare handler', 'bare', budgets.shareOfFloor, 2),
  ];
}

function judgeFull({ residentBytes, durations }: Full): readonly Verdict[] {
  const megabytes = residentBytes / 1e6;
  const times = [...durations].map(([name, taken]) => [name, quantile(taken, 0.95)] as const);
  const [slowest, p95] = times.toSorted((a, b) => b[1] - a[1])[0] ?? ['none', Number.NaN];
  const { residentMegabytes: most, p95Ms } = budgets;
  const memory = [`memory with ${SESSIONS} sessions`, `${most} MB`, `${megabytes.toFixed(0)} MB`];
  const about = `p95 of the slowest operation with ${SESSIONS} sessions`;
  return [
    { cells: memory, isMet: megabytes <= most },
    { cells: [about, `${p95Ms} ms`, `${p95.toFixed(2)} ms (${slowest})`], isMet: p95 <= p95Ms },
  ];
}
