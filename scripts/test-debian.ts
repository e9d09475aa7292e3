/**
 * `npm run test:debian`: the tests that need programs of Debian's packages (`.debian.test.ts`), and
 * the elements' tests in Debian's Firefox.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { debianProgram, findProgram, packageOf, type DebianProgram } from './debian-programs.ts';
import { installPackages } from './install-packages.ts';
import { root } from './process/root.ts';
import { run, runNode } from './process/run.ts';
import {
  countFailures,
  outcomeLines,
  resultsVariable,
  runnerOutcome,
  type Problem,
  type RunResults,
  type StepOutcome,
  type TestResult,
} from './test-run/outcome.ts';
import { firefoxFiles, firefoxTests } from './widget-in-firefox.ts';

const needed: readonly DebianProgram[] = [
  ...(['nginx', 'pgbouncer', 'setpriv', 'unshare', 'node'] as const),
  ...(['firefox', 'WebKitWebDriver', 'MiniBrowser', 'Xvfb'] as const),
];
/** Ends what hangs; a busy machine may take long. */
const VITEST_LIMIT_MS = 30 * 60_000;

const tests: TestResult[] = [];
const problems: Problem[] = [];
const scratch = mkdtempSync(join(tmpdir(), 'pay-button-test-'));
try {
  const reason = (await bringPrograms()) ?? (await build());
  if (reason === undefined) await runTests();
  else problems.push({ runner: 'set-up', reason });
} finally {
  rmSync(scratch, { recursive: true, force: true });
  for (const line of outcomeLines({ tests, problems })) console.log(line);
  process.exitCode = countFailures({ tests, problems }) === 0 ? 0 : 1;
}

/** Installs what is missing. @returns `undefined` where every program is there, else why not. */
async function bringPrograms(): Promise<string | undefined> {
  const missing = (): readonly DebianProgram[] =>
    needed.filter((program) => findProgram(program) === undefined);
  if (missing().length === 0) return undefined;
  const packages = [...new Set(missing().map(packageOf))];
  const reason = await installPackages(packages);
  if (reason === undefined && missing().length === 0) return undefined;
  const names = missing().join(', ');
  return `${names} missing: ${reason ?? 'apt-get installed them at unknown paths'}.\nDebian:  sudo apt-get install -y --no-install-recommends ${packages.join(' ')}`;
}

/** The packages as merchants get them, which an old Node is to load. */
async function build(): Promise<string | undefined> {
  const { code } = await runNode([join(root, 'scripts/build.ts')], { output: 'inherit' });
  return code === 0 ? undefined : `the build ended with code ${code}`;
}

async function runTests(): Promise<void> {
  keep(await vitest('vitest', [], { TEST_SUITE: 'debian' }));
  const firefox = { TEST_SUITE: 'quick', WIDGET_FIREFOX: debianProgram('firefox') };
  // The runner loses Firefox between two files.
  for (const file of firefoxFiles()) {
    const { tests: all, problems: wrong } = await vitest(
      'firefox',
      [file, '-t', firefoxTests],
      firefox,
    );
    // A test that Firefox cannot hold is filtered out by its name, and counts as skipped.
    keep({ tests: all.filter(({ state }) => state !== 'skipped'), problems: wrong });
  }
}

function keep(outcome: StepOutcome): void {
  tests.push(...outcome.tests);
  problems.push(...outcome.problems);
}

async function vitest(
  runner: string,
  parameters: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<StepOutcome> {
  const file = join(scratch, 'results.json');
  rmSync(file, { force: true });
  const reporter = join(root, 'scripts/test-run/vitest-results.ts');
  const ended = await run(
    'vitest',
    ['run', ...parameters, '--reporter=default', `--reporter=${reporter}`],
    { output: 'inherit', env: { ...env, [resultsVariable]: file }, timeoutMs: VITEST_LIMIT_MS },
  );
  return runnerOutcome(runner, readResults(file), ended);
}

/** What the reporter wrote; `undefined` where the runner ended before it. */
function readResults(file: string): RunResults | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as RunResults;
  } catch {
    return undefined;
  }
}
