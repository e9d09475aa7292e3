import { describe, expect, it } from 'vitest';
import { withResults } from './results.ts';

describe('keeping figures in a document', () => {
  const document = 'Before.\n<!-- a: begin -->old<!-- a: end -->\nAfter.\n';

  it('replaces what stands between the marks and nothing else', () => {
    expect(withResults(document, 'a', '| 1 |\n')).toBe(
      'Before.\n<!-- a: begin -->\n\n| 1 |\n\n<!-- a: end -->\nAfter.\n',
    );
  });

  it('refuses a document without the marks, or with two of them', () => {
    expect(() => withResults(document, 'b', 'new')).toThrow('<!-- b: begin -->');
    expect(() => withResults(document + document, 'a', 'new')).toThrow('once');
  });
});
