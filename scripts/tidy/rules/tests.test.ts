import { describe, expect, it } from 'vitest';
import { testNames, wholeSuite } from './tests.ts';

const misnamed = (text: string, path = 'src/a.test.ts') => testNames.check({ path, text });

describe('the test-names rule', () => {
  it('refuses a test whose name is no sentence', () => {
    expect(misnamed("it('works', f);\ntest(`refund ok`, f);")).toHaveLength(2);
    expect(misnamed("it.each([1])('case %i', f)")).toHaveLength(1);
    expect(misnamed("it.for`a\n${1}`('case', f)")).toHaveLength(1);
  });

  it('accepts a sentence, and a template that grows into one', () => {
    expect(misnamed("it('refuses a negative amount', f);")).toEqual([]);
    // oxlint-disable-next-line no-template-curly-in-string -- the source of another file
    expect(misnamed('it(`refuses ${amount} quietly`, f);')).toEqual([]);
  });

  it('leaves calls in other files alone', () => {
    expect(misnamed("it('works', f);", 'src/a.ts')).toEqual([]);
  });
});

const partial = (text: string) => wholeSuite.check({ path: 'e2e/a.test.ts', text });

describe('the whole-suite rule', () => {
  it('refuses focused, skipped, postponed and conditional tests', () => {
    for (const call of [
      'it.only',
      'describe.skip',
      'test.describe.only',
      'test.fixme',
      'it.todo',
      'it.skipIf(true)',
      'it.each.skip',
      'xit',
    ]) {
      expect(partial(`\n${call}('a name', f)`), call).toMatchObject([{ line: 2 }]);
    }
  });

  it('accepts plain tests, and other things that are called only or skip', () => {
    expect(partial("it('a', f); describe.each(x)('b', f); stream.skip(3); only();")).toEqual([]);
  });
});
