import { describe, expect, it } from 'vitest';
import { chooseSteps } from './choose-steps.ts';

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
