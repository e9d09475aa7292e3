import { describe, expect, it } from 'vitest';
import { fileLength } from './file-length.ts';

const linesOf = (count: number, path = 'src/a.ts') =>
  fileLength.check({ path, text: 'const a = 1;\n'.repeat(count) });

describe('the file-length rule', () => {
  it('accepts 250 lines and refuses one more', () => {
    expect(linesOf(250)).toEqual([]);
    expect(linesOf(251)[0]?.message).toContain('251 lines');
  });

  it('lets a document be as long as its subject', () => {
    expect(linesOf(400, 'docs/guide.md')).toEqual([]);
  });
});
