import { describe, expect, it } from 'vitest';
import {
  compareCounts,
  findNamedTests,
  outcomeLines,
  problem,
  runnerOutcome,
  suiteOf,
  sumLine,
  type TestResult,
} from './outcome.ts';

const one = (state: TestResult['state'], more: Partial<TestResult> = {}): TestResult => ({
  runner: 'vitest demo',
  file: 'demo/a.test.ts',
  name: 'the shop sells',
  state,
  ...more,
});
const ended = (code: number, trouble?: string) => ({ code, trouble });

describe('the last line of a run', () => {
  it('sums passed, failed and skipped tests, and counts a problem as a failure', () => {
    const tests = [one('passed'), one('passed'), one('failed'), one('skipped')];
    expect(sumLine([...tests, problem('build', 'broken')])).toBe('2 passed, 2 failed, 1 skipped');
  });

  it.each([
    ['ran nothing', [], ended(0), [0, 1, 0]],
    ['only skipped', [one('skipped')], ended(0), [0, 1, 1]],
    ['crashed without results', undefined, ended(137), [0, 1, 0]],
    ['crashed after a test', [one('passed')], ended(1, 'was ended by SIGSEGV'), [1, 1, 0]],
    ['had an error of no test', [one('passed'), problem('vitest', 'boom')], ended(1), [1, 1, 0]],
    ['ended badly with no failed test', [one('passed')], ended(1), [1, 1, 0]],
    ['had one failed test', [one('failed')], ended(1), [0, 1, 0]],
  ] as const)('is right for a runner that %s', (_, results, end, [passed, failed, skipped]) => {
    const line = `${passed} passed, ${failed} failed, ${skipped} skipped`;
    expect(sumLine(runnerOutcome('vitest', results, end))).toBe(line);
  });
});

it('a failed test is shown with name, file, first line of why and the command that runs it alone', () => {
  const failed = one('failed', { name: "the shop's button sells", reason: 'expected 1 to be 2' });
  expect(outcomeLines([one('passed'), failed])).toEqual([
    '',
    '   vitest demo: 1 passed, 1 failed, 0 skipped',
    '',
    "✗ the shop's button sells",
    '  demo/a.test.ts',
    '  expected 1 to be 2',
    String.raw`  npm test -- demo/a.test.ts 'the shop'\''s button sells'`,
    '',
    '1 passed, 1 failed, 0 skipped',
  ]);
});

const ran = (...files: string[]) => files.map((file) => one('passed', { file }));
const always = () => true;

it('a file that ran fewer tests than recorded, or none, is missed by name', () => {
  const recorded = { 'a.test.ts': 2, 'b.test.ts': 1, 'c.test.ts': 1 };
  const { missing } = compareCounts(recorded, ran('a.test.ts', 'c.test.ts'), always, always);
  expect(missing.map(({ runner, name }) => `${runner} ${name}`)).toEqual([
    expect.stringMatching(/^a\.test\.ts ran 1 of its 2 tests\./),
    expect.stringMatching(/^b\.test\.ts ran 0 of its 1 tests\./),
  ]);
});

it('a new test counts from then on, a removed file is forgotten, another suite’s keeps its count', () => {
  const recorded = { 'a.test.ts': 1, 'gone.test.ts': 2, 'slow.all.test.ts': 3 };
  const isQuick = (file: string) => suiteOf(file) === 'quick';
  const grown = ran('a.test.ts', 'a.test.ts');
  const { missing, counts } = compareCounts(recorded, grown, isQuick, () => false);
  expect(missing).toEqual([]);
  expect(counts).toEqual({ 'slow.all.test.ts': 3, 'a.test.ts': 2 });
});

const texts: Record<string, string> = {
  'demo/refund.test.ts': "it('a refund is shown')",
  'e2e/refund.all.test.ts': "test('a shopper sees a refund')",
  'demo/paying.test.ts': "it('a payment is taken once')",
};
const files = ['demo/paying.test.ts'];
const refunds = ['demo/refund.test.ts', 'e2e/refund.all.test.ts'];

it.each([
  ['files whose paths have it', ['refund'], { files: refunds }],
  ['files whose paths have every word', ['demo', 'refund'], { files: ['demo/refund.test.ts'] }],
  ['tests of that name, in the files that hold it', ['taken once'], { files, name: 'taken once' }],
  ['tests of that name in two words', ['taken', 'once'], { files, name: 'taken once' }],
  // A table makes the names of its tests.
  ['tests of that name in a named file', ['demo/paying', 'with SAR'], { files, name: 'with SAR' }],
  ['none where neither a path nor a file has it', ['chargeback'], undefined],
])('words name %s: %j', (_what, words, found) => {
  const read = (file: string) => texts[file] ?? '';
  expect(findNamedTests(words, Object.keys(texts), read)).toEqual(found);
});
