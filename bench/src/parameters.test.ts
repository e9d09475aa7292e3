import { expect, it } from 'vitest';
import { readCommandLine } from './parameters.ts';

const benches = {
  engine: {
    about: 'what a payment costs',
    parts: ['claims', 'medusa'],
    takes: ['only', 'rounds', 'store'],
  },
  widget: { about: 'what the elements weigh', takes: [] },
} as const;

const read = (...args: readonly string[]) => readCommandLine(benches, args);

it('a bench measures with the values that the command line gives', () => {
  expect(read('engine', '--rounds', '3', '--store=SQLite', '--only', 'claims')).toEqual({
    kind: 'run',
    name: 'engine',
    parameters: { rounds: 3, store: 'SQLite', only: 'claims' },
  });
  expect(read('widget')).toEqual({ kind: 'run', name: 'widget', parameters: {} });
});

it.each([
  [['egnine'], /^There is no bench "egnine"/],
  [['toString'], /^There is no bench "toString"/],
  [['engine', '--ruonds', '3'], /^Unknown option '--ruonds'/],
  [['engine', '--seconds', '3'], /^Unknown option '--seconds'/],
  [['engine', 'claims'], /^Unexpected argument 'claims'/],
  [['engine', '--rounds'], /argument missing/],
  [['engine', '--rounds', '--only'], /argument is ambiguous/],
  [['engine', '--rounds', '0'], /^--rounds takes a whole number from 1 on, not "0"/],
  [['engine', '--rounds', '1.5'], /^--rounds takes a whole number/],
  [['engine', '--rounds', ''], /^--rounds takes a whole number/],
  [['engine', '--only', 'slow'], /^--only takes claims or medusa, not "slow"/],
  [['engine', '--store', 'MySQL'], /^--store takes PostgreSQL or SQLite, not "MySQL"/],
  [['widget', '--rounds', '3'], /^Unknown option '--rounds'/],
])('%j measures nothing, rather than something else', (args, why) => {
  expect(read(...args)).toEqual({ kind: 'mistake', text: expect.stringMatching(why) as string });
});
