import { describe, expect, it } from 'vitest';
import { findNamedTests } from './named-tests.ts';

const texts: Record<string, string> = {
  'demo/refund.test.ts': "it('a refund is shown')",
  'e2e/refund.all.test.ts': "test('a shopper sees a refund')",
  'demo/paying.test.ts': "it('a payment is taken once')",
};
const find = (...words: string[]) =>
  findNamedTests(words, Object.keys(texts), (file) => texts[file] ?? '');

describe('the tests that words name', () => {
  it('are the files whose paths have every word, of whatever suite', () => {
    expect(find('refund')).toEqual({ files: ['demo/refund.test.ts', 'e2e/refund.all.test.ts'] });
    expect(find('demo', 'refund')).toEqual({ files: ['demo/refund.test.ts'] });
  });

  it('are the tests of that name, in the files that hold it', () => {
    expect(find('taken once')).toEqual({ files: ['demo/paying.test.ts'], name: 'taken once' });
    expect(find('taken', 'once')).toEqual(find('taken once'));
  });

  it('are the tests of that name in a named file, where a table makes their names', () => {
    expect(find('demo/paying', 'with SAR')).toEqual({
      files: ['demo/paying.test.ts'],
      name: 'with SAR',
    });
  });

  it('are none where neither a path nor a file has the words', () => {
    expect(find('chargeback')).toBeUndefined();
  });
});
