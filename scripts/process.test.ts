import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { run, runNode } from './process.ts';

describe('running a program', () => {
  it('keeps what the program wrote and its exit code', async () => {
    const ended = await runNode(
      ['-e', 'console.log("out"); console.error("err"); process.exit(3)'],
      {
        output: 'capture',
      },
    );
    expect(ended.code).toBe(3);
    expect(ended.output).toContain('out\n');
    expect(ended.output).toContain('err\n');
    expect(ended.trouble).toBeUndefined();
  });

  it('shows what it keeps, where both are wanted', async () => {
    const shown = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    onTestFinished(() => shown.mockRestore());
    const ended = await runNode(['-e', 'console.log("out")'], { output: 'both' });
    expect(ended.output).toBe('out\n');
    expect(shown.mock.calls.map(String).join('')).toBe('out\n');
  });

  it('names the signal that ended the program', async () => {
    const ended = await runNode(['-e', 'process.kill(process.pid, "SIGKILL")'], {
      output: 'capture',
    });
    expect(ended).toMatchObject({ code: 1, trouble: 'was ended by SIGKILL' });
  });

  it('ends a program that takes too long', async () => {
    const ended = await runNode(['-e', 'setTimeout(() => {}, 60_000)'], {
      output: 'capture',
      timeoutMs: 300,
    });
    expect(ended.trouble).toBe('took longer than 0.3 s and was ended');
  });

  it('reports a program that does not exist instead of throwing', async () => {
    const ended = await run(join(import.meta.dirname, 'no-such-program'), [], {
      output: 'capture',
    });
    expect(ended.code).toBe(1);
    expect(ended.trouble).toContain('ENOENT');
  });

  it('gives its children the Node that runs it, whatever the PATH says', async () => {
    const ended = await run('node', ['-p', 'process.version'], { output: 'capture' });
    expect(ended.output.trim()).toBe(process.version);
  });
});
