import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../process/root.ts';
import type { Problem, Suite, TestResult } from './outcome.ts';

/** How many tests each file has, by its path. */
export type TestCounts = Readonly<Record<string, number>>;

const path = join(root, 'scripts/test-run/expected-tests.json');

/** The counts that the last whole runs recorded. */
export function readExpectedTests(): TestCounts {
  return JSON.parse(readFileSync(path, 'utf8')) as TestCounts;
}

/** Records counts, so that a test which vanishes later is missed. */
export function writeExpectedTests(counts: TestCounts): void {
  const sorted = Object.entries(counts).toSorted(([one], [other]) => (one < other ? -1 : 1));
  writeFileSync(path, `${JSON.stringify(Object.fromEntries(sorted), undefined, 2)}\n`);
}

/** The suite that a test file belongs to, by its name. */
export function suiteOf(file: string): Suite {
  const [, suite] = /\.(all|debian)\.test\.ts$/.exec(file) ?? [];
  return (suite as Suite | undefined) ?? 'quick';
}

/**
 * Finds files that ran fewer tests than were recorded. A test can vanish without a failure: a file
 * that another test file imports registers nothing where both share a worker, and a loop over an
 * empty table makes no test.
 *
 * @param ranIn The files that this run was to run.
 * @returns What is missing, and the counts to record in place of `expected`.
 */
export function compareCounts(
  expected: TestCounts,
  tests: readonly TestResult[],
  ranIn: (file: string) => boolean,
  exists: (file: string) => boolean = (file) => existsSync(join(root, file)),
): { readonly missing: readonly Problem[]; readonly counts: TestCounts } {
  const ran = countByFile(tests);
  const kept = Object.entries(expected).filter(([file]) => !ranIn(file));
  const missing = Object.entries(expected)
    .filter(([file, count]) => ranIn(file) && exists(file) && (ran[file] ?? 0) < count)
    .map(([file, count]) => ({
      runner: file,
      reason: `ran ${ran[file] ?? 0} of its ${count} tests. Where they were removed on purpose, run the same command with --record.`,
    }));
  return { missing, counts: { ...Object.fromEntries(kept), ...ran } };
}

function countByFile(tests: readonly TestResult[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { file } of tests) counts[file] = (counts[file] ?? 0) + 1;
  return counts;
}
