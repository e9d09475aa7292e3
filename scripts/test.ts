/** `npm test`, `npm run test:all` and `npm run tool -- debian`: steps, and the sum of all tests last. */
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bringPrograms, debianProgram, installChromium } from './debian-programs.ts';
import { endRunning, installIn, root, run, succeed } from './process.ts';
import { chooseSteps, helpOf, stepOptions } from './steps.ts';
import {
  compareCounts,
  findNamedTests,
  hasFailed,
  isJourney,
  type NamedTests,
  outcomeLines,
  problem,
  readExpectedTests,
  runnerOutcome,
  type Suite,
  suiteOf,
  type TestResult,
  writeExpectedTests,
} from './test-run/outcome.ts';
import { runners } from './test-run/results.ts';

/** More than three times what the tests take alone on two cores: it ends what hangs, not what is slow. */
const RUNNER_LIMIT_MS = 50 * 60_000;

interface Run {
  readonly suite: Suite;
  readonly steps: readonly Step[];
  /** The tests that the command names; absent where the whole suite runs. */
  readonly named?: NamedTests;
}

interface Step {
  readonly name: string;
  readonly about: string;
  /** Gives what its tests came to, or throws where it does not hold. */
  readonly run: (run: Run) => Promise<readonly TestResult[]>;
}

/** A step without tests, which holds or throws. */
const gate = (name: string, about: string, work: () => Promise<unknown>): Step => ({
  name,
  about,
  run: () => work().then(() => []),
});

const script = (name: string, about: string, path: string): Step =>
  gate(name, about, () => succeed(process.execPath, [join(root, path)], { output: 'both' }));

const compile = (...projects: readonly string[]) =>
  succeed('tsc', ['-b', ...projects], { output: 'both' });

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

const build = script('build', 'the packages and the demo shop', 'scripts/build.ts');
const types = gate('types', 'the type check, tests included', () => compile());
const bench = gate('bench', 'the measurements compile', async () => {
  await installIn('bench');
  await compile('bench');
});

const examples = 'examples/ from tarballs, each with a payment or a build';
const firstDays = 'the documents by their letter, to a paid order';
const contractTools = 'the contract in Redocly, clients and Prism';

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
    return runTests(suite, 'vitest', ['run', ...files, ...name]);
  },
};

const journeys: Step = {
  name: 'e2e',
  about: 'whole journeys in a real browser',
  run: ({ suite, named }) => {
    const files = named?.files.filter(isJourney).map(escapeText) ?? [];
    const name = named?.name === undefined ? [] : ['-g', escapeText(named.name)];
    const config = '--config=e2e/playwright.config.ts';
    return runTests(suite, 'playwright', ['test', config, ...files, ...name]);
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
    const found: TestResult[] = [];
    const env = { WIDGET_FIREFOX: debianProgram('firefox') };
    // The runner loses Firefox between two files.
    for (const file of [...inPage, ...inOwnBrowser.map((name) => `${name}.node.test.ts`)]) {
      const parameters = ['run', join(widget, file), '-t', `^(?!.*(${notInFirefox}))`];
      found.push(...(await runTests('quick', 'vitest', parameters, env)));
    }
    // A test that was filtered out by its name counts as skipped.
    const ran = found.filter(({ state }) => state !== 'skipped');
    return ran.map((test) => ({ ...test, runner: 'firefox' }));
  },
};

const suites = {
  quick: {
    command: 'npm test',
    about: 'what every change must hold',
    steps: [chromium, build, types, vitest, journeys],
  },
  all: {
    command: 'npm run test:all',
    about: 'what npm test leaves out: slow, and seldom broken',
    steps: [
      chromium,
      build,
      script('examples', examples, 'scripts/examples.ts'),
      script('first-days', firstDays, 'scripts/first-days.ts'),
      script('contract-tools', contractTools, 'contract-tools/main.ts'),
      bench,
      vitest,
      journeys,
    ],
  },
  debian: {
    command: 'npm run tool -- debian',
    about: "what needs programs of Debian's packages",
    steps: [chromium, programs, build, vitest, firefox],
  },
} as const;

