import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test-support/temporary-folder.ts';
import { runCli, runCliInside } from '../../test-support/cli-shop.ts';
import { definitions } from './definitions.ts';
import { helpOf } from './help.ts';
import { table, wrap } from './terminal.ts';

it('the program as a process tells the version of its manifest, and its help with examples', async () => {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  expect(await runCli(['--version'])).toMatchObject({ code: 0, out: `${version}\n` });
  const help = await runCli(['--help']);
  expect([help.code, help.err]).toEqual([0, '']);
  expect(help.out).toMatch(/Usage: [\s\S]*Examples/);
});

describe('the program', () => {
  const exported = ['export', 'payments'];
  const approve = ['operations', 'approve', '--yes'];

  it.each([
    ['an unknown option', ['doctor', '--foo']],
    ['an option without its text', ['doctor', '--page']],
    ['an explanation of nothing', ['explain']],
    ['a reconcile of too many days', ['reconcile', '--since', '1000']],
    ['a reconcile at no speed', ['reconcile', '--rate', '0']],
    ['a resolution without a reason', ['review', 'resolve', '1001/paid_late/x']],
    ['a review of nothing', ['review']],
    ['a list of none', ['review', 'list', '--limit', '0']],
    ['a refund of no order', ['refund', '--amount', '1.00', '--request-id', 'x']],
    ['a refund of nothing', ['refund', '1001', '--request-id', 'x']],
    ['a refund without a name', ['refund', '1001', '--amount', '1.00']],
    ['an operation that became nothing', ['operations', 'resolve', 'op', 'maybe', '--why', 'y']],
    ['a webhook of nothing', ['webhook', 'delete']],
    ['a secret of something', ['secret', 'please']],
    ['a page that is none', ['doctor', '--page', 'shop']],
    ['a mount that is no path', ['doctor', '--mount', 'pay']],
    ['an environment file that is not there', ['doctor', '--env-file', '/nowhere/.env']],
    ['an export of what there is not', ['export', 'customers']],
    ['two exports at once', ['export', 'payments', 'refunds']],
    ['an export from a time without a zone', [...exported, '--since', '2026-11-01T00:00:00']],
    ['an export from a day that is none', [...exported, '--since', '2026-02-30']],
    ['an end before its start', [...exported, '--since', '2026-02-02', '--until', '2026-02-01']],
    ['a migration of an order', ['migrate', '1001']],
    ['a database of no kind of ours', ['migrate', '--print', '--for', 'mongodb']],
    ['a kind of database without a print', ['migrate', '--for', 'sqlite']],
    ['an archive up to a day that is none', ['archive', '--before', '2025-02-30']],
    ['an archive up to a day to come', ['archive', '--before', '9999-01-01']],
    ['an archive of an order', ['archive', '1001', '--before', '2025-01-01']],
    ['an approval of nothing', [...approve]],
    ['an approval by nobody', [...approve, 'request/ticket-88']],
    ['an approval by a blank name', [...approve, 'request/ticket-88', '--by', ' ']],
  ])('refuses %s with 2 and points to the help', async (_what, args) => {
    const { code, out, err } = await runCliInside(args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(new RegExp(`^pay-button: .+\nTry: pay-button ${args[0]} --help\n$`));
  });

  const commands = [...definitions.keys()];

  it.each(commands)('has help with examples in 80 columns for %s, also by help', async (name) => {
    const { code, out } = await runCliInside([name, '--help']);
    expect(code).toBe(0);
    expect(out.split('\n').filter((line) => line.length > 80)).toEqual([]);
    for (const part of [`Usage: pay-button ${name}`, '--json', 'xit code', 'Examples']) {
      expect(out).toContain(part);
    }
    expect(await runCliInside(['help', name])).toMatchObject({ code: 0, out });
    expect(await runCliInside([name, '-h'])).toMatchObject({ code: 0, out });
  });

  it('has help for every command, and lists each in its own', async () => {
    const { err } = await runCliInside(['xyzzyxyzzy']);
    const named = /There are (.+)\.\n/.exec(err)?.[1]?.split(', ');
    expect(named?.toSorted()).toEqual(commands.toSorted());
    const { out } = await runCliInside(['help']);
    expect(out.split('\n').filter((line) => line.length > 80)).toEqual([]);
    for (const name of commands) expect(out).toMatch(new RegExp(`^  ${name} `, 'm'));
  });

  it.each([
    ['a command', ['explian', '1001'], 'Did you mean explain?'],
    ['a command of which help is wanted', ['refnud', '--help'], 'Did you mean refund?'],
    ['a command after help', ['help', 'operation'], 'Did you mean operations?'],
    ['an option', ['reconcile', '--sinse', '3'], 'Did you mean --since?'],
  ])('names the nearest for %s that is misspelt', async (_what, args, hint) => {
    const { code, out, err } = await runCliInside(args);
    expect([code, out, err]).toEqual([2, '', expect.stringContaining(hint)]);
  });

  it('shows what there is, as a mistake, where no command is named', async () => {
    const { code, out, err } = await runCliInside([]);
    expect([code, out, err]).toEqual([2, '', `${helpOf('')}\n`]);
  });

  it('reads settings from a file too, and lets the environment win', async () => {
    const folder = temporaryFolder();
    const file = join(folder, '.env');
    writeFileSync(file, 'GATEWAY_ENVIRONMENT=staging\nDATABASE_URL="mongodb://from-file"\n');
    const fromFile = await runCliInside(['explain', '1001', '--env-file', file, '--json']);
    expect(fromFile.code).toBe(1);
    expect(fromFile.json).toMatchObject({ error: { code: 'unsupported_database_url' } });
    const env = { DATABASE_URL: `sqlite:${join(folder, 'none.db')}` };
    const { json } = await runCliInside(['explain', '1001', '--env-file', file, '--json'], env);
    expect(json).toMatchObject({ error: { code: 'store_empty' } });
  });

  it('prints another secret each time, and nothing else, so that a script can take it', async () => {
    const [first, second] = [await runCliInside(['secret']), await runCliInside(['secret'])];
    expect([first.code, first.err]).toEqual([0, '']);
    expect(first.out).toMatch(/^[0-9a-f]{64}\n$/);
    expect(second.out).not.toBe(first.out);
    const { json } = await runCliInside(['secret', '--json']);
    expect(json).toEqual({ secret: expect.stringMatching(/^[0-9a-f]{64}$/) });
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
  const red = '\u001B[31mlong\u001B[39m';
  const [head, row] = ['a b'.split(' '), [red, 'x']];
  expect(table([head, row])).toEqual(['a     b', `${red}  x`]);
});

it('a text is broken at spaces, and a long word stands by itself', () => {
  expect(wrap('one two three', 8)).toEqual(['one two', 'three']);
  expect(wrap('a-very-long-word b', 5)).toEqual(['a-very-long-word', 'b']);
});
