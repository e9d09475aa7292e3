import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { FullConfig, Suite, TestCase, TestError } from '@playwright/test/reporter';
import type { TestModule } from 'vitest/node';
import { root } from '../process.ts';
import { problem, resultsVariable, type TestResult } from './outcome.ts';

/**
 * A reporter of Vitest and of Playwright, each of which calls its own methods. It writes every test with
 * its project and file, which Vitest's JSON lacks.
 */
export default class Results {
  #suite: Suite | undefined;
  readonly #problems: TestResult[] = [];

  /** The end of Vitest. */
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly TestError[]): void {
    const problems = unhandled.map((error) => problem('vitest', firstLine(error)));
    write([...modules.flatMap(ofVitest), ...problems]);
  }

  onBegin(_: FullConfig, suite: Suite): void {
    this.#suite = suite;
  }

  onError(error: TestError): void {
    this.#problems.push(problem('playwright', firstLine(error)));
  }

  /** The end of Playwright. */
  onEnd(): void {
    write([...(this.#suite?.allTests() ?? []).map(ofPlaywright), ...this.#problems]);
  }
}

function write(results: readonly TestResult[]): void {
  const path = process.env[resultsVariable];
  if (path !== undefined) writeFileSync(path, JSON.stringify(results));
}

function ofVitest(module: TestModule): TestResult[] {
  const own = { runner: `vitest ${module.project.name}`, file: relative(root, module.moduleId) };
  // A file that cannot be loaded has no tests, and must still count.
  const broken = module
    .errors()
    .map((error) => ({ ...own, name: 'the file can be loaded', ...failed(error) }));
  const tests = [...module.children.allTests()].map((test) => {
    const { state, errors } = test.result();
    const isFailed = state !== 'passed' && state !== 'skipped';
    return { ...own, name: test.name, ...(isFailed ? failed(errors?.[0]) : { state }) };
  });
  return [...broken, ...tests];
}

function ofPlaywright(test: TestCase): TestResult {
  const own = { runner: 'playwright', file: relative(root, test.location.file), name: test.title };
  const outcome = test.outcome();
  if (outcome === 'expected') return { ...own, state: 'passed' };
  if (outcome === 'skipped') return { ...own, state: 'skipped' };
  // A flaky test failed once, and a payment must not.
  const error = test.results.find((result) => result.error !== undefined)?.error;
  return { ...own, ...failed(error ?? { message: outcome }) };
}

const failed = (error: TestError = {}) => ({ state: 'failed' as const, reason: firstLine(error) });

function firstLine({ message = '' }: TestError): string {
  return stripVTControlCharacters(message).split('\n')[0] ?? '';
}
