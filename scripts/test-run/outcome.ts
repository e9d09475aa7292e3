/** A test file by suite: what `npm test`, `npm run test:all` and `npm run test:debian` run. */
export type Suite = 'quick' | 'all' | 'debian' | 'named';

/** What became of one test; `file` is relative to the repository's top. */
export interface TestResult {
  /** The Vitest project, or `playwright`. */
  readonly runner: string;
  readonly file: string;
  readonly name: string;
  readonly state: 'passed' | 'failed' | 'skipped';
  /** The first line of its error. */
  readonly reason?: string;
}

/** What a runner's reporter writes at its end. */
export interface RunResults {
  readonly tests: readonly TestResult[];
  /** Errors that belong to no test. */
  readonly errors: readonly string[];
}

/** Where a reporter writes its {@link RunResults}; set by the test run. */
export const resultsVariable = 'TEST_RESULTS_FILE';

/** Something that is wrong apart from single tests: a failed build, a crash, a test that vanished. */
export interface Problem {
  readonly runner: string;
  readonly reason: string;
}

/** What a step of the run found. */
export interface StepOutcome {
  readonly tests: readonly TestResult[];
  readonly problems: readonly Problem[];
}

/**
 * Reads what a runner of tests wrote. A runner that wrote nothing, ran nothing or ended badly is a
 * problem: silence is never success.
 *
 * @param results What its reporter wrote; `undefined` where it ended before it could.
 * @param ended How its process ended.
 */
export function runnerOutcome(
  runner: string,
  results: RunResults | undefined,
  ended: { readonly code: number; readonly trouble: string | undefined },
): StepOutcome {
  const { tests, errors } = results ?? { tests: [], errors: [] };
  const reasons = [...errors];
  if (ended.trouble !== undefined) reasons.push(ended.trouble);
  else if (results === undefined) reasons.push(`ended with code ${ended.code} without results`);
  else if (tests.every(({ state }) => state === 'skipped')) reasons.push('ran nothing');
  else if (ended.code !== 0 && errors.length === 0 && !tests.some(hasFailed)) {
    reasons.push(`ended with code ${ended.code} though no test failed`);
  }
  return { tests, problems: reasons.map((reason) => ({ runner, reason })) };
}

/** The end of a run as lines: a sum per runner, what failed and how to run it alone, and the sum. */
export function outcomeLines({ tests, problems }: StepOutcome): readonly string[] {
  const runners = new Set(tests.map(({ runner }) => runner));
  return [
    '',
    ...[...runners].map((runner) => {
      const own = tests.filter((test) => test.runner === runner);
      return `   ${runner}: ${sumLine({ tests: own, problems: [] })}`;
    }),
    ...tests.filter(hasFailed).flatMap(failureLines),
    ...problems.flatMap(({ runner, reason }) => ['', `✗ ${runner}: ${reason}`]),
    '',
    sumLine({ tests, problems }),
  ];
}

/** The line that ends every run. Each problem counts as one failure. */
export function sumLine({ tests, problems }: StepOutcome): string {
  const count = (state: TestResult['state']): number =>
    tests.filter((test) => test.state === state).length;
  return `${count('passed')} passed, ${countFailures({ tests, problems })} failed, ${count('skipped')} skipped`;
}

/** How many things failed. */
export function countFailures({ tests, problems }: StepOutcome): number {
  return tests.filter(hasFailed).length + problems.length;
}

function failureLines({ name, file, reason }: TestResult): readonly string[] {
  const quoted = `'${name.replaceAll("'", String.raw`'\''`)}'`;
  return ['', `✗ ${name}`, `  ${file}`, `  ${reason ?? ''}`, `  npm test -- ${file} ${quoted}`];
}

function hasFailed({ state }: TestResult): boolean {
  return state === 'failed';
}
