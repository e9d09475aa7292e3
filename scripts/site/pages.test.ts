import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fixtureTree } from '../check/testing/fixture-tree.ts';
import { root } from '../process/root.ts';
import { sitePages } from './pages.ts';

const documents = Object.fromEntries(sitePages(root).map(({ path }) => [path, '# A title\n']));

describe('the pages of the site', () => {
  it('gives every document an address of its own, the front page first', () => {
    const addresses = sitePages(root).map(({ address }) => address);
    expect(addresses[0]).toBe('index');
    expect(new Set(addresses).size).toBe(addresses.length);
    expect(addresses).toEqual(expect.arrayContaining(['quick-start', 'packages/widget']));
  });

  it('lists each decision under its own heading', () => {
    const pages = sitePages(
      fixtureTree({ ...documents, 'docs/decisions/0900-x.md': '# 0900: X\n' }),
    );
    expect(pages.at(-1)).toMatchObject({ part: 'Decisions', title: '0900: X' });
  });

  it('refuses a document in docs/ that is not in the sidebar', () => {
    const top = fixtureTree(documents);
    writeFileSync(`${top}/docs/lost.md`, '# Lost\n');
    expect(() => sitePages(top)).toThrow(/docs\/lost\.md/);
  });

  it('refuses a sidebar that names a document that is gone', () => {
    const { 'docs/webhooks.md': _gone, ...others } = documents;
    expect(() => sitePages(fixtureTree(others))).toThrow(/docs\/webhooks\.md/);
  });
});
