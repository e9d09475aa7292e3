import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
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

/** Runs `npm run bench -- …` without npm. */
async function bench(...args: readonly string[]) {
  const main = fileURLToPath(new URL('main.ts', import.meta.url));
  const child = spawn(process.execPath, ['--conditions=@pay-button/source', main, ...args]);
  const [said, complained] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code: child.exitCode, said, complained };
}

describe('the command line of the measurements', () => {
  it('names a bench and what it is given', () => {
    expect(read('engine', '--rounds', '3', '--store=SQLite', '--only', 'claims')).toEqual({
      kind: 'run',
      name: 'engine',
      parameters: { rounds: 3, store: 'SQLite', only: 'claims' },
    });
    expect(read('widget')).toEqual({ kind: 'run', name: 'widget', parameters: {} });
  });

  it.each([[[]], [['--help']], [['-h']]])('lists the measurements when asked for %j', (args) => {
    const asked = read(...args);
    expect(asked).toMatchObject({ kind: 'help' });
    expect(asked).toHaveProperty('text', expect.stringMatching(/engine .*\n *widget/));
  });

  it('lists the options of one measurement, with what each takes', () => {
    const { text: help } = read('engine', '--rounds', '3', '--help') as { text: string };
    expect(help).toContain('what a payment costs');
    expect(help).toMatch(/--rounds N/);
    expect(help).toMatch(/--store PostgreSQL\|SQLite/);
    expect(help).not.toContain('--seconds');
  });

  it.each([
    [['egnine'], /^There is no bench "egnine": .*engine, widget/],
    [['toString'], /^There is no bench "toString"/],
    [['engine', '--ruonds', '3'], /^Unknown option '--ruonds'.*--only.*--rounds.*--store/],
    [['engine', '--seconds', '3'], /^Unknown option '--seconds'/],
    [['engine', 'claims'], /^Unexpected argument 'claims'/],
    [['engine', '--rounds'], /^Option '--rounds <value>' argument missing/],
    [['engine', '--rounds', '--only'], /^Option '--rounds' argument is ambiguous/],
    [['engine', '--rounds', '0'], /^--rounds takes a whole number from 1 on, not "0"/],
    [['engine', '--rounds', '1.5'], /^--rounds takes a whole number/],
    [['engine', '--rounds', ''], /^--rounds takes a whole number/],
    [['engine', '--only', 'slow'], /^--only takes claims or medusa, not "slow"/],
    [['engine', '--store', 'MySQL'], /^--store takes PostgreSQL or SQLite, not "MySQL"/],
    [['widget', '--rounds', '3'], /^Unknown option '--rounds'.*takes no options/],
  ])('refuses %j with one line that says what is possible', (args, line) => {
    const asked = read(...args);
    expect(asked).toMatchObject({ kind: 'mistake', text: expect.stringMatching(line) as string });
    expect(asked).toHaveProperty('text', expect.not.stringContaining('\n'));
    expect(asked).toHaveProperty('text', expect.stringContaining('--help'));
  });
});

describe('npm run bench', () => {
  it('says what a measurement takes, and measures nothing', async () => {
    const { code, said } = await bench('engine', '--help');
    expect(said).toContain('--rounds N');
    expect(code).toBe(0);
  });

  it('ends with 2 when it was called wrongly', async () => {
    const { code, said, complained } = await bench('edge', '--sceonds', '1');
    expect(complained).toContain("Unknown option '--sceonds'");
    expect(complained.trim().split('\n')).toHaveLength(1);
    expect(said).toBe('');
    expect(code).toBe(2);
  });
});
