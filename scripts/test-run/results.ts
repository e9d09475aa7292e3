import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { JSONReport, JSONReportSuite, JSONReportTest } from '@playwright/test/reporter';
import type { JsonTestResults } from 'vitest/node';
import { root } from '../process.ts';
import { hasFailed, problem, type TestResult } from './outcome.ts';

/** How a runner is told to write JSON into a file, beside what it shows, and how that is read. */
export const runners = {
  vitest: {
    reporters: (file: string) => ['--reporter=default', '--reporter=json', `--outputFile=${file}`],
    env: () => ({}),
    read: (text: string) => ofVitest(JSON.parse(text)),
  },
  playwright: {
    reporters: () => ['--reporter=list,json'],
    env: (file: string) => ({ PLAYWRIGHT_JSON_OUTPUT_FILE: file }),
    read: (text: string) => ofPlaywright(JSON.parse(text)),
  },
};

/** The tests of Vitest's JSON; an error outside of every test shows in the exit code alone. */
const ofVitest = ({ testResults }: JsonTestResults): readonly TestResult[] =>
  testResults.flatMap(({ name: path, status, message, assertionResults }) => {
    const own = { runner: 'vitest', file: relative(root, path) };
    const tests = assertionResults.map(({ title, status: state, failureMessages }) => {
      const isWell = state === 'passed' || state === 'skipped';
      return { ...own, name: title, ...(isWell ? { state } : failed(failureMessages?.[0])) };
    });
    // A file that cannot be loaded has no tests, and must still count.
    const isBroken = status === 'failed' && !tests.some(hasFailed);
    return isBroken ? [{ ...own, name: 'the file can be loaded', ...failed(message) }] : tests;
  });

/** The tests of Playwright's JSON. */
function ofPlaywright({ config, suites, errors }: JSONReport): readonly TestResult[] {
  const testsIn = ({ specs, suites: inner = [] }: JSONReportSuite): readonly TestResult[] => [
    ...specs.flatMap(({ title: name, file: path, tests }) => {
      const file = relative(root, join(config.rootDir, path));
      return tests.map((test) => ({ runner: 'playwright', file, name, ...outcomeOf(test) }));
    }),
    ...inner.flatMap(testsIn),
  ];
  const problems = errors.map(({ message = '' }) => problem('playwright', firstLine(message)));
  return [...suites.flatMap(testsIn), ...problems];
}

function outcomeOf({ status, results }: JSONReportTest): Pick<TestResult, 'state' | 'reason'> {
  if (status === 'expected') return { state: 'passed' };
  if (status === 'skipped') return { state: 'skipped' };
  // A flaky test failed once, and a payment must not.
  return failed(results.find(({ error }) => error !== undefined)?.error?.message ?? status);
}

const failed = (message = '') => ({ state: 'failed' as const, reason: firstLine(message) });

const firstLine = (message: string): string =>
  stripVTControlCharacters(message).split('\n')[0] ?? '';
