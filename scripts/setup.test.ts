import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../packages/server-helper/test-support/temporary-folder.ts';
import { type Ended, root, run, startProgram } from './process.ts';

const log = 'node_modules/.package-lock.json';
let top: string;

/** A clone with one package, and an npm that "installs" it or fails with `code`. */
function clone(code = 0): void {
  for (const folder of ['scripts', 'bin']) mkdirSync(join(top, folder));
  cpSync(join(root, 'scripts/setup.mjs'), join(top, 'scripts/setup.mjs'));
  writeFileSync(join(top, 'package.json'), '{ "engines": { "node": ">=22.19" } }');
  lock('package-lock.json', '1.0.0');
  const npm = `#!/bin/sh
echo "npm $*"
[ ${code} = 0 ] && mkdir -p node_modules/.bin && cp package-lock.json ${log}
[ ${code} = 0 ] && ln -sf ${process.execPath} node_modules/.bin/node
exit ${code}`;
  writeFileSync(join(top, 'bin/npm'), npm, { mode: 0o755 });
  writeFileSync(join(top, 'program.mjs'), 'console.log(process.argv0, process.argv[2]);');
}

function lock(file: string, version: string): void {
  const elsewhere = { version, optional: true };
  const packages = { '': {}, 'node_modules/one': { version }, 'node_modules/elsewhere': elsewhere };
  writeFileSync(join(top, file), JSON.stringify({ packages }));
}

function setUp(parameters: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  return run(process.execPath, [join(top, 'scripts/setup.mjs'), ...parameters], {
    cwd: top,
    env: { PATH: [join(top, 'bin'), process.env['PATH']].join(delimiter), ...env },
    output: 'capture',
  });
}

beforeEach(() => void (top = temporaryFolder()));

it('installs what is missing at the top and then in a folder with a lockfile of its own, runs the program with the Node that came along, and installs again after a change', async () => {
  clone();
  mkdirSync(join(top, 'tools'));
  lock('tools/package-lock.json', '1.0.0');
  const { code, output } = await setUp(['--in=tools', 'program.mjs', '--only']);
  expect(output).toMatch(/^Installing the packages .*minutes[\s\S]*npm ci --include=dev/);
  const installed = [...output.matchAll(/packages of (\S+)/g)].map(([, file]) => file);
  expect(installed).toEqual(['package-lock.json', 'tools/package-lock.json']);
  expect(output).toContain(`${join(top, 'node_modules/.bin/node')} --only\n`);
  expect([code, existsSync(join(top, 'tools', log))]).toEqual([0, true]);
  expect((await setUp(['--in=tools'])).output).toBe('');
  for (const changed of ['package-lock.json', 'tools/package-lock.json']) {
    lock(changed, '2.0.0');
    expect((await setUp(['--in=tools'])).output).toContain(`packages of ${changed}`);
  }
});

it('does not ask for a package that npm left out because it is for another system', async () => {
  clone();
  mkdirSync(join(top, 'node_modules'));
  const packages = { 'node_modules/one': { version: '1.0.0' } };
  writeFileSync(join(top, log), JSON.stringify({ packages }));
  expect((await setUp([])).output).toBe('');
});

it('says what failed and how to mend it, runs nothing, and ends a test run with its sum', async () => {
  clone(7);
  const { code, output } = await setUp(['program.mjs'], { npm_lifecycle_event: 'test' });
  expect(code).toBe(1);
  expect(output).toMatch(/✗ .*npm ci ended with code 7[\s\S]*registry[\s\S]*same command again/);
  expect(output).toMatch(/\n0 passed, 1 failed, 0 skipped\n$/);
  expect(existsSync(join(top, 'node_modules'))).toBe(false);
});

it('says so when there is no npm at all', async () => {
  clone();
  const { code, output } = await setUp([], { PATH: top });
  expect(output).toMatch(/✗ npm: .*ENOENT/);
  expect(code).toBe(1);
});

it('hands a signal on to the program, and ends as the program ends', async () => {
  clone();
  const program = `process.on('SIGTERM', () => process.exit(5)); setInterval(() => {}, 1000);
    console.log('ready ');`;
  writeFileSync(join(top, 'program.mjs'), program);
  await setUp([]);
  const { end } = await startProgram(['scripts/setup.mjs', 'program.mjs'], { cwd: top });
  await expect(end('SIGTERM')).rejects.toMatchObject({ actual: [5, null] });
});
