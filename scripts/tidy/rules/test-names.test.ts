import { describe, expect, it } from 'vitest';
import { testNames } from './test-names.ts';

const findings = (text: string, path = 'src/a.test.ts') => testNames.check({ path, text });

describe('the test-names rule', () => {
  it('refuses a test whose name is no sentence', () => {
    expect(findings("it('works', f);\ntest(`refund ok`, f);")).toHaveLength(2);
    expect(findings("it.each([1])('case %i', f)")).toHaveLength(1);
    expect(findings("it.for`a\n${1}`('case', f)")).toHaveLength(1);
  });

  it('accepts a sentence, and a template that grows into one', () => {
    expect(findings("it('refuses a negative amount', f);")).toEqual([]);
    // oxlint-disable-next-line no-template-curly-in-string -- the source of another file
    expect(findings('it(`refuses ${amount} quietly`, f);')).toEqual([]);
  });

  it('leaves calls in other files alone', () => {
    expect(findings("it('works', f);", 'src/a.ts')).toEqual([]);
  });
});
