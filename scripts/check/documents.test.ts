import { describe, expect, it } from 'vitest';
import { checkLinks, checkQuotations } from './documents.ts';
import { findingsOf } from './testing/fixture-tree.ts';

const findings = (text: string, more: Readonly<Record<string, string>> = {}): Promise<string> =>
  findingsOf(checkLinks, {
    'README.md': text,
    'docs/guide.md': '# A guide, *really*\n\n## Twice\n\n## Twice\n\n<a id="mark"></a>\n',
    'docs/picture.png': '',
    'src/pay.ts': '',
    'package.json': '{ "repository": { "url": "git+https://web.example/shop.git" } }',
    ...more,
  });

describe('the check of links', () => {
  it('follows the repository’s own addresses on the web', async () => {
    const web = 'https://web.example/shop';
    expect(await findings(`[a](${web}/blob/main/docs/gone.md)`)).toMatch(/no such file/);
    expect(await findings(`[a](${web}/blob/main/docs/guide.md#gone)`)).toMatch(/no heading/);
  });

  it('asks a package for addresses of what its tarball does not hold', async () => {
    const readme = (text: string) => ({ 'packages/kit/README.md': text });
    const advice = /write https:\/\/web\.example\/shop\/blob\/main\/docs\/guide\.md/;
    expect(await findings('', readme('[a](../../docs/guide.md#twice)'))).toMatch(advice);
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

const guide = (code: string): string =>
  `# Guide\n\n\`\`\`ts from examples/shop.ts\n${code}\`\`\`\n`;

it('the check of quotations finds a block that is another text, and one whose file is gone', async () => {
  for (const files of [{ 'examples/shop.ts': "serve('/shop');\n" }, {}]) {
    const tree = { 'docs/guide.md': guide("serve('/pay');\n"), ...files };
    const advice = /^docs\/guide\.md:4 .*examples\/shop\.ts/;
    expect(await findingsOf(checkQuotations, tree)).toMatch(advice);
  }
});
