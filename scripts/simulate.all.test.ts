import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './process.ts';

/** Runs the command; `whenSaid` is called with what it has said so far. */
async function simulate(args: readonly string[], onOutput?: (said: string, pid: number) => void) {
  const command = ['--conditions=@pay-button/source', join(root, 'scripts/simulate.ts'), ...args];
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8');
    onOutput?.(said, child.pid ?? 0);
  });
  const [code] = await once(child, 'close');
  return { code: code as number | null, said };
}

describe('npm run tool -- simulate', () => {
  it('plays histories and ends with 0 when every rule held', async () => {
    const { code, said } = await simulate(['--seed', '7', '--histories', '20']);
    expect(said).toContain('Every rule held in 20 histories');
    expect(code).toBe(0);
  });

  it('prints the timeline of a broken rule and how to play it again, and ends with 1', async () => {
    const broken = ['--seed', '1', '--variant', 'offers-a-new-link-each-time'];
    const { code, said } = await simulate(broken);
    expect(code).toBe(1);
    expect(said).toContain('I8: one link is offered for an order');
    const [, again = ''] = /Again: npm run tool -- simulate (.*)/.exec(said) ?? [];
    const second = await simulate(again.split(' '));
    expect(second.code).toBe(1);
    expect(second.said.split('\n').slice(1)).toEqual(said.split('\n').slice(1));
  });

  it('says after Ctrl-C where it got to, and ends with 130', async () => {
    let isTold = false;
    const { code, said } = await simulate(
      ['--seed', '40', '--histories', '900000000'],
      (_said, pid) => {
        if (!isTold) process.kill(pid, 'SIGINT');
        isTold = true;
      },
    );
    const [, seed, rest] =
      /Stopped: .* Go on with --seed (\d+) --histories (\d+)\./.exec(said) ?? [];
    expect(Number(seed) + Number(rest)).toBe(40 + 900_000_000);
    expect(code).toBe(130);
  });

  it.each([
    [['--quickly'], '--help'],
    [['--seed', '1e0'], '--seed must be '],
    [['--store', 'paper'], '--store must be '],
  ])('ends with 2 when it was called with %j', async (args, advice) => {
    const { code, said } = await simulate(args);
    expect(said).toContain(advice);
    expect(code).toBe(2);
  });
});
