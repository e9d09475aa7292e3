import { describe, expect, it } from 'vitest';
import { checkLinks } from './links.ts';
import { fixtureTree } from './testing/fixture-tree.ts';

async function findings(text: string): Promise<string> {
  const top = fixtureTree({
    'README.md': text,
    'docs/guide.md': '# A guide, *really*\n\n## Twice\n\n## Twice\n\n<a id="mark"></a>\n',
    'docs/picture.png': '',
    'src/pay.ts': '',
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
