import { describe, expect, it } from 'vitest';
import { checkDeadCode } from './programs.ts';
import { fixtureTree } from './testing/fixture-tree.ts';

const manifest = '{ "name": "shop", "type": "module", "main": "index.js" }';

describe('the check for dead code', () => {
  it('accepts a tree in which everything is used', async () => {
    const top = fixtureTree({
      'package.json': manifest,
      'index.js': "import { price } from './price.js';\nconsole.log(price);\n",
      'price.js': 'export const price = 1;\n',
    });
    expect(await checkDeadCode(top)).toEqual({ ok: true });
  });

  it('finds an unused file, an unused export and a dependency that no manifest lists', async () => {
    const top = fixtureTree({
      'package.json': manifest,
      'index.js': "import 'left-pad';\nimport { price } from './price.js';\nconsole.log(price);\n",
      'price.js': 'export const price = 1;\nexport const oldPrice = 2;\n',
      'forgotten.js': 'export const forgotten = 1;\n',
    });
    const result = await checkDeadCode(top);
    for (const finding of ['forgotten.js', 'oldPrice', 'left-pad']) {
      expect(result.ok ? '' : result.details).toContain(finding);
    }
  });
});
