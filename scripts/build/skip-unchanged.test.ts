import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { StepResult } from '../process/report-step.ts';
import { skipUnchanged } from './skip-unchanged.ts';

let top: string;
let builds: number;

async function build(result: StepResult = { ok: true }): Promise<StepResult> {
  const files = {
    top,
    inputs: ['src'],
    isInput: (path: string) => !path.endsWith('.test.ts'),
    outputs: ['dist'],
    stamp: join(top, 'cache/stamp'),
  };
  return skipUnchanged(files, async () => {
    builds += 1;
    mkdirSync(join(top, 'dist'), { recursive: true });
    writeFileSync(join(top, 'dist/a.js'), 'built');
    return result;
  });
}

describe('a build that is skipped when nothing changed', () => {
  beforeEach(() => {
    top = mkdtempSync(join(tmpdir(), 'pay-button-build-'));
    builds = 0;
    mkdirSync(join(top, 'src'));
    writeFileSync(join(top, 'src/a.ts'), 'one');
    onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  });

  it('builds once and then says that nothing changed', async () => {
    await build();
    expect(await build()).toEqual({ ok: true, remark: 'unchanged' });
    expect(builds).toBe(1);
  });

  it('builds again when an input changed, and not for a test', async () => {
    await build();
    writeFileSync(join(top, 'src/a.test.ts'), 'a test');
    await build();
    expect(builds).toBe(1);
    writeFileSync(join(top, 'src/a.ts'), 'two');
    await build();
    expect(builds).toBe(2);
  });

  it('builds again when an output was removed or written over', async () => {
    await build();
    rmSync(join(top, 'dist/a.js'));
    await build();
    writeFileSync(join(top, 'dist/a.js'), 'something else');
    await build();
    expect(builds).toBe(3);
  });

  it('does not take a failed build for done', async () => {
    await build({ ok: false, details: 'syntax error' });
    await build();
    expect(builds).toBe(2);
  });
});
