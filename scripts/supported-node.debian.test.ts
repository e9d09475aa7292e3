import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { debianProgram } from './debian-programs.ts';
import { root, run } from './process.ts';
import { entries, importing, oldest, programs, refusal } from './supported-node.ts';

describe('a real Node that is too old, as Debian’s is, and the packages as built', () => {
  const program = debianProgram('node');
  const version = execFileSync(program, ['--version'], { encoding: 'utf8' }).trim().slice(1);

  it('is too old, without which the others prove nothing', () => {
    expect(version.localeCompare(oldest, 'en', { numeric: true })).toBeLessThan(0);
  });

  const helpOf = (path: string) => [join(root, 'packages', path), '--help'];
  it.each([
    ...entries.map(([entry, owner]) => [entry, owner, importing(entry)] as const),
    ...programs.map(([path, owner]) => [path, owner, helpOf(path)] as const),
  ])('is refused by %s', async (_what, owner, parameters) => {
    const ended = await run(program, parameters, { output: 'capture' });
    expect(ended).toEqual(refusal(owner, version, program));
  });
});
