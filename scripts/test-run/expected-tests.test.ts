import { expect, it } from 'vitest';
import { compareCounts, suiteOf } from './expected-tests.ts';

const ran = (...files: string[]) =>
  files.map((file) => ({ runner: 'vitest', file, name: 'holds', state: 'passed' as const }));
const always = () => true;

it('a file that ran fewer tests than recorded, or none, is missed by name', () => {
  const { missing } = compareCounts(
    { 'a.test.ts': 2, 'b.test.ts': 1, 'c.test.ts': 1 },
    ran('a.test.ts', 'c.test.ts'),
    always,
    always,
  );
  expect(missing.map(({ runner, reason }) => `${runner} ${reason}`)).toEqual([
    expect.stringMatching(/^a\.test\.ts ran 1 of its 2 tests\./),
    expect.stringMatching(/^b\.test\.ts ran 0 of its 1 tests\./),
  ]);
});

it('a removed file is forgotten, and a file of another suite keeps its count', () => {
  const { missing, counts } = compareCounts(
    { 'gone.test.ts': 2, 'slow.all.test.ts': 3 },
    ran('a.test.ts'),
    (file) => suiteOf(file) === 'quick',
    () => false,
  );
  expect(missing).toEqual([]);
  expect(counts).toEqual({ 'slow.all.test.ts': 3, 'a.test.ts': 1 });
});

it('a test that came with the change is counted from then on', () => {
  const { missing, counts } = compareCounts(
    { 'a.test.ts': 1 },
    ran('a.test.ts', 'a.test.ts'),
    always,
  );
  expect(missing).toEqual([]);
  expect(counts).toEqual({ 'a.test.ts': 2 });
});
