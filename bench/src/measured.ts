import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { cpus, loadavg, totalmem } from 'node:os';

/** What a measurement ends with. */
export interface Measured {
  /** The figures, with the machine and the versions that they hold for. */
  readonly markdown: string;
  /** Which marks they are kept between, where only a part was measured. @defaultValue the bench's name */
  readonly marks?: string;
  /** False when a budget was missed by more than the noise. */
  readonly isWithinBudget: boolean;
}

/** A Markdown table and an empty line; a title that ends in a colon stands at the right. */
export function table(
  titles: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): readonly string[] {
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
  const sides = titles.map((title) => (title.endsWith(':') ? '---:' : '---'));
  return [line(titles.map((title) => title.replace(/:$/, ''))), line(sides), ...rows.map(line), ''];
}

/** A figure beside its budget, in the cells of a table's row. */
export interface Verdict {
  readonly cells: readonly (string | number)[];
  readonly isMet: boolean;
  /** Whether it is missed by more than the noise. @defaultValue whether it is missed */
  readonly isClearlyMissed?: boolean;
}

/** A measurement that ends with a table of its budgets, and with further lines. */
export function judged(
  titles: readonly string[],
  verdicts: readonly Verdict[],
  ...further: readonly string[]
): Measured {
  const rows = verdicts.map(({ cells, isMet, isClearlyMissed = true }) => {
    const missed = isClearlyMissed ? '**not met**' : 'not met, within the noise';
    return [...cells, isMet ? 'met' : missed];
  });
  return {
    markdown: [...table([...titles, ''], rows), ...further].join('\n'),
    isWithinBudget: verdicts.every(
      ({ isMet, isClearlyMissed = true }) => isMet || !isClearlyMissed,
    ),
  };
}

/** Does a work so many times, so many at a time. @returns the seconds that all took */
export async function atATime(
  lanes: number,
  times: number,
  work: () => Promise<unknown>,
): Promise<number> {
  const startedAt = performance.now();
  let left = times;
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await work();
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return (performance.now() - startedAt) / 1_000;
}

/** The value below which a share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.round((sorted.length - 1) * share)] ?? Number.NaN;
}

/** The value in the middle. */
export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** The values between which the middle half lies. */
export const quarters = (values: readonly number[], digits: number): string =>
  [0.25, 0.75].map((share) => quantile(values, share).toFixed(digits)).join(' to ');

/**
 * What one shop took beside another, round by round: two rounds of a pair ran soon after each other,
 * so that a busy machine makes both slow and their ratio little.
 */
export const ratiosOf = (ours: readonly number[], theirs: readonly number[]): readonly number[] =>
  ours.map((value, round) => value / (theirs[round] ?? Number.NaN));

/** Whether the middle of the rounds is within a bound, and three rounds of four are not. */
export function judgeRatios(
  ratios: readonly number[],
  bound: number,
  side: 'at least' | 'at most' = 'at most',
): { readonly isMet: boolean; readonly isClearlyMissed: boolean } {
  const [lower, middle, upper] = [0.25, 0.5, 0.75].map((share) => quantile(ratios, share));
  if (side === 'at most') {
    return { isMet: (middle ?? bound) <= bound, isClearlyMissed: (lower ?? 0) > bound };
  }
  return { isMet: (middle ?? 0) >= bound, isClearlyMissed: (upper ?? bound) < bound };
}

/** The rows in turn: each round begins with another one. */
export function inTurn<Row>(rows: readonly Row[], round: number): readonly Row[] {
  const first = round % rows.length;
  return [...rows.slice(first), ...rows.slice(0, first)];
}

/** One line that tells what a measurement ran on, and when. */
export function describeMachine(extra = ''): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  const day = new Date().toISOString().slice(0, 10);
  return `${cpus().length} × ${cpu?.model ?? 'unknown'}, ${memory} GiB, ${process.platform} ${process.arch}, Node ${process.versions.node}${extra}; load average ${(loadavg()[0] ?? 0).toFixed(1)}; ${day}`;
}

/** The version of a package as it is installed here. */
export function packageVersion(name: string): string {
  const manifest = readFileSync(findPackageJSON(name, import.meta.url) ?? '', 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
