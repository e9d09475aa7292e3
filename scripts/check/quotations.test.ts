import { describe, expect, it } from 'vitest';
import { checkQuotations } from './quotations.ts';
import { fixtureTree } from './testing/fixture-tree.ts';

const guide = (code: string): string =>
  `# Guide\n\n\`\`\`ts from examples/shop.ts\n${code}\`\`\`\n`;

describe('the check of quotations', () => {
  it('passes a block that is the file that it names', async () => {
    const code = "serve('/pay');\n";
    const others = '```ts\nother();\n```\n\n```ts taken from examples/none.ts\nother();\n```\n';
    const top = fixtureTree({
      'docs/guide.md': guide(code) + others,
      'docs/guide.ts': `/*\n${guide('other();\n')}*/\n`,
      'examples/shop.ts': code,
    });
    expect(await checkQuotations(top)).toEqual({ ok: true, remark: '1 quotations' });
  });

  it('finds a block that is another text, and one whose file is gone', async () => {
    for (const files of [{ 'examples/shop.ts': "serve('/shop');\n" }, {}]) {
      const top = fixtureTree({ 'docs/guide.md': guide("serve('/pay');\n"), ...files });
      const result = await checkQuotations(top);
      expect(result.ok ? '' : result.details).toMatch(/^docs\/guide\.md:4 .*examples\/shop\.ts/);
    }
  });
});
