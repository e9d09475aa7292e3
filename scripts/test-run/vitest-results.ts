import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { root } from '../process/root.ts';
import { resultsVariable, type RunResults, type TestResult } from './outcome.ts';

/** A Vitest reporter that writes every test with its project and file: Vitest's JSON lacks both. */
export default class VitestResults implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly { message: string }[]): void {
    const path = process.env[resultsVariable];
    if (path === undefined) return;
    const results: RunResults = {
      tests: modules.flatMap(resultsOf),
      errors: unhandled.map(({ message }) => message),
    };
    writeFileSync(path, JSON.stringify(results));
  }
}

function resultsOf(module: TestModule): TestResult[] {
  const own = { runner: `vitest ${module.project.name}`, file: relative(root, module.moduleId) };
  // A file that cannot be loaded has no tests, and must still count.
  const broken = module.errors().map(({ message }) => failed('the file can be loaded', message));
  const tests = [...module.children.allTests()].map((test) => {
    const { state, errors } = test.result();
    if (state === 'passed' || state === 'skipped') return { name: test.name, state };
    return failed(test.name, errors?.[0]?.message);
  });
  return [...broken, ...tests].map((result) => ({ ...own, ...result }));
}

function failed(name: string, message = ''): { name: string; state: 'failed'; reason: string } {
  const [reason = ''] = message.split('\n');
  return { name, state: 'failed', reason };
}
