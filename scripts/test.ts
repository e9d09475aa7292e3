/** `npm test`, `npm run test:all` and `npm run tool -- debian`: steps, and the sum of all tests last. */
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bringPrograms, debianProgram, installChromium } from './debian-programs.ts';
import { endRunning, type Ended, installIn, root, run, runNode, troubleOf } from './process.ts';
import { chooseSteps } from './steps.ts';
import {
  compareCounts,
  countFailures,
  findNamedTests,
  isJourney,
  type NamedTests,
  outcomeLines,
  type Problem,
  readExpectedTests,
  resultsVariable,
  runnerOutcome,
  type RunResults,
  type StepOutcome,
  type Suite,
  suiteOf,
  type TestResult,
  writeExpectedTests,
} from './test-run/outcome.ts';

/** More than three times what the tests take alone on two cores: it ends what hangs, not what is slow. */
const RUNNER_LIMIT_MS = 50 * 60_000;

/** What a step may use. */
interface Run {
  readonly suite: Suite;
  readonly steps: readonly Step[];
  /** The tests that the command names; absent where the whole suite runs. */
  readonly named?: NamedTests;
}

interface Step {
  readonly name: string;
  readonly about: string;
  readonly run: (run: Run) => Promise<StepOutcome>;
}

const chromium = gate(
  'chromium',
  'the browser, installed where that is possible without asking',
  () => installChromium(),
);

const programs = gate(
  'programs',
  "Debian's programs, installed where that is possible without asking",
  bringPrograms,
);

const build = gate('build', 'the packages and the demo shop', () => runScript('scripts/build.ts'));

const types = gate('types', 'the type check, tests included', () =>
  run('tsc', ['-b'], { output: 'both' }),
);

const examples = gate('examples', 'examples/ from tarballs, each with a payment or a build', () =>
  runScript('scripts/examples.ts'),
);

const firstDays = gate('first-days', 'the documents by their letter, to a paid order', () =>
  runScript('scripts/first-days.ts'),
);

const contractTools = gate('contract-tools', 'the contract in Redocly, clients and Prism', () =>
  runScript('contract-tools/main.ts'),
);

const bench = gate('bench', 'the measurements compile', async () => {
  await installIn('bench');
  return run('tsc', ['-b', 'bench'], { output: 'both' });
});

const reporter = `--reporter=${join(root, 'scripts/test-run/results.ts')}`;

const vitest: Step = {
  name: 'vitest',
  about: 'unit, property, store and browser tests',
  run: async ({ suite, named }) => {
    const files = named?.files.filter((file) => !isJourney(file)) ?? [];
    // Files `.all.test.ts` may use the tools of `npm run check`, which a fresh clone has not yet.
    if (suite === 'all' || files.some((file) => suiteOf(file) === 'all')) {
      await installIn('scripts/tools');
    }
    const name = named?.name === undefined ? [] : ['-t', escapeText(named.name)];
    return runTests(suite, 'vitest', ['run', ...files, ...name, '--reporter=default', reporter]);
  },
};

const journeys: Step = {
  name: 'e2e',
  about: 'whole journeys in a real browser',
  run: ({ suite, named }) => {
    const files = named?.files.filter(isJourney).map(escapeText) ?? [];
    const name = named?.name === undefined ? [] : ['-g', escapeText(named.name)];
    const config = '--config=e2e/playwright.config.ts';
    const reporters = reporter.replace('=', '=list,');
    return runTests(suite, 'playwright', ['test', config, ...files, ...name, reporters]);
  },
};

const widget = 'packages/widget/src';
/** The tests that open the built files in a browser of their own, as far as Firefox can do that. */
const inOwnBrowser = ['console-advice', 'floors', 'hard-pages', 'pointer'];
/**
 * What Firefox cannot hold. This one has no scoped registry, its driver does not set the shopper's
 * preferences, and the runner loses a frame that went to an address without content.
 */
const notInFirefox = [
  'registers in a registry of the page too',
  'a shopper who wants less motion',
  'coming back by the back-forward cache',
  'a redirect that the browser swallows',
  'on a screen without a pointer',
  'unless motion is reduced \\(reduce',
].join('|');

const firefox: Step = {
  name: 'firefox',
  about: "the elements in Debian's Firefox",
  run: async () => {
    // axe does not end in a Firefox that is driven this way; it judges every state in Chromium.
    const inPage = readdirSync(join(root, widget)).filter(
      (file) => /^[^.]+\.test\.ts$/.test(file) && file !== 'accessibility.test.ts',
    );
    const found: StepOutcome[] = [];
    const env = { WIDGET_FIREFOX: debianProgram('firefox') };
    // The runner loses Firefox between two files.
    for (const file of [...inPage, ...inOwnBrowser.map((name) => `${name}.node.test.ts`)]) {
      const names = ['-t', `^(?!.*(${notInFirefox}))`, '--reporter=default', reporter];
      found.push(await runTests('quick', 'vitest', ['run', join(widget, file), ...names], env));
    }
    // A test that was filtered out by its name counts as skipped.
    const ran = found.flatMap(({ tests }) => tests).filter(({ state }) => state !== 'skipped');
    return {
      tests: ran.map((test) => ({ ...test, runner: 'firefox' })),
      problems: found.flatMap(({ problems }) => problems),
    };
  },
};

