import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bringPrograms, debianProgram } from '../debian-programs.ts';
import { installChromium } from '../install-packages.ts';
import { root } from '../process/root.ts';
import { run, runNode, type Ended } from '../process/run.ts';
import { firefoxFiles, firefoxTests } from '../widget-in-firefox.ts';
import type { NamedTests } from './named-tests.ts';
import {
  resultsVariable,
  runnerOutcome,
  type RunResults,
  type StepOutcome,
  type Suite,
  suiteOf,
} from './outcome.ts';

/** What a step may use. */
export interface StepContext {
  readonly suite: Suite;
  /** A folder that is removed after the run. */
  readonly folder: string;
  /** The tests that the command names; absent where the whole suite runs. */
  readonly named?: NamedTests;
  readonly isBuilt: boolean;
}

export interface TestStep {
  readonly name: string;
  readonly about: string;
  readonly run: (context: StepContext) => Promise<StepOutcome>;
}

const chromium = gate(
  'chromium',
  'the browser, installed where that is possible without asking',
  installChromium,
);

const programs = gate(
  'programs',
  "Debian's programs, installed where that is possible without asking",
  bringPrograms,
);

const tools = gate('tools', 'what npm test does not need, installed where it is missing', () =>
  runScript('scripts/setup.mjs', '--in=scripts/tools'),
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

const contractTools = gate('contract-tools', 'the contract in Redocly, Spectral and Prism', () =>
  runScript('contract-tools/main.ts'),
);

const bench = gate('bench', 'the measurements compile', () =>
  runScript('scripts/setup.mjs', '--in=bench', 'node_modules/.bin/tsc', '-b', 'bench'),
);

const vitestReporters = [
  '--reporter=default',
  `--reporter=${inRoot('scripts/test-run/results.ts')}`,
];

const vitest: TestStep = {
  name: 'vitest',
  about: 'unit, property, store and browser tests',
  run: (context) => {
    const { files, name } = namedFor(context, (file) => !isJourney(file));
    const named = name === undefined ? [] : ['-t', name];
    return runTests(context, 'vitest', ['run', ...files, ...named, ...vitestReporters]);
  },
};

const firefox: TestStep = {
  name: 'firefox',
  about: "the elements in Debian's Firefox",
  run: async (context) => {
    const found: StepOutcome[] = [];
    // The runner loses Firefox between two files.
    for (const file of firefoxFiles()) {
      const parameters = ['run', file, '-t', firefoxTests, ...vitestReporters];
      const env = { TEST_SUITE: 'quick', WIDGET_FIREFOX: debianProgram('firefox') };
      const { tests, problems } = await runTests(context, 'vitest', parameters, env);
      // A test that Firefox cannot hold is filtered out by its name, and counts as skipped.
      const ran = tests.filter(({ state }) => state !== 'skipped');
      found.push({ tests: ran.map((test) => ({ ...test, runner: 'firefox' })), problems });
    }
    return {
      tests: found.flatMap(({ tests }) => tests),
      problems: found.flatMap(({ problems }) => problems),
    };
  },
};

const journeys: TestStep = {
  name: 'e2e',
  about: 'whole journeys in a real browser',
  run: async (context) => {
    const reason = 'not run, because the build failed';
    if (!context.isBuilt) return { tests: [], problems: [{ runner: 'playwright', reason }] };
    const { files, name } = namedFor(context, isJourney);
    return runTests(context, 'playwright', [
      'test',
      '--config=e2e/playwright.config.ts',
      ...files.map(escapeText),
      ...(name === undefined ? [] : ['-g', name]),
      `--reporter=list,${inRoot('scripts/test-run/results.ts')}`,
    ]);
  },
};

/** The files that a runner runs of those that the command names, and the name, as a pattern. */
function namedFor({ named }: StepContext, isOwn: (file: string) => boolean) {
  const name = named?.name === undefined ? undefined : escapeText(named.name);
  return { files: named?.files.filter(isOwn) ?? [], name };
}

/** The steps of each suite in their order. */
export const suites: Readonly<
  Record<Exclude<Suite, 'named'>, { readonly about: string; readonly steps: readonly TestStep[] }>
> = {
  quick: {
    about: 'what every change must hold',
    steps: [chromium, build, types, vitest, journeys],
  },
  all: {
    about: 'what npm test leaves out: slow, and seldom broken',
    steps: [chromium, tools, build, examples, firstDays, contractTools, bench, vitest, journeys],
  },
  debian: {
    about: "what needs programs of Debian's packages",
    steps: [chromium, programs, build, vitest, firefox],
  },
};

/** The steps that the named tests need. */
export function stepsOf({ files }: NamedTests): readonly TestStep[] {
  const ofVitest = files.filter((file) => !isJourney(file));
  return [
    chromium,
    ...(ofVitest.some((file) => suiteOf(file) === 'all') ? [tools] : []),
    ...(ofVitest.length > 0 ? [vitest] : []),
    ...(files.some(isJourney) ? [build, journeys] : []),
  ];
}

/** Whether Playwright runs a test file, and not Vitest. */
export function isJourney(file: string): boolean {
  return file.startsWith('e2e/');
}

/** More than three times what the tests take alone on two cores: it ends what hangs, not what is slow. */
const RUNNER_LIMIT_MS = 50 * 60_000;

async function runTests(
  { suite, folder }: StepContext,
  runner: 'vitest' | 'playwright',
  parameters: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<StepOutcome> {
  const file = join(folder, `${runner}.json`);
  rmSync(file, { force: true });
  const ended = await run(runner, parameters, {
    output: 'inherit',
    env: { [resultsVariable]: file, TEST_SUITE: suite, ...env },
    timeoutMs: RUNNER_LIMIT_MS,
  });
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
function gate(
  name: string,
  about: string,
  work: () => Promise<Ended | string | undefined>,
): TestStep {
  const judge = async (): Promise<StepOutcome> => {
    const given = await work();
    const reason = typeof given === 'object' ? troubleOf(given) : given;
    return { tests: [], problems: reason === undefined ? [] : [{ runner: name, reason }] };
  };
  return { name, about, run: judge };
}

function troubleOf({ code, output, trouble }: Ended): string | undefined {
  if (code === 0 && trouble === undefined) return undefined;
  const lines = output.trimEnd().split('\n').slice(-20).join('\n');
  return `${trouble ?? `ended with code ${code}`}\n${lines}`;
}

function runScript(path: string, ...parameters: readonly string[]): Promise<Ended> {
  return runNode([inRoot(path), ...parameters], { output: 'both' });
}

function inRoot(path: string): string {
  return join(root, path);
}

/** Both runners read a name, and Playwright a path, as a regular expression. */
function escapeText(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}
