import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../process.ts';

/** A test file by suite: what `npm test`, `npm run test:all` and `npm run tool -- debian` run. */
export type Suite = 'quick' | 'all' | 'debian' | 'named';

/** What became of one test, or a {@link problem}; `file` is relative to the repository's top. */
export interface TestResult {
  /** `vitest`, `playwright` or `firefox`. */
  readonly runner: string;
  readonly file: string;
  readonly name: string;
  readonly state: 'passed' | 'failed' | 'skipped';
  readonly reason?: string;
}

/** What is wrong apart from single tests counts as one failure: a failed build, a crash, a test that vanished. */
export const problem = (runner: string, reason: string): TestResult => ({
  runner,
  file: '',
  name: reason,
  state: 'failed',
});

/**
 * Reads what a runner of tests wrote. A runner that wrote nothing, ran nothing or ended badly is a
 * problem: silence is never success.
 *
 * @param results What its reporter wrote; `undefined` where it ended before it could.
 * @param ended How its process ended.
 */
export function runnerOutcome(
  runner: string,
  results: readonly TestResult[] | undefined,
  { code, trouble }: { readonly code: number; readonly trouble: string | undefined },
): readonly TestResult[] {
  const tests = results ?? [];
  let reason = trouble;
  if (results === undefined) reason ??= `ended with code ${code} without results`;
  else if (tests.every(({ state }) => state === 'skipped')) reason ??= 'ran nothing';
  else if (code !== 0 && !tests.some(hasFailed)) {
    reason ??= `ended with code ${code} though no test failed`;
  }
  return reason === undefined ? tests : [...tests, problem(runner, reason)];
}

/** The end of a run as lines: a sum per runner, what failed and how to run it alone, and the sum. */
export function outcomeLines(results: readonly TestResult[]): readonly string[] {
  const tests = results.filter(({ file }) => file !== '');
  const runners = new Set(tests.map(({ runner }) => runner));
  return [
    '',
    ...[...runners].map(
      (runner) => `   ${runner}: ${sumLine(tests.filter((test) => test.runner === runner))}`,
    ),
    ...results.filter(hasFailed).flatMap(({ runner, name, file, reason = '' }) => {
      if (file === '') return ['', `✗ ${runner}: ${name}`];
      const quoted = `'${name.replaceAll("'", String.raw`'\''`)}'`;
      return ['', `✗ ${name}`, `  ${file}`, `  ${reason}`, `  npm test -- ${file} ${quoted}`];
    }),
    '',
    sumLine(results),
  ];
}

export function sumLine(results: readonly TestResult[]): string {
  const count = (wanted: TestResult['state']): number =>
    results.filter(({ state }) => state === wanted).length;
  return `${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`;
}

export const hasFailed = ({ state }: TestResult): boolean => state === 'failed';

export type TestCounts = Readonly<Record<string, number>>;

const expectedTests = join(root, 'scripts/test-run/expected-tests.json');

/** The counts that the last whole runs recorded. */
export function readExpectedTests(): TestCounts {
  return JSON.parse(readFileSync(expectedTests, 'utf8')) as TestCounts;
}

/** Records counts, so that a test which vanishes later is missed. */
export function writeExpectedTests(counts: TestCounts): void {
  const sorted = Object.entries(counts).toSorted(([one], [other]) => (one < other ? -1 : 1));
  writeFileSync(expectedTests, `${JSON.stringify(Object.fromEntries(sorted), undefined, 2)}\n`);
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
): { readonly missing: readonly TestResult[]; readonly counts: TestCounts } {
  const ran: Record<string, number> = {};
  for (const { file } of tests) ran[file] = (ran[file] ?? 0) + 1;
  const kept = Object.entries(expected).filter(([file]) => !ranIn(file));
  const missing = Object.entries(expected)
    .filter(([file, count]) => ranIn(file) && exists(file) && (ran[file] ?? 0) < count)
    .map(([file, count]) =>
      problem(
        file,
        `ran ${ran[file] ?? 0} of its ${count} tests. Where they were removed on purpose, write the new number into scripts/test-run/expected-tests.json.`,
      ),
    );
  return { missing, counts: { ...Object.fromEntries(kept), ...ran } };
}

/** Whether Playwright runs a test file, and not Vitest. */
export const isJourney = (file: string): boolean => file.startsWith('e2e/');

/** The tests that some words name. */
export interface NamedTests {
  readonly files: readonly string[];
  /** A part of the tests' names; absent where all tests of the files are meant. */
  readonly name?: string;
}

/**
 * Finds the tests that words name: a word that is part of test files' paths chooses these files, and
 * the other words are part of a test's name. Words that no path has are searched for in every file.
 *
 * @returns `undefined` where no file has them.
 */
export function findNamedTests(
  words: readonly string[],
  files: readonly string[] = testFiles(),
  read: (file: string) => string = (file) => readFileSync(join(root, file), 'utf8'),
): NamedTests | undefined {
  const isPath = (word: string): boolean => files.some((file) => file.includes(word));
  const inPaths = words.filter(isPath);
  const name = words.filter((word) => !isPath(word)).join(' ');
  const chosen = files.filter((file) => inPaths.every((word) => file.includes(word)));
  if (name === '') return chosen.length === 0 ? undefined : { files: chosen };
  // A table's test has a name that no file holds to the letter: a named file is run without a search.
  const having = inPaths.length > 0 ? chosen : chosen.filter((file) => read(file).includes(name));
  return having.length === 0 ? undefined : { files: having, name };
}

function testFiles(): readonly string[] {
  const folders = ['packages', 'demo', 'contract', 'scripts', 'e2e'];
  const exclude = (path: string): boolean => /(?:^|\/)(?:node_modules|dist)(?:\/|$)/.test(path);
  return globSync(
    folders.map((folder) => `${folder}/**/*.test.ts`),
    { cwd: root, exclude },
  ).toSorted();
}
