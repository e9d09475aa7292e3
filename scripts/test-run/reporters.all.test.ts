import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../packages/server-helper/test-support/temporary-folder.ts';
import { root, run } from '../process.ts';
import { resultsVariable, type TestResult } from './outcome.ts';

/** Runs a runner over files, and returns what its reporter wrote. */
async function resultsOf(
  files: Readonly<Record<string, string>>,
  command: (folder: string) => readonly [string, ...string[]],
): Promise<TestResult[]> {
  const folder = temporaryFolder();
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const [program, ...parameters] = command(folder);
  const path = join(folder, 'results.json');
  const env = { [resultsVariable]: path };
  await run(program, parameters, { output: 'capture', cwd: folder, env });
  const written = readFileSync(path, 'utf8').replaceAll(relative(root, folder), '');
  return JSON.parse(written) as TestResult[];
}

const reporter = `--reporter=${join(root, 'scripts/test-run/results.ts')}`;

it('a run of Vitest is written test by test, a file that cannot be loaded included', async () => {
  const config = `export default { test: { globals: true, include: ['*.js'], name: 'demo' } };`;
  const tests = await resultsOf(
    {
      'vitest.config.mjs': config,
      'a.js': `describe('x', () => { it('passes', () => {}); it.skip('waits', () => {}); it('fails', () => { throw new Error('no\\nmore'); }); });`,
      'broken.js': `throw new Error('cannot be loaded');`,
    },
    (folder) => ['vitest', 'run', '--root', folder, reporter],
  );
  const own = { runner: 'vitest demo', file: '/a.js' };
  const broken = { runner: 'vitest demo', file: '/broken.js', name: 'the file can be loaded' };
  expect(tests.toSorted((one, other) => (one.file < other.file ? -1 : 1))).toEqual([
    { ...own, name: 'passes', state: 'passed' },
    { ...own, name: 'waits', state: 'skipped' },
    { ...own, name: 'fails', state: 'failed', reason: 'no' },
    { ...broken, state: 'failed', reason: 'cannot be loaded' },
  ]);
});

it('a run of Playwright is written test by test, and a flaky test has failed', async () => {
  const tests = await resultsOf(
    {
      'playwright.config.mjs': `export default { retries: 1 };`,
      'a.spec.mjs': `import { test } from '@playwright/test';
        test('passes', () => {}); test.skip('waits', () => {});
        test('fails', () => { throw new Error('no\\nmore'); });
        test('is flaky', ({}, info) => { if (info.retry === 0) throw new Error('once'); });`,
      'broken.spec.mjs': `throw new Error('cannot be loaded');`,
    },
    () => ['playwright', 'test', 'a.spec', reporter],
  );
  const own = { runner: 'playwright', file: '/a.spec.mjs' };
  expect(tests).toEqual([
    { ...own, name: 'passes', state: 'passed' },
    { ...own, name: 'waits', state: 'skipped' },
    { ...own, name: 'fails', state: 'failed', reason: 'Error: no' },
    { ...own, name: 'is flaky', state: 'failed', reason: 'Error: once' },
  ]);
});
