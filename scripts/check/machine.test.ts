import { describe, expect, it } from 'vitest';
import { checkMachine } from './machine.ts';
import { findingsOf } from './testing/fixture-tree.ts';

/** The check reads this file too. */
const system = ['', 'usr', 'sbin'].join('/');

const findings = async (files: Readonly<Record<string, string>>): Promise<readonly string[]> =>
  (await findingsOf(checkMachine, files)).split('\n').filter((line) => line !== '');

describe('the check of what tests ask of the machine', () => {
  it.each([
    `existsSync('${system}/nginx');`,
    `const path = \`${system}/\${name}\`;`,
    `spawn('nginx', []);`,
    `spawnSync('bash', ['-c', line]);`,
    `execFileSync('which', ['nginx']);`,
    `await run('tar', parameters, { output: 'capture' });`,
    `execSync('git log');`,
    `spawn('sh', ['-c', '${['command', '-v'].join(' ')} nginx']);`,
  ])('finds %s in a test of both suites', async (line) => {
    const files = { 'demo/src/a.test.ts': `\n${line}`, 'scripts/b.all.test.ts': line };
    expect(await findings(files)).toEqual([
      expect.stringMatching(/^demo\/src\/a\.test\.ts:2 {2}asks for /),
      expect.stringMatching(/^scripts\/b\.all\.test\.ts:1 {2}asks for /),
    ]);
  });

  it('finds it in what a test imports or starts, and names the test', async () => {
    const found = await findings({
      'scripts/a.test.ts': `import { start } from './start.ts';`,
      'scripts/start.ts': `const guard = new URL('./guard.mjs', import.meta.url);`,
      'scripts/guard.mjs': `join(root, 'scripts/last.ts');`,
      'scripts/last.ts': `export * from '../packages/a/test-support/nginx.ts';`,
      'packages/a/test-support/nginx.ts': `spawn('nginx', []);`,
    });
    expect(found).toEqual([
      expect.stringMatching(/^packages\/a\/test-support\/nginx\.ts:1 .*scripts\/a\.test\.ts needs/),
    ]);
  });

  it('accepts what finds Chromium, and nothing that finds another program', async () => {
    const asking = `existsSync('${system}/browser');`;
    const files = {
      'scripts/a.test.ts': `import './find-chromium.ts'; import './find-firefox.ts';`,
      'scripts/find-chromium.ts': asking,
      'scripts/find-firefox.ts': asking,
    };
    expect(await findings(files)).toEqual([expect.stringMatching(/^scripts\/find-firefox\.ts/)]);
  });
});