/** A folder for what the reporters write. */
const folder = mkdtempSync(join(tmpdir(), 'pay-button-test-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const helpOnWords = `
npm test -- <words>             runs the test files whose paths have the words, of whatever suite
npm test -- <words> '<name>'    runs the tests of this name in them`;

// The last line is the sum, also where nothing could be run.
await main().catch((error: unknown) => finish([problem('npm test', (error as Error).message)]));

async function main(): Promise<void> {
  const { values, positionals: words } = parseArgs({
    allowPositionals: true,
    options: { suite: { type: 'string', default: 'quick' }, ...stepOptions },
  });
  const suite = values.suite as keyof typeof suites;
  const { command, about, steps } = suites[suite];
  if (values.help === true) return console.log(helpOf(command, about, steps) + helpOnWords);
  if (words.length === 0) return runSteps({ suite, steps: chooseSteps<Step>(steps, values.only) });
  const named = findNamedTests(words);
  if (named === undefined)
    throw new Error(`No test file and no test's name has "${words.join(' ')}".`);
  const ofVitest = named.files.some((file) => !isJourney(file)) ? [vitest] : [];
  const ofBrowser = named.files.some(isJourney) ? [build, journeys] : [];
  return runSteps({ suite: 'named', steps: [chromium, ...ofVitest, ...ofBrowser], named });
}

async function runSteps(asked: Run): Promise<void> {
  const results: TestResult[] = [];
  const isInterrupted = stopOnSignals(results);
  try {
    for (const step of asked.steps) {
      if (isInterrupted()) break;
      console.log(`\n── ${step.name}: ${step.about}`);
      results.push(...(await outcomeOf(step, asked, results)));
    }
    if (asked.named === undefined) results.push(...missingTests(asked, results));
  } finally {
    finish(results);
  }
}

async function outcomeOf(step: Step, asked: Run, earlier: readonly TestResult[]) {
  if (step === journeys && earlier.some(({ runner }) => runner === 'build')) {
    return [problem('e2e', 'not run, because the build failed')];
  }
  return step.run(asked).catch((error: unknown) => {
    // The words of its program are above; the last lines say why.
    return [problem(step.name, (error as Error).message.split('\n').slice(-20).join('\n'))];
  });
}

/** Compares how many tests each file ran with what is recorded, and records what has grown. */
function missingTests(asked: Run, results: readonly TestResult[]): readonly TestResult[] {
  const asking = new Set(asked.steps.map(({ name }) => name));
  const { missing, counts } = compareCounts(
    readExpectedTests(),
    results.filter(({ runner, file }) => runner !== 'firefox' && file !== ''),
    (file) => suiteOf(file) === asked.suite && asking.has(isJourney(file) ? 'e2e' : 'vitest'),
  );
  // A broken run counts too little.
  const isSound = missing.length === 0 && !results.some(hasFailed);
  if (isSound && process.env['CI'] === undefined) writeExpectedTests(counts);
  return missing;
}

/** A first Ctrl-C ends the running step; the sum is still printed, and says that it is not whole. */
function stopOnSignals(results: TestResult[]): () => boolean {
  let isStopped = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (!isStopped) results.push(problem('run', `stopped by ${signal}`));
      isStopped = true;
      endRunning('SIGTERM');
    });
  }
  return () => isStopped;
}

function finish(results: readonly TestResult[]): void {
  for (const line of outcomeLines(results)) console.log(line);
  process.exitCode = results.some(hasFailed) ? 1 : 0;
}

async function runTests(
  ofSuite: Suite,
  runner: keyof typeof runners,
  parameters: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<readonly TestResult[]> {
  const file = join(folder, `${runner}.json`);
  rmSync(file, { force: true });
  const limits = { output: 'inherit', timeoutMs: RUNNER_LIMIT_MS } as const;
  const { reporters, env: where, read } = runners[runner];
  const env = { ...where(file), TEST_SUITE: ofSuite, ...more };
  const ended = await run(runner, [...parameters, ...reporters(file)], { ...limits, env });
  let results: readonly TestResult[] | undefined;
  try {
    results = read(readFileSync(file, 'utf8'));
  } catch {
    // The runner ended before its reporter wrote, or in the middle of it.
  }
  return runnerOutcome(runner, results, ended);
}

/** Both runners read a name, and Playwright a path, as a regular expression. */
function escapeText(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}
