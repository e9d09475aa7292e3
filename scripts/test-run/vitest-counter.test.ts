import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { root } from '../process/root.ts';
import { run } from '../process/run.ts';
import { vitestCountsVariable, type VitestCounts } from './vitest-counter.ts';

const config = `export default { test: { globals: true, projects: [
  { test: { name: 'full', globals: true, include: ['full*.js'] } },
  { test: { name: 'empty', globals: true, include: ['none.js'] } },
] } };`;

it('counts the tests of a real run by project and names the failed ones, empty projects and broken files included', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pay-button-counter-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'vitest.config.mjs'), config);
  writeFileSync(
    join(folder, 'full.js'),
    `it('passes', () => {}); it('fails', () => { throw new Error('x'); }); it.skip('waits', () => {});`,
  );
  writeFileSync(join(folder, 'full-broken.js'), `throw new Error('cannot be loaded');`);
  const counts = join(folder, 'counts.json');
  const reporter = join(root, 'scripts/test-run/vitest-counter.ts');
  const ended = await run('vitest', ['run', '--root', folder, `--reporter=${reporter}`], {
    output: 'capture',
    env: { [vitestCountsVariable]: counts },
  });
  expect(ended.code).toBe(1);
  const file = (name: string): string => relative(root, join(folder, name));
  expect(JSON.parse(readFileSync(counts, 'utf8')) as VitestCounts).toEqual({
    projects: {
      full: {
        passed: 1,
        failed: 2,
        skipped: 1,
        failures: [`${file('full-broken.js')}: cannot be loaded`, `${file('full.js')} > fails: x`],
      },
      empty: { passed: 0, failed: 0, skipped: 0, failures: [] },
    },
    unhandled: [],
  });
});
