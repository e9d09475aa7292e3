import { describeMachine } from '../machine.ts';
import type { Measured } from '../measured.ts';
import { quantile } from '../quantile.ts';
import type { Lost } from './lost.ts';
import type { Tally } from './open-loop.ts';
import { kinds, REFUSED, type Kind } from './shoppers.ts';
import type { ShopAnswer } from './shop.ts';

const MAX_CHECKOUT_MS = 2_000;
const LEAST_USEFUL = 0.9;
const MAX_GROWTH = 0.1;

/** What a run found. */
export interface Run {
  readonly seconds: number;
  /** Of the usual load, what one process can answer. */
  readonly capacity: number;
  /** CPU of one answer of each kind, in microseconds, without overload. */
  readonly costs: Readonly<Record<Kind, number>>;
  /** What came back at more load than the capacity. */
  readonly tallies: ReadonlyMap<string, Tally>;
  readonly before: ShopAnswer;
  readonly after: ShopAnswer;
  /** What came back while the shop stopped. */
  readonly stopping: ReadonlyMap<string, Tally>;
  readonly lost: Lost;
}

/** The figures of an overload and what became of its budgets, as Markdown. */
export function report(run: Run): Measured {
  const verdicts = judge(run);
  const { tallies, seconds, capacity, costs, after, before } = run;
  const fulfilled = after.fulfilled - before.fulfilled;
  const each = kinds.map((kind) => `${kind} ${costs[kind].toFixed(0)}`).join(', ');
  const lines = [
    '| budget | | measured | |',
    '|---|---:|---:|---|',
    ...verdicts.map(
      ([about, budget, measured, isMet]) =>
        `| ${about} | ${budget} | ${measured} | ${isMet ? 'met' : '**not met**'} |`,
    ),
    '',
    '| offered | a second | accepted, median ms | p99 ms | answers |',
    '|---|---:|---:|---:|---|',
    ...kinds.map((kind) => row(kind, tallies, seconds)),
    '',
    `One process can answer ${(capacity * 100).toFixed(0)} % of the usual load (300 checkouts, 1,500 webhooks, 2,000 polls a second; CPU in µs: ${each}) and was offered twice as much for ${seconds} s; it fulfilled ${fulfilled.toLocaleString('en')} orders, and its event loop was late by ${after.loopDelayMs.toFixed(0)} ms at p99. ${describeMachine()}`,
  ];
  return { markdown: lines.join('\n'), isWithinBudget: verdicts.every(([, , , isMet]) => isMet) };
}

type Verdict = readonly [about: string, budget: string, measured: string, isMet: boolean];

function judge({
  tallies,
  stopping,
  costs,
  seconds,
  before,
  after,
  lost,
}: Run): readonly Verdict[] {
  const p99 = quantile(accepted(tallies.get('checkout')), 0.99);
  const useful = kinds.reduce((sum, kind) => sum + answersOf(tallies, kind) * costs[kind], 0);
  const usefulShare = useful / 1e6 / seconds;
  const refused = (kind: Kind): number => {
    const tally = tallies.get(kind);
    return (tally?.byStatus.get(REFUSED) ?? 0) / (tally?.latenciesMs.length ?? 1);
  };
  const [checkouts, webhooks, polls] = kinds.map(refused) as [number, number, number];
  const shares = [polls, checkouts, webhooks].map((share) => `${(share * 100).toFixed(0)} %`);
  const isInOrder = webhooks === 0 && (checkouts === 0 || polls >= 0.9);
  const faults = [tallies, stopping].reduce((sum, one) => sum + faultsOf(one), 0);
  const failures = [...tallies].flatMap(([name, tally]) =>
    [...tally.failures].map(([code, count]) => `${count} × ${code} of a ${name}`),
  );
  const growth = after.heapBytes / before.heapBytes;
  const missing = lost.checkouts + lost.webhooks + lost.events;
  return [
    ['p99 of an accepted checkout', '≤ 2 s', `${(p99 / 1e3).toFixed(2)} s`, p99 <= MAX_CHECKOUT_MS],
    [
      'useful work ÷ capacity',
      `≥ ${LEAST_USEFUL.toFixed(2)}`,
      usefulShare.toFixed(2),
      usefulShare >= LEAST_USEFUL,
    ],
    ['refused: polls, checkouts, webhooks', 'polls first', shares.join(', '), isInOrder],
    ['faults, also while stopping', '0', String(faults), faults === 0],
    ['requests without an answer', '0', failures.join(', ') || '0', failures.length === 0],
    ['memory after the load ÷ before', '≤ 1.10', growth.toFixed(2), growth < 1 + MAX_GROWTH],
    [
      'acknowledged and lost by stopping',
      '0',
      `${missing} of ${lost.acknowledged.toLocaleString('en')}`,
      missing === 0,
    ],
  ];
}

function row(kind: Kind, tallies: ReadonlyMap<string, Tally>, seconds: number): string {
  const tally = tallies.get(kind);
  const [median, p99] = [0.5, 0.99].map((q) => quantile(accepted(tally), q).toFixed(0));
  const answers = [...(tally?.byStatus ?? [])]
    .toSorted(([a], [b]) => a - b)
    .map(([status, count]) => `${count.toLocaleString('en')} × ${status}`);
  const perSecond = Math.round((tally?.latenciesMs.length ?? 0) / seconds).toLocaleString('en');
  return `| ${kind} | ${perSecond} | ${median} | ${p99} | ${answers.join(', ')} |`;
}

const accepted = (tally: Tally | undefined): readonly number[] => tally?.acceptedMs ?? [];

const faultsOf = (tallies: ReadonlyMap<string, Tally>): number =>
  [...tallies.values()]
    .flatMap(({ byStatus }) => [...byStatus])
    .reduce((sum, [status, count]) => sum + (status >= 500 && status !== REFUSED ? count : 0), 0);

/** Answers of one kind that were no refusals. */
export function answersOf(tallies: ReadonlyMap<string, Tally>, kind: Kind): number {
  const { latenciesMs = [], byStatus } = tallies.get(kind) ?? {};
  return latenciesMs.length - (byStatus?.get(REFUSED) ?? 0);
}
