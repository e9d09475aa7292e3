import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../packages/server-helper/test-support/temporary-folder.ts';
import { root, run } from '../process.ts';
import { runners } from './results.ts';

/** Runs a runner over files, and returns what was written of its tests. */
async function resultsOf(
  runner: keyof typeof runners,
  files: Readonly<Record<string, string>>,
  ...command: readonly string[]
) {
  const folder = temporaryFolder();
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const path = join(folder, 'results.json');
  const { reporters, env, read } = runners[runner];
  await run(runner, [...command, ...reporters(path)], { cwd: folder, env: env(path) });
  const results = read(readFileSync(path, 'utf8'));
  return results.map((test) => ({ ...test, file: test.file.replace(relative(root, folder), '') }));
}

it('a run of Vitest is written test by test, a file that cannot be loaded included', async () => {
  const config = `export default { test: { globals: true, include: ['*.js'], name: 'demo' } };`;
  const files = {
    'vitest.config.mjs': config,
    'a.js': `describe('x', () => { it('passes', () => {}); it.skip('waits', () => {}); it('fails', () => { throw new Error('no\\nmore'); }); });`,
    'broken.js': `throw new Error('cannot be loaded');`,
  };
  const tests = await resultsOf('vitest', files, 'run', '--root', '.');
  const own = { runner: 'vitest', file: '/a.js' };
  const broken = { runner: 'vitest', file: '/broken.js', name: 'the file can be loaded' };
  expect(tests.toSorted((one, other) => (one.file < other.file ? -1 : 1))).toEqual([
    { ...own, name: 'passes', state: 'passed' },
    { ...own, name: 'waits', state: 'skipped' },
    { ...own, name: 'fails', state: 'failed', reason: 'Error: no' },
    { ...broken, state: 'failed', reason: 'cannot be loaded' },
  ]);
});

it('a run of Playwright is written test by test, and a flaky test has failed', async () => {
  const tests = await resultsOf(
    'playwright',
    {
      'playwright.config.mjs': `export default { retries: 1 };`,
      'a.spec.mjs': `import { test } from '@playwright/test';
        test('passes', () => {}); test.skip('waits', () => {});
        test('fails', () => { throw new Error('no\\nmore'); });
        test('is flaky', ({}, info) => { if (info.retry === 0) throw new Error('once'); });`,
      'broken.spec.mjs': `throw new Error('cannot be loaded');`,
    },
    'test',
    'a.spec',
  );
  const own = { runner: 'playwright', file: '/a.spec.mjs' };
  expect(tests).toEqual([
    { ...own, name: 'passes', state: 'passed' },
    { ...own, name: 'waits', state: 'skipped' },
    { ...own, name: 'fails', state: 'failed', reason: 'Error: no' },
    { ...own, name: 'is flaky', state: 'failed', reason: 'Error: once' },
  ]);
});
