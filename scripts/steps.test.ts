import { describe, expect, it } from 'vitest';
import { chooseSteps, endedResult, reportStep } from './steps.ts';

const choices = [
  { name: 'build', about: 'builds' },
  { name: 'types', about: 'checks types' },
] as const;
const choose = (...parameters: string[]) =>
  chooseSteps('npm test', 'tests everything', choices, parameters);

describe('choosing steps on the command line', () => {
  it('takes every step when none is named', () => {
    expect(choose()).toEqual({ kind: 'run', names: new Set(['build', 'types']) });
  });

  it('takes only the named steps, separated by commas or repeated', () => {
    expect(choose('--only', 'types')).toEqual({ kind: 'run', names: new Set(['types']) });
    expect(choose('--only', 'types,build')).toEqual(choose('--only=build', '--only=types'));
  });

  it('refuses an unknown step and lists the steps there are', () => {
    const chosen = choose('--only', 'tipes');
    expect(chosen).toMatchObject({ kind: 'mistake' });
    expect(chosen.kind === 'mistake' && chosen.text).toMatch(/"tipes"[\s\S]*types {2}checks types/);
  });

  it('refuses an unknown switch', () => {
    expect(choose('--olny', 'types')).toMatchObject({ kind: 'mistake' });
  });

  it('explains itself when asked for help', () => {
    expect(choose('--help')).toMatchObject({ kind: 'help' });
  });
});

async function lines(work: Parameters<typeof reportStep>[1]): Promise<string[]> {
  const printed: string[] = [];
  await reportStep('lint', work, (line) => printed.push(line));
  return printed;
}

describe('the report of a step', () => {
  it('is one line when the step holds', async () => {
    const printed = await lines(async () => ({ ok: true, remark: '12 files' }));
    expect(printed).toHaveLength(1);
    expect(printed[0]).toMatch(/^✓ lint \(12 files, \d+\.\d s\)$/);
  });

  it('shows the details of a failure, indented', async () => {
    const printed = await lines(async () => ({ ok: false, details: 'a.ts\n\nb.ts\n' }));
    expect(printed[0]).toMatch(/^✗ lint/);
    expect(printed[1]).toBe('  a.ts\n\n  b.ts');
  });

  it('takes a step that throws for a failed one', async () => {
    const printed = await lines(() => Promise.reject(new Error('no such file')));
    expect(printed.join('\n')).toMatch(/✗ lint[\s\S]*no such file/);
  });

  it('reads a bad exit code as failure, and names it', () => {
    expect(endedResult({ code: 0, output: 'fine', trouble: undefined })).toEqual({ ok: true });
    expect(endedResult({ code: 2, output: 'why\n', trouble: undefined })).toEqual({
      ok: false,
      details: 'why\nended with code 2',
    });
  });
});
