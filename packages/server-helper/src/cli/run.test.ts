import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCli, runCliInside } from '../../test-support/cli-shop.ts';
import { packageVersion } from '../package-version.ts';
import { table, wrap } from './terminal.ts';

describe('the program as a process', () => {
  it('tells its version, and its help with examples', async () => {
    const version = await runCli(['--version']);
    expect([version.code, version.out]).toEqual([0, `${packageVersion()}\n`]);
    const help = await runCli(['--help']);
    expect([help.code, help.err]).toEqual([0, '']);
    expect(help.out).toMatch(/Usage: [\s\S]*Examples/);
  });

  it('ends with 2 and says how to use it when it is used wrongly', async () => {
    const { code, out, err } = await runCli(['explian', '1001']);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain('There is no command "explian"');
    expect(err).toContain('Try: pay-button --help');
  });
});

describe('the program', () => {
  it.each([
    ['nothing', []],
    ['an unknown option', ['doctor', '--foo']],
    ['an option without its text', ['doctor', '--page']],
    ['an explanation of nothing', ['explain']],
    ['an explanation of two orders', ['explain', '1001', '1002']],
    ['a reconcile of too many days', ['reconcile', '--since', '1000']],
    ['a reconcile at no speed', ['reconcile', '--rate', '0']],
    ['a resolution without a reason', ['review', 'resolve', '1001/paid_late/x']],
    ['a review of nothing', ['review']],
    ['a list of none', ['review', 'list', '--limit', '0']],
    ['a page that is none', ['doctor', '--page', 'shop']],
    ['a mount that is no path', ['doctor', '--mount', 'pay']],
    ['an environment file that is not there', ['doctor', '--env-file', '/nowhere/.env']],
  ])('refuses %s with 2 and points to the help', async (_what, args) => {
    const { code, out, err } = await runCliInside(args);
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err).toMatch(/^pay-button: .+\.?\nTry: pay-button .*--help\n$/);
  });

  it.each(['doctor', 'reconcile', 'explain', 'archive', 'review'])(
    'has help with examples for %s',
    async (name) => {
      const { code, out } = await runCliInside([name, '--help']);
      expect(code).toBe(0);
      for (const part of [`Usage: pay-button ${name}`, '--json', 'xit code', 'Examples']) {
        expect(out).toContain(part);
      }
      for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
    },
  );

  it('reads settings from a file too, and lets the environment win', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pay-env-file-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, '.env');
    writeFileSync(file, 'GATEWAY_ENVIRONMENT=staging\nDATABASE_URL="mysql://from-file"\n');
    const fromFile = await runCliInside(['explain', '1001', '--env-file', file, '--json']);
    expect(fromFile.code).toBe(1);
    expect(fromFile.json).toMatchObject({ error: { code: 'unsupported_database_url' } });
    const env = { DATABASE_URL: `sqlite:${join(folder, 'none.db')}` };
    const { json } = await runCliInside(['explain', '1001', '--env-file', file, '--json'], env);
    expect(json).toMatchObject({ error: { code: 'store_empty' } });
  });

  it('names every setting that a command lacks', async () => {
    const { code, err } = await runCliInside(['reconcile']);
    expect(code).toBe(1);
    for (const name of ['GATEWAY_ENVIRONMENT', 'GATEWAY_BASE_URL', 'GATEWAY_API_KEY']) {
      expect(err).toContain(name);
    }
    expect(err).not.toContain('PUBLIC_URL');
  });
});

it('columns are as wide as their cells, colours not counted', () => {
  expect(
    table([
      ['a', 'b'],
      ['\u001B[31mlong\u001B[39m', 'x'],
    ]),
  ).toEqual(['a     b', '\u001B[31mlong\u001B[39m  x']);
});

it('a text is broken at spaces, and a long word stands by itself', () => {
  expect(wrap('one two three', 8)).toEqual(['one two', 'three']);
  expect(wrap('a-very-long-word b', 5)).toEqual(['a-very-long-word', 'b']);
});
