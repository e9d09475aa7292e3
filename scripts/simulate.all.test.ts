import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root, runNode, startProgram } from './process.ts';

const program = ['--conditions=@pay-button/source', join(root, 'scripts/simulate.ts')];
const simulate = (...args: readonly string[]) =>
  runNode([...program, ...args], { output: 'capture' });

describe('npm run tool -- simulate', () => {
  it('plays histories and ends with 0 when every rule held', async () => {
    const { code, output } = await simulate('--seed', '7', '--histories', '20');
    expect(output).toContain('Every rule held in 20 histories');
    expect(code).toBe(0);
  });

  it('prints the timeline of a broken rule and how to play it again, and ends with 1', async () => {
    const first = await simulate('--seed', '1', '--variant', 'offers-a-new-link-each-time');
    expect(first.code).toBe(1);
    expect(first.output).toContain('I8: one link is offered for an order');
    const [, again = ''] = /Again: npm run tool -- simulate (.*)/.exec(first.output) ?? [];
    const second = await simulate(...again.split(' '));
    expect(second.code).toBe(1);
    expect(second.output.split('\n').slice(1)).toEqual(first.output.split('\n').slice(1));
  });

  it('says after Ctrl-C where it got to, and ends with 130', async () => {
    const parameters = [...program, '--seed', '40', '--histories', '900000000'];
    const { said, end } = await startProgram(parameters, { cwd: root, sign: /histories from/ });
    await expect(end('SIGINT')).rejects.toMatchObject({ actual: [130, null] });
    const stopped = /Stopped: .* Go on with --seed (\d+) --histories (\d+)\./;
    const [, seed, rest] = stopped.exec(said()) ?? [];
    expect(Number(seed) + Number(rest)).toBe(40 + 900_000_000);
  });

  it.each([
    [['--quickly'], '--help'],
    [['--seed', '1e0'], '--seed must be '],
    [['--store', 'paper'], '--store must be '],
  ])('ends with 2 when it was called with %j', async (args, advice) => {
    const { code, output } = await simulate(...args);
    expect(output).toContain(advice);
    expect(code).toBe(2);
  });
});
