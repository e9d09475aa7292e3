import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installChromium } from '../install-chromium.ts';
import { root } from '../process/root.ts';
import { run, runNode, type Ended } from '../process/run.ts';
import type { GateReport, Report } from './outcome.ts';
import { playwrightReport, type PlaywrightJson } from './playwright-report.ts';
import { vitestCountsVariable, type VitestCounts } from './vitest-counter.ts';
import { vitestReports } from './vitest-reports.ts';

/** What a step may use: a folder that is removed afterwards, and what earlier steps found. */
export interface StepContext {
  readonly folder: string;
  readonly reports: readonly Report[];
}

export interface TestStep {
  readonly name:
    | 'chromium'
    | 'build'
    | 'types'
    | 'examples'
    | 'first-days'
    | 'contract-tools'
    | 'vitest'
    | 'e2e';
  readonly about: string;
  readonly run: (context: StepContext) => Promise<readonly Report[]>;
}

/** The steps of `npm test` in their order. */
export const steps: readonly TestStep[] = [
  {
    name: 'chromium',
    about: 'the browser, installed where that is possible without asking',
    run: async () => {
      const problem = await installChromium();
      return [{ kind: 'gate', runner: 'chromium', ...(problem === undefined ? {} : { problem }) }];
    },
  },
  {
    name: 'build',
    about: 'what npm start runs',
    run: async () => [gate('build', await runNode([script('build.ts')], { output: 'both' }))],
  },
  {
    name: 'types',
    about: 'the type check, tests included',
    run: async () => [gate('types', await run('tsc', ['-b'], { output: 'both' }))],
  },
  {
    name: 'examples',
    about: 'examples/, installed from tarballs, each with a payment or a build',
    run: async () => [gate('examples', await runNode([script('examples.ts')], { output: 'both' }))],
  },
  {
    name: 'first-days',
    about: 'the documents by their letter, in an empty folder, to a paid order',
    run: async () => [
      gate('first-days', await runNode([script('first-days.ts')], { output: 'both' })),
    ],
  },
  {
    name: 'contract-tools',
    about: 'the contract in Redocly, Spectral, a generated client and Prism',
    run: async () => {
      const program = join(root, 'contract-tools/main.ts');
      return [gate('contract-tools', await runNode([program], { output: 'both' }))];
    },
  },
  { name: 'vitest', about: 'unit, property, store and browser tests', run: runVitest },
  { name: 'e2e', about: 'the whole journey in a real browser', run: runPlaywright },
];

/** More than three times what the tests take alone on two cores: it ends what hangs, not what is slow. */
const VITEST_LIMIT_MS = 50 * 60_000;

async function runVitest({ folder }: StepContext): Promise<readonly Report[]> {
  const counts = join(folder, 'vitest.json');
  const reporters = ['--reporter=default', `--reporter=${script('test-run/vitest-counter.ts')}`];
  const ended = await run('vitest', ['run', ...reporters], {
    output: 'inherit',
    env: { [vitestCountsVariable]: counts },
    timeoutMs: VITEST_LIMIT_MS,
  });
  return vitestReports(readJson(counts) as VitestCounts | undefined, ended.code, ended.trouble);
}

async function runPlaywright({ folder, reports }: StepContext): Promise<readonly Report[]> {
  if (reports.some((report) => report.runner === 'build' && report.problem !== undefined)) {
    return [playwrightReport(undefined, 1, 'not run, because the build failed')];
  }
  const file = join(folder, 'playwright.json');
  const ended = await run(
    'playwright',
    ['test', '--config=e2e/playwright.config.ts', '--reporter=list,json'],
    { output: 'inherit', env: { PLAYWRIGHT_JSON_OUTPUT_FILE: file } },
  );
  return [
    playwrightReport(readJson(file) as PlaywrightJson | undefined, ended.code, ended.trouble),
  ];
}

/** A failed gate repeats its last lines at the end of the run, where somebody looks first. */
function gate(runner: string, { code, output, trouble }: Ended): GateReport {
  if (code === 0 && trouble === undefined) return { kind: 'gate', runner };
  const lines = output.trimEnd().split('\n').slice(-20).join('\n');
  return { kind: 'gate', runner, problem: `${trouble ?? `ended with code ${code}`}\n${lines}` };
}

function script(path: string): string {
  return join(root, 'scripts', path);
}

/** A runner's result; `undefined` when it ended before it could write one, or half of one. */
function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