/** The steps of each suite in their order. */
const suites = {
  quick: {
    command: 'npm test',
    about: 'what every change must hold',
    steps: [chromium, build, types, vitest, journeys],
  },
  all: {
    command: 'npm run test:all',
    about: 'what npm test leaves out: slow, and seldom broken',
    steps: [chromium, build, examples, firstDays, contractTools, bench, vitest, journeys],
  },
  debian: {
    command: 'npm run tool -- debian',
    about: "what needs programs of Debian's packages",
    steps: [chromium, programs, build, vitest, firefox],
  },
} as const;

/** The steps that the named tests need. */
function stepsOf({ files }: NamedTests): readonly Step[] {
  const ofVitest = files.some((file) => !isJourney(file)) ? [vitest] : [];
  return [chromium, ...ofVitest, ...(files.some(isJourney) ? [build, journeys] : [])];
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
const { command, about, steps } = suites[suite];
/** A folder for what the reporters write. */
const folder = mkdtempSync(join(tmpdir(), 'pay-button-test-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

if (words.length > 0) {
  const named = findNamedTests(words);
  if (named === undefined) failWith(`No test file and no test's name has "${words.join(' ')}".`);
  else await runSteps({ suite: 'named', steps: stepsOf(named), named });
} else {
  const own = process.argv.slice(2).filter((one) => !/^--(?:suite=.*|record)$/.test(one));
  const chosen = chooseSteps(command, about, steps, own);
  const more = `
${command} -- --record          records how many tests each file has, where some were removed
npm test -- <words>             runs the test files whose paths have the words, of whatever suite
npm test -- <words> '<name>'    runs the tests of this name in them`;
  if (chosen.kind === 'run') {
    await runSteps({ suite, steps: steps.filter(({ name }) => chosen.names.has(name)) });
  } else if (chosen.kind === 'help') console.log(`${chosen.text}\n${more}`);
  else failWith(chosen.text);
}

async function runSteps(asked: Run): Promise<void> {
  const tests: TestResult[] = [];
  const problems: Problem[] = [];
  const isInterrupted = stopOnSignals(problems);
  try {
    for (const step of asked.steps) {
      if (isInterrupted()) break;
      console.log(`\n── ${step.name}: ${step.about}`);
      const outcome = await outcomeOf(step, asked, problems);
      tests.push(...outcome.tests);
      problems.push(...outcome.problems);
    }
    if (asked.named === undefined) problems.push(...missingTests(asked, { tests, problems }));
  } finally {
    finish({ tests, problems });
  }
}

async function outcomeOf(
  step: Step,
  asked: Run,
  earlier: readonly Problem[],
): Promise<StepOutcome> {
  const hasBuild = !earlier.some(({ runner }) => runner === 'build');
  const reason = 'not run, because the build failed';
  if (step === journeys && !hasBuild) return { tests: [], problems: [{ runner: 'e2e', reason }] };
  return step.run(asked).catch((error: unknown) => {
    return { tests: [], problems: [{ runner: step.name, reason: String(error) }] };
  });
}

/** Compares how many tests each file ran with what is recorded, and records what has grown. */
function missingTests(asked: Run, { tests, problems }: StepOutcome): readonly Problem[] {
  const runners = new Set(asked.steps.map(({ name }) => name));
  const { missing, counts } = compareCounts(
    readExpectedTests(),
    tests.filter(({ runner }) => runner !== 'firefox'),
    (file) => suiteOf(file) === asked.suite && runners.has(isJourney(file) ? 'e2e' : 'vitest'),
  );
  const isAsked = values.record === true;
  const mayRecord = isAsked || (missing.length === 0 && process.env['CI'] === undefined);
  // A broken run counts too little.
  if (mayRecord && countFailures({ tests, problems }) === 0) writeExpectedTests(counts);
  return isAsked ? [] : missing;
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

async function runTests(
  ofSuite: Suite,
  runner: 'vitest' | 'playwright',
  parameters: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<StepOutcome> {
  const file = join(folder, `${runner}.json`);
  rmSync(file, { force: true });
  const env = { [resultsVariable]: file, TEST_SUITE: ofSuite, ...more };
  const limits = { output: 'inherit', timeoutMs: RUNNER_LIMIT_MS } as const;
  const ended = await run(runner, parameters, { ...limits, env });
  return runnerOutcome(runner, readResults(file), ended);
}

/** What the reporter wrote; `undefined` where the runner ended before it, or in the middle of it. */
function readResults(path: string): RunResults | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as RunResults;
  } catch {
    return undefined;
  }
}

/** A step that holds, or gives a reason: the end of a process, whose last lines are repeated. */
function gate(name: string, what: string, work: () => Promise<Ended | string | undefined>): Step {
  const judge = async (): Promise<StepOutcome> => {
    const given = await work();
    const trouble = typeof given === 'object' ? troubleOf(given) : given;
    const reason = trouble?.split('\n').slice(-20).join('\n');
    return { tests: [], problems: reason === undefined ? [] : [{ runner: name, reason }] };
  };
  return { name, about: what, run: judge };
}

function runScript(path: string): Promise<Ended> {
  return runNode([join(root, path)], { output: 'both' });
}

/** Both runners read a name, and Playwright a path, as a regular expression. */
function escapeText(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}
