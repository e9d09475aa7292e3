import { describe, expect, it } from 'vitest';
import { checkCodeBlocks } from './code-blocks.ts';
import { fixtureTree } from './testing/fixture-tree.ts';

const block = (info: string, code: string) => `# Guide\n\n\`\`\`${info}\n${code}\n\`\`\`\n`;

describe('the check of code blocks', () => {
  it('compiles complete blocks against installed packages', async () => {
    const code = "import express from 'express';\nexpress().listen(3000);";
    const top = fixtureTree({ 'README.md': block('ts complete', code) });
    expect(await checkCodeBlocks(top)).toEqual({ ok: true, remark: '1 code blocks' });
  });

  it('finds a block that does not compile, at its place in the document', async () => {
    const code = "const fine = 1;\nconst wrong: number = 'text';";
    const top = fixtureTree({ 'docs/guide.md': block('ts complete', code) });
    const result = await checkCodeBlocks(top);
    expect(result.ok ? '' : result.details).toMatch(/^docs\/guide\.md:5: error TS2322/);
  });

  it('compiles the examples of the gateway client’s methods, with a client', async () => {
    const example = (code: string) => `/**\n   * Sells.\n   * @example\n   * ${code}\n   */\n`;
    const path = 'packages/server-helper/src/gateway/sale.ts';
    const text = example('await client.listWebhooks();') + example('await client.sel();');
    const result = await checkCodeBlocks(fixtureTree({ [path]: text }));
    expect(result.ok ? '' : result.details).toMatch(/^packages\S+sale\.ts:9: error TS2339/);
  }, 120_000);

  it('leaves sketches alone', async () => {
    const top = fixtureTree({ 'README.md': block('ts', 'loadOrder: async () => …,') });
    expect(await checkCodeBlocks(top)).toMatchObject({ ok: true });
  });
});
