import { describe, expect, it } from 'vitest';
import { checkLinks } from './links.ts';
import { fixtureTree } from './testing/fixture-tree.ts';

async function findings(
  text: string,
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  const top = fixtureTree({
    'README.md': text,
    'docs/guide.md': '# A guide, *really*\n\n## Twice\n\n## Twice\n\n<a id="mark"></a>\n',
    'docs/picture.png': '',
    'src/pay.ts': '',
    'package.json': '{ "repository": { "url": "git+https://web.example/shop.git" } }',
    ...more,
  });
  const result = await checkLinks(top);
  return result.ok ? '' : result.details;
}

describe('the check of links', () => {
  it('accepts links to files, folders, headings, marks, lines of code and other sites', async () => {
    const text = [
      '# Top',
      '[a](docs/guide.md) [b](docs/guide.md#a-guide-really) [c](docs/guide.md#twice-1) [d](docs)',
      '[e](#top) [f](docs/guide.md#mark "title") ![g](docs/picture.png) [h](https://example.com/x)',
      '[i]: docs/guide.md',
      '<img src="docs/picture.png"> [j](src/pay.ts#L12)',
      '`[not a link](nowhere.md)`',
      '```md',
      '[nor this](nowhere.md)',
      '```',
    ].join('\n');
    expect(await findings(text)).toBe('');
  });

  it('follows the repository’s own addresses on the web', async () => {
    const web = 'https://web.example/shop';
    const good = `[a](${web}/blob/main/docs/guide.md#twice) ![b](${web}/raw/main/docs/picture.png)`;
    expect(await findings(`${good} [c](${web}/tree/main/docs) [d](${web}/issues)`)).toBe('');
    expect(await findings(`[a](${web}/blob/main/docs/gone.md)`)).toMatch(/no such file/);
    expect(await findings(`[a](${web}/blob/main/docs/guide.md#gone)`)).toMatch(/no heading/);
  });

  it('asks a package for addresses of what its tarball does not hold', async () => {
    const readme = (text: string) => ({ 'packages/kit/README.md': text });
    expect(await findings('', readme('[a](README.md) [b](#top)\n# Top'))).toBe('');
    expect(await findings('', readme('[a](../../docs/guide.md#twice)'))).toMatch(
      /write https:\/\/web\.example\/shop\/blob\/main\/docs\/guide\.md/,
    );
  });

  it.each([
    '[a](docs/gone.md)',
    '[a](docs/guide.md#gone)',
    '[a](#gone)',
    '![a](docs/gone.png)',
    '[a]: docs/gone.md',
    '<img src="docs/gone.png">',
    '[a](../outside.md)',
  ])('finds that %s leads nowhere, and names the line', async (link) => {
    expect(await findings(`# Top\n\n${link}\n`)).toMatch(/^README\.md:3 /);
  });
});
