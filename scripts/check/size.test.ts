import { describe, expect, it } from 'vitest';
import { checkSize } from './size.ts';
import { fixtureTree } from './testing/fixture-tree.ts';

const lines = (count: number): string => 'const one = 1;\n'.repeat(count);

describe('the check of size', () => {
  it('counts the lines of code outside tests and of tests apart', async () => {
    const top = fixtureTree({
      'packages/server-helper/src/stores/store.ts': lines(20),
      'packages/server-helper/src/money.ts': lines(7),
      'demo/src/main.ts': lines(3),
      'demo/src/main.test.ts': lines(5),
      'docs/money.md': 'Money.\n',
    });
    expect(await checkSize(top)).toEqual({
      ok: true,
      remark: '30 lines outside tests, 5 of tests',
    });
  });

  it('finds an area that is above its ceiling', async () => {
    const top = fixtureTree({ 'demo/src/main.ts': lines(90_000) });
    expect(await checkSize(top)).toMatchObject({
      ok: false,
      details: expect.stringMatching(/^demo: 90000 lines, and the ceiling is \d+$/),
    });
  });
});
