import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { FullConfig, Reporter, Suite, TestCase, TestError } from '@playwright/test/reporter';
import { root } from '../process/root.ts';
import { resultsVariable, type RunResults, type TestResult } from './outcome.ts';

/** A Playwright reporter that writes every test as the Vitest reporter beside this file does. */
export default class PlaywrightResults implements Reporter {
  #suite: Suite | undefined;
  readonly #errors: string[] = [];

  onBegin(_: FullConfig, suite: Suite): void {
    this.#suite = suite;
  }

  onError(error: TestError): void {
    this.#errors.push(firstLine(error));
  }

  onEnd(): void {
    const path = process.env[resultsVariable];
    if (path === undefined) return;
    const tests = (this.#suite?.allTests() ?? []).map(resultOf);
    writeFileSync(path, JSON.stringify({ tests, errors: this.#errors } satisfies RunResults));
  }
}

function resultOf(test: TestCase): TestResult {
  const own = { runner: 'playwright', file: relative(root, test.location.file), name: test.title };
  const outcome = test.outcome();
  if (outcome === 'expected') return { ...own, state: 'passed' };
  if (outcome === 'skipped') return { ...own, state: 'skipped' };
  // A flaky test failed once, and a payment must not.
  const error = test.results.find((result) => result.error !== undefined)?.error;
  return { ...own, state: 'failed', reason: error === undefined ? outcome : firstLine(error) };
}

function firstLine({ message = '' }: TestError): string {
  return stripVTControlCharacters(message).split('\n')[0] ?? '';
}
