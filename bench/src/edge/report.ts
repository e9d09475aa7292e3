import { describeMachine, type Measured, quantile, table, verdictOf } from '../measured.ts';
import type { Tallies, Tally } from './load.ts';
import { kinds, rates, REFUSED, type Kind } from './shoppers.ts';

const MAX_CHECKOUT_MS = 2_000;
const LEAST_USEFUL = 0.9;
const MAX_GROWTH = 0.1;

/** What was acknowledged and is not in the store. */
export interface Lost {
  readonly acknowledged: number;
  readonly checkouts: number;
  readonly webhooks: number;
  /** Paid orders without an event for the merchant. */
  readonly events: number;
}

/** What came of twice the load that the process can answer. */
export interface Overload {
  readonly tallies: Tallies;
  readonly fulfilled: number;
  /** How late the shop's event loop was, at p99, in milliseconds. */
  readonly loopDelayMs: number;
  /** The part of one core that the load's own process took. */
  readonly loadCpuShare: number;
}

/** What a run found. */
export interface Run extends Overload {
  readonly seconds: number;
  /** Of the usual load, what one process can answer. */
  readonly capacity: number;
  /** What came back of the process that was full, and for how long it was. */
  readonly full: Tallies;
  readonly fullSeconds: number;
  /** CPU of one answer of each kind, in microseconds, at a calm load. */
  readonly costs: Readonly<Record<Kind, number>>;
  /** Memory under a calm load after the overload ÷ before it. */
  readonly growth: number;
  /** What came back while the shop stopped. */
  readonly stopping: Tallies;
  readonly lost: Lost;
}

/** The figures of an overload and what became of its budgets, as Markdown. */
export function report(run: Run): Measured {
  const verdicts = judge(run);
  const { tallies, seconds, capacity, costs, fulfilled, loopDelayMs, loadCpuShare } = run;
  const perSecond = kinds
    .map((kind) => `${(rates[kind] * capacity).toFixed(0)} ${kind}s`)
    .join(', ');
  const each = kinds.map((kind) => `${kind} ${costs[kind].toFixed(0)}`).join(', ');
  const lines = [
    ...table(
      ['budget', ':', 'measured:', ''],
      verdicts.map(([about, budget, measured, isMet]) => [
        about,
        budget,
        measured,
        verdictOf(isMet),
      ]),
    ),
    ...table(
      ['offered', 'a second:', 'accepted, median ms:', 'p99 ms:', 'answers'],
      kinds.map((kind) => row(kind, tallies, seconds)),
    ),
    `One process answered ${perSecond} a second when it was full, and was offered twice as much for ${seconds} s; it fulfilled ${fulfilled.toLocaleString('en')} orders, and its event loop was late by ${loopDelayMs.toFixed(0)} ms at p99. An answer under a calm load took, in µs of CPU: ${each}. The load took ${(loadCpuShare * 100).toFixed(0)} % of a core to send. ${describeMachine()}`,
  ];
  return { markdown: lines.join('\n'), isWithinBudget: verdicts.every(([, , , isMet]) => isMet) };
}

type Verdict = readonly [about: string, budget: string, measured: string, isMet: boolean];

function judge(run: Run): readonly Verdict[] {
  const { tallies, stopping, seconds, growth, lost } = run;
  const p99 = quantile(accepted(tallies.get('checkout')), 0.99);
  const usefulShare =
    usefulWork(tallies, run.costs) / seconds / (usefulWork(run.full, run.costs) / run.fullSeconds);
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

function row(kind: Kind, tallies: Tallies, seconds: number): readonly string[] {
  const tally = tallies.get(kind);
  const times = [0.5, 0.99].map((share) => quantile(accepted(tally), share).toFixed(0));
  const answers = [...(tally?.byStatus ?? [])]
    .toSorted(([a], [b]) => a - b)
    .map(([status, count]) => `${count.toLocaleString('en')} × ${status}`);
  const perSecond = Math.round((tally?.latenciesMs.length ?? 0) / seconds).toLocaleString('en');
  return [kind, perSecond, ...times, answers.join(', ')];
}

const accepted = (tally: Tally | undefined): readonly number[] => tally?.acceptedMs ?? [];

const faultsOf = (tallies: Tallies): number =>
  [...tallies.values()]
    .flatMap(({ byStatus }) => [...byStatus])
    .reduce((sum, [status, count]) => sum + (status >= 500 && status !== REFUSED ? count : 0), 0);

/** What the accepted answers cost under a calm load, in microseconds. */
const usefulWork = (tallies: Tallies, costs: Run['costs']): number =>
  kinds.reduce((sum, kind) => sum + answersOf(tallies, kind) * costs[kind], 0);

/** Answers of one kind that were no refusals. */
export function answersOf(tallies: Tallies, kind: Kind): number {
  const { latenciesMs = [], byStatus } = tallies.get(kind) ?? {};
  return latenciesMs.length - (byStatus?.get(REFUSED) ?? 0);
}
