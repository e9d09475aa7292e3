import {
  describeMachine,
  judged,
  type Measured,
  quantile,
  table,
  type Verdict,
} from '../measured.ts';
import { newTally, type Tallies } from './load.ts';
import { kinds, rates, REFUSED, type Kind } from './shoppers.ts';

const MAX_CHECKOUT_MS = 2_000;
const LEAST_USEFUL = 0.9;
const MAX_GROWTH = 0.1;

/** What a run found. */
export interface Run {
  /** How long the process was offered twice the load that it can answer, and what came back. */
  readonly seconds: number;
  readonly tallies: Tallies;
  readonly fulfilled: number;
  /** How late the shop's event loop was, at p99, in milliseconds. */
  readonly loopDelayMs: number;
  /** The part of one core that the load's own process took. */
  readonly loadCpuShare: number;
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
  /** What was acknowledged, and how much of that is not in the store. */
  readonly acknowledged: number;
  readonly lost: number;
}

/** The figures of an overload and what became of its budgets, as Markdown. */
export function report(run: Run): Measured {
  const { tallies, seconds, capacity, costs, fulfilled, loopDelayMs, loadCpuShare } = run;
  const perSecond = kinds.map((kind) => `${(rates[kind] * capacity).toFixed(0)} ${kind}s`);
  const each = kinds.map((kind) => `${kind} ${costs[kind].toFixed(0)}`);
  return judged(
    ['budget', ':', 'measured:'],
    judge(run),
    ...table(
      ['offered', 'a second:', 'accepted, median ms:', 'p99 ms:', 'answers'],
      kinds.map((kind) => row(kind, tallies, seconds)),
    ),
    `One process answered ${perSecond.join(', ')} a second when it was full, and was offered twice as much for ${seconds} s; it fulfilled ${fulfilled.toLocaleString('en')} orders, and its event loop was late by ${loopDelayMs.toFixed(0)} ms at p99. An answer under a calm load took, in µs of CPU: ${each.join(', ')}. The load took ${(loadCpuShare * 100).toFixed(0)} % of a core to send. ${describeMachine()}`,
  );
}

function judge(run: Run): readonly Verdict[] {
  const { tallies, stopping, seconds, growth, lost, acknowledged } = run;
  const p99 = quantile(tallies.get('checkout')?.acceptedMs ?? [], 0.99);
  const usefulShare =
    usefulWork(tallies, run.costs) / seconds / (usefulWork(run.full, run.costs) / run.fullSeconds);
  const [checkouts, webhooks, polls] = kinds.map((kind) => {
    const { byStatus, latenciesMs } = tallies.get(kind) ?? {};
    return (byStatus?.get(REFUSED) ?? 0) / (latenciesMs?.length ?? 1);
  }) as [number, number, number];
  const shares = [polls, checkouts, webhooks].map((share) => `${(share * 100).toFixed(0)} %`);
  const isInOrder = webhooks === 0 && (checkouts === 0 || polls >= 0.9);
  const faults = faultsOf(tallies) + faultsOf(stopping);
  const failures = [...tallies].flatMap(([name, tally]) =>
    [...tally.failures].map(([code, count]) => `${count} × ${code} of a ${name}`),
  );
  const verdict = (isMet: boolean, ...cells: readonly string[]): Verdict => ({ cells, isMet });
  return [
    verdict(
      p99 <= MAX_CHECKOUT_MS,
      'p99 of an accepted checkout',
      '≤ 2 s',
      `${(p99 / 1e3).toFixed(2)} s`,
    ),
    verdict(
      usefulShare >= LEAST_USEFUL,
      'useful work ÷ capacity',
      `≥ ${LEAST_USEFUL.toFixed(2)}`,
      usefulShare.toFixed(2),
    ),
    verdict(isInOrder, 'refused: polls, checkouts, webhooks', 'polls first', shares.join(', ')),
    verdict(faults === 0, 'faults, also while stopping', '0', String(faults)),
    verdict(failures.length === 0, 'requests without an answer', '0', failures.join(', ') || '0'),
    verdict(growth < 1 + MAX_GROWTH, 'memory after the load ÷ before', '≤ 1.10', growth.toFixed(2)),
    verdict(
      lost === 0,
      'acknowledged and lost by stopping',
      '0',
      `${lost} of ${acknowledged.toLocaleString('en')}`,
    ),
  ];
}

function row(kind: Kind, tallies: Tallies, seconds: number): readonly string[] {
  const { acceptedMs, byStatus, latenciesMs } = tallies.get(kind) ?? newTally();
  const times = [0.5, 0.99].map((share) => quantile(acceptedMs, share).toFixed(0));
  const answers = [...byStatus]
    .toSorted(([a], [b]) => a - b)
    .map(([status, count]) => `${count.toLocaleString('en')} × ${status}`);
  const perSecond = Math.round(latenciesMs.length / seconds).toLocaleString('en');
  return [kind, perSecond, ...times, answers.join(', ')];
}

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
