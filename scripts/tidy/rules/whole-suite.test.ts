import { describe, expect, it } from 'vitest';
import { wholeSuite } from './whole-suite.ts';

const findings = (text: string) => wholeSuite.check({ path: 'e2e/a.test.ts', text });

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
      expect(findings(`\n${call}('a name', f)`), call).toMatchObject([{ line: 2 }]);
    }
  });

  it('accepts plain tests, and other things that are called only or skip', () => {
    expect(findings("it('a', f); describe.each(x)('b', f); stream.skip(3); only();")).toEqual([]);
  });
});
