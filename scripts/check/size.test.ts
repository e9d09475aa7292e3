import { expect, it } from 'vitest';
import { checkSize } from './size.ts';
import { findingsOf } from './testing/fixture-tree.ts';

it('the check of size finds an area that is above its ceiling, and leaves its tests out', async () => {
  const lines = 'const one = 1;\n'.repeat(90_000);
  const tree = { 'demo/src/main.ts': lines, 'demo/src/main.test.ts': lines };
  expect(await findingsOf(checkSize, tree)).toMatch(/^demo: 90000 lines, and the ceiling is \d+$/m);
});
