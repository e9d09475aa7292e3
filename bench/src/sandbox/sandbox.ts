import { describeMachine } from '../machine.ts';
import type { Measured } from '../measured.ts';
import { median, quantile } from '../quantile.ts';
import { budgets, medianRatio, type Verdict } from './budgets.ts';
import { floor, prepare, sandbox } from './contenders.ts';
import { callEveryOperation, type Durations } from './every-operation.ts';
import { Load, operations } from './load.ts';
import { measureRates, type Rates } from './rates.ts';
import { startServer } from './server.ts';

const STARTS = 9;
const TIMES_EACH_OPERATION = 100;
const FILLED_AT_A_TIME = 32;

/** The sandbox's budgets beside a bare handler and a Prism mock, as Markdown. */
export async function measureSandbox(onProgress: (text: string) => void): Promise<Measured> {
  await prepare(onProgress);
  const ready = await measureReady(onProgress);
  const rates = await measureRates(onProgress);
  const full = await measureFull(onProgress);
  const verdicts = [...judgeReady(ready), ...judgeRates(rates), ...judgeFull(full)];
  const lines = [
    '| budget | at most / at least | measured | |',
    '|---|---:|---:|---|',
    ...verdicts.map(({ about, budget, measured, isMet }) => {
      return `| ${about} | ${budget} | ${measured} | ${isMet ? 'met' : '**not met**'} |`;
    }),
    '',
    ...rateTable(rates),
    ...durationTable(full.durations),
    describeMachine(', Prism 5.16.0'),
  ];
  return { markdown: lines.join('\n'), isWithinBudget: verdicts.every(({ isMet }) => isMet) };
}

interface Ready {
  readonly sandboxMs: readonly number[];
  readonly floorMs: readonly number[];
}

async function measureReady(onProgress: (text: string) => void): Promise<Ready> {
  const sandboxMs: number[] = [];
  const floorMs: number[] = [];
  for (let start = 0; start < STARTS; start += 1) {
    onProgress(`start ${start + 1} of ${STARTS}`);
    for (const [kind, times] of [
      [floor, floorMs],
      [sandbox, sandboxMs],
    ] as const) {
      const server = await startServer(kind);
      times.push(server.readyMs);
      await server.end();
    }
  }
  return { sandboxMs, floorMs };
}

interface Full {
  readonly residentBytes: number;
  readonly durations: Durations;
}

/** Fills a sandbox with sessions, one call at a time for each of a few connections, and asks on. */
async function measureFull(onProgress: (text: string) => void): Promise<Full> {
  const server = await startServer(sandbox);
  const load = new Load(server);
  try {
    const step = budgets.sessions / 10;
    for (let made = 0; made < budgets.sessions; made += step) {
      onProgress(
        `${made.toLocaleString('en')} sessions of ${budgets.sessions.toLocaleString('en')}`,
      );
      await load.measure('create link', step, FILLED_AT_A_TIME);
    }
    const residentBytes = server.residentBytes();
    onProgress('every operation, in a full sandbox');
    const durations = await callEveryOperation(server, TIMES_EACH_OPERATION);
    return { residentBytes, durations };
  } finally {
    await load.close();
    await server.end();
  }
}

function judgeReady({ sandboxMs, floorMs }: Ready): readonly Verdict[] {
  const measured = median(sandboxMs);
  const bare = `${median(floorMs).toFixed(0)} ms for the bare handler`;
  return [
    {
      about: `ready after the start of the process, median of ${STARTS}`,
      budget: `${budgets.readyMs} ms`,
      measured: `${measured.toFixed(0)} ms (${bare})`,
      isMet: measured <= budgets.readyMs,
    },
  ];
}

function judgeRates(rates: readonly Rates[]): readonly Verdict[] {
  return operations.flatMap((operation) => {
    const of = (start: string): readonly number[] =>
      rates.find((row) => row.operation === operation && row.server.startsWith(start))?.rates ?? [];
    const timesPrism = medianRatio(of('sandbox'), of('Prism'));
    const shareOfFloor = medianRatio(of('sandbox'), of('bare'));
    return [
      {
        about: `${operation}: calls a second ÷ Prism mock`,
        budget: budgets.timesPrism.toFixed(1),
        measured: timesPrism.toFixed(1),
        isMet: timesPrism >= budgets.timesPrism,
      },
      {
        about: `${operation}: calls a second ÷ bare handler`,
        budget: budgets.shareOfFloor.toFixed(2),
        measured: shareOfFloor.toFixed(2),
        isMet: shareOfFloor >= budgets.shareOfFloor,
      },
    ];
  });
}

function judgeFull({ residentBytes, durations }: Full): readonly Verdict[] {
  const megabytes = residentBytes / 1_000_000;
  const [slowest = '', p95 = Number.NaN] =
    [...durations]
      .map(([operation, taken]) => [operation, quantile(taken, 0.95)] as const)
      .toSorted((a, b) => b[1] - a[1])[0] ?? [];
  const sessions = budgets.sessions.toLocaleString('en');
  return [
    {
      about: `memory with ${sessions} sessions`,
      budget: `${budgets.residentMegabytes} MB`,
      measured: `${megabytes.toFixed(0)} MB`,
      isMet: megabytes <= budgets.residentMegabytes,
    },
    {
      about: `p95 of the slowest operation with ${sessions} sessions`,
      budget: `${budgets.p95Ms} ms`,
      measured: `${p95.toFixed(2)} ms (${slowest})`,
      isMet: p95 <= budgets.p95Ms,
    },
  ];
}

function rateTable(rates: readonly Rates[]): readonly string[] {
  return [
    '| 16 at a time | call | calls a second | CPU of the server a call, µs |',
    '|---|---|---:|---:|',
    ...rates.map(({ server, operation, rates: perSecond, cpu }) => {
      const rounded = Math.round(median(perSecond)).toLocaleString('en');
      return `| ${server} | ${operation} | ${rounded} | ${median(cpu).toFixed(0)} |`;
    }),
    '',
  ];
}

function durationTable(durations: Durations): readonly string[] {
  return [
    `| with ${budgets.sessions.toLocaleString('en')} sessions, through our client | median, ms | p95, ms |`,
    '|---|---:|---:|',
    ...[...durations].map(([operation, taken]) => {
      return `| ${operation} | ${median(taken).toFixed(2)} | ${quantile(taken, 0.95).toFixed(2)} |`;
    }),
    '',
  ];
}
