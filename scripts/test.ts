import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chooseSteps } from './process/choose-steps.ts';
import { endRunning } from './process/run.ts';
import { findNamedTests, type NamedTests } from './test-run/named-tests.ts';
import {
  compareCounts,
  countFailures,
  outcomeLines,
  type Problem,
  readExpectedTests,
  type StepOutcome,
  type Suite,
  suiteOf,
  type TestResult,
  writeExpectedTests,
} from './test-run/outcome.ts';
import { isJourney, stepsOf, suites, type TestStep } from './test-run/steps.ts';

interface Run {
  readonly suite: Suite;
  readonly steps: readonly TestStep[];
  readonly named?: NamedTests;
  /** Records the counts of this run although a file has fewer tests than before. */
  readonly record: boolean;
}

const { values, positionals: words } = parseArgs({
  args: process.argv.slice(2),
  strict: false,
  allowPositionals: true,
  options: {
    suite: { type: 'string', default: 'quick' },
    only: { type: 'string', multiple: true },
    record: { type: 'boolean', default: false },
  },
});
const suite = values.suite === 'all' || values.suite === 'debian' ? values.suite : 'quick';
const command = suite === 'quick' ? 'npm test' : `npm run test:${suite}`;
const record = values.record === true;

if (words.length > 0) {
  const named = findNamedTests(words);
  if (named === undefined) failWith(`No test file and no test's name has "${words.join(' ')}".`);
  else await runSteps({ suite: 'named', steps: stepsOf(named), named, record: false });
} else {
  const { about, steps } = suites[suite];
  const own = process.argv.slice(2).filter((one) => !/^--(?:suite=.*|record)$/.test(one));
  const chosen = chooseSteps(command, about, steps, own);
  const more = `
${command} -- --record          records how many tests each file has, where some were removed
npm test -- <words>             runs the test files whose paths have the words, of whatever suite
npm test -- <words> '<name>'    runs the tests of this name in them`;
  if (chosen.kind === 'help') console.log(`${chosen.text}\n${more}`);
  else if (chosen.kind === 'mistake') failWith(chosen.text);
  else {
    await runSteps({ suite, steps: steps.filter(({ name }) => chosen.names.has(name)), record });
  }
}

async function runSteps(run: Run): Promise<void> {
  const tests: TestResult[] = [];
  const problems: Problem[] = [];
  const isInterrupted = stopOnSignals(problems);
  const folder = mkdtempSync(join(tmpdir(), 'pay-button-test-'));
  try {
    for (const step of run.steps) {
      if (isInterrupted()) break;
      console.log(`\n── ${step.name}: ${step.about}`);
      const isBuilt = !problems.some(({ runner }) => runner === 'build');
      try {
        const outcome = await step.run({ ...run, folder, isBuilt });
        tests.push(...outcome.tests);
        problems.push(...outcome.problems);
      } catch (error) {
        problems.push({ runner: step.name, reason: String(error) });
      }
    }
    if (run.suite !== 'named') problems.push(...missingTests(run, { tests, problems }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
    finish({ tests, problems });
  }
}

/** Compares how many tests each file ran with what is recorded, and records what has grown. */
function missingTests(run: Run, { tests, problems }: StepOutcome): readonly Problem[] {
  const runners = new Set<string>(run.steps.map(({ name }) => name));
  const { missing, counts } = compareCounts(
    readExpectedTests(),
    tests.filter(({ runner }) => runner !== 'firefox'),
    (file) => suiteOf(file) === run.suite && runners.has(isJourney(file) ? 'e2e' : 'vitest'),
  );
  const mayRecord = run.record || (missing.length === 0 && process.env['CI'] === undefined);
  // A broken run counts too little.
  if (mayRecord && countFailures({ tests, problems }) === 0) writeExpectedTests(counts);
  return run.record ? [] : missing;
}

/** A first Ctrl-C ends the running step; the sum is still printed, and says that it is not whole. */
function stopOnSignals(problems: Problem[]): () => boolean {
  let isStopped = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (!isStopped) problems.push({ runner: 'run', reason: `stopped by ${signal}` });
      isStopped = true;
      endRunning('SIGTERM');
    });
  }
  return () => isStopped;
}

function failWith(reason: string): void {
  finish({ tests: [], problems: [{ runner: command, reason }] });
}

function finish(outcome: StepOutcome): void {
  for (const line of outcomeLines(outcome)) console.log(line);
  process.exitCode = countFailures(outcome) === 0 ? 0 : 1;
}
