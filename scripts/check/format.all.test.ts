import { expect, it } from 'vitest';
import { checkFormat } from './programs.ts';
import { fixtureTree } from './testing/fixture-tree.ts';

it('accepts a formatted tree, and names the file that is not formatted', async () => {
  expect(await checkFormat(fixtureTree({ 'a.ts': 'export const a = 1;\n' }))).toEqual({ ok: true });
  const result = await checkFormat(fixtureTree({ 'crooked.ts': 'export const  a=1' }));
  expect(result.ok ? '' : result.details).toContain('crooked.ts');
});
