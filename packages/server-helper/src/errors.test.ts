import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ConfigurationError, PaymentsError } from './errors.ts';
import { GatewayError } from './gateway/gateway-error.ts';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

/** The codes of a union type, as its source spells them. */
function codesOf(path: string, type: string): readonly string[] {
  const union = new RegExp(`export type ${type} =([^;]+);`).exec(read(path))?.[1] ?? '';
  return [...union.matchAll(/'(\w+)'/g)].map(([, code = '']) => code);
}

/** The codes of a table, as its source spells them. */
function rowsOf(path: string, table: string): readonly string[] {
  const rows = new RegExp(`const ${table} = \\{([^}]+)\\}`).exec(read(path))?.[1] ?? '';
  return [...rows.matchAll(/^ {2}(\w+):/gm)].map(([, code = '']) => code);
}

const codes = {
  ConfigurationErrorCode: codesOf('./errors.ts', 'ConfigurationErrorCode'),
  PaymentsErrorCode: codesOf('./errors.ts', 'PaymentsErrorCode'),
  GatewayErrorCode: codesOf('./gateway/gateway-error.ts', 'GatewayErrorCode'),
  ProblemCode: rowsOf('./edges/problem.ts', 'kinds'),
  BrowserErrorCode: codesOf('../../widget/src/errors.ts', 'BrowserErrorCode'),
};

/** Entries of the page by code; GitHub's anchor of such a heading is the code itself. */
function entriesOf(page: string): ReadonlyMap<string, string> {
  const parts = page.split(/^### /m).slice(1);
  return new Map(parts.map((part) => [part.split('\n')[0] ?? '', part.split(/^## /m)[0] ?? '']));
}

/** Codes without an entry that says meaning, money and fix. */
function undocumented(page: string): readonly string[] {
  const entries = entriesOf(page);
  const isWhole = (code: string): boolean =>
    /^- Meaning: \S[\s\S]*^- Money: \S[\s\S]*^- Fix: \S/m.test(entries.get(code) ?? '');
  return [...new Set(Object.values(codes).flat())].filter((code) => !isWhole(code));
}

const page = read('../../../docs/errors.md');

describe('the page of errors', () => {
  it.each(Object.entries(codes))('is held against every code of %s', (_type, list) => {
    expect(list.length).toBeGreaterThan(5);
    expect(list).toEqual(list.toSorted());
  });

  it('says of every code what it means, what happened to the money, and the fix', () => {
    expect(undocumented(page)).toEqual([]);
  });

  it('is caught when an entry, or a part of one, is missing', () => {
    const renamed = page.replace('### already_paid', '### paid_already');
    expect(undocumented(renamed)).toEqual(['already_paid']);
    const inPart = page.replace(/(### cross_site[\s\S]*?)- Money:/, '$1- Cash:');
    expect(undocumented(inPart)).toEqual(['cross_site']);
  });

  it('explains each code once', () => {
    const headings = [...page.matchAll(/^### (.*)$/gm)].map(([, heading]) => heading);
    expect(headings).toHaveLength(new Set(headings).size);
    for (const heading of headings) expect(heading).toMatch(/^[a-z_]+$/);
  });

  it('tells each finding once where an error is printed', () => {
    const told = { setting: 'pages.success', what: 'It is missing.', why: 'Why.', fix: 'Give it.' };
    const error = new ConfigurationError('invalid_page', told);
    expect(error.findings).toMatchObject([told]);
    expect(inspect(error).split('It is missing.')).toHaveLength(2);
  });
});

it('leads from an error of any kind to its entry', () => {
  const { repository } = JSON.parse(read('../package.json')) as { repository: { url: string } };
  const [, address] = /^git\+(https:.+)\.git$/.exec(repository.url) ?? [];
  const silence = { code: 'timeout', operation: 'sale', outcome: 'unknown', message: '' } as const;
  const closed = new ConfigurationError('closed', 'These payments were closed.');
  expect(closed.message).toContain(closed.help);
  const errors = [closed, new PaymentsError('already_paid', 'paid'), new GatewayError(silence)];
  const at = `${address}/blob/main/docs/errors.md`;
  expect(errors.map(({ help }) => help)).toEqual(errors.map(({ code }) => `${at}#${code}`));
});
