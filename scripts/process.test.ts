import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { temporaryFolder } from '../packages/server-helper/test-support/temporary-folder.ts';
import { run, runNode, succeed } from './process.ts';

const node = (code: string, more?: { timeoutMs: number }) => runNode(['-e', code], more);

it('what a program wrote is kept with its exit code, and named as trouble where that is bad', async () => {
  const ended = await node('console.log("out"); console.error("err"); process.exit(3)');
  expect(ended).toMatchObject({ code: 3, trouble: undefined });
  expect(ended.output.split('\n').toSorted()).toEqual(['', 'err', 'out']);
  const failing = succeed(process.execPath, ['-e', 'console.log("out"); process.exit(3)']);
  await expect(failing).rejects.toThrow(/-e .*\nout\nended with code 3$/);
});

it('what a program wrote is shown as well where both are wanted', async () => {
  const shown = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => shown.mockRestore());
  const ended = await runNode(['-e', 'console.log("out")'], { output: 'both' });
  expect([ended.output, shown.mock.calls.map(String).join('')]).toEqual(['out\n', 'out\n']);
});

it('a signal, a limit and a program that is not there are named, and nothing is thrown', async () => {
  const killed = await node('process.kill(process.pid, "SIGKILL")');
  expect(killed).toEqual({ code: 1, output: '', trouble: 'was ended by SIGKILL' });
  const { trouble } = await node('setTimeout(() => {}, 60_000)', { timeoutMs: 300 });
  expect(trouble).toBe('took longer than 0.3 s and was ended');
  const missing = await run(join(import.meta.dirname, 'no-such-program'), []);
  expect(missing).toMatchObject({ code: 1, trouble: expect.stringContaining('ENOENT') });
});

it('a program gets the Node that runs us, whatever the PATH says', async () => {
  const { output } = await run('node', ['-p', 'process.version']);
  expect(output.trim()).toBe(process.version);
});

it('a tool shows what a failed build said once, and ends as the build does', async () => {
  const scripts = join(temporaryFolder(), 'scripts');
  for (const file of ['tool.ts', 'process.ts'])
    cpSync(join(import.meta.dirname, file), join(scripts, file));
  writeFileSync(join(scripts, 'package.json'), '{"type":"module"}');
  writeFileSync(join(scripts, 'build.ts'), 'console.log("broken"); process.exit(3);');
  const { code, output } = await runNode([join(scripts, 'tool.ts'), 'sbom']);
  expect([code, output]).toEqual([3, 'broken\n']);
});
