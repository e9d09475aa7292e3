import { describe, expect, it } from 'vitest';
import { lastLine, sumReports, type TestsReport } from './outcome.ts';

const ran = (passed: number, failed = 0, skipped = 0): TestsReport => ({
  kind: 'tests',
  runner: 'vitest widget',
  passed,
  failed,
  skipped,
});

describe('the sum of all runners', () => {
  it('adds passed, failed and skipped tests over every runner', () => {
    const outcome = sumReports([ran(3, 1, 2), ran(4), { kind: 'gate', runner: 'build' }]);
    expect(outcome).toEqual({ passed: 7, failed: 1, skipped: 2, problems: [] });
  });

  it('counts a runner that ran nothing as one failure', () => {
    const outcome = sumReports([ran(3), ran(0)]);
    expect(outcome.failed).toBe(1);
    expect(outcome.problems).toEqual(['vitest widget: ran nothing']);
  });

  it('takes a runner whose tests were all skipped for one that ran nothing', () => {
    expect(sumReports([ran(0, 0, 5)]).failed).toBe(1);
  });

  it('counts a crash once, beside the tests that had passed before it', () => {
    const outcome = sumReports([{ ...ran(2, 1), problem: 'ended by SIGSEGV' }]);
    expect(outcome).toMatchObject({ passed: 2, failed: 2 });
  });

  it('does not count a crash of a runner with no test twice', () => {
    expect(sumReports([{ ...ran(0), problem: 'no report' }]).failed).toBe(1);
  });

  it('counts a failed build as a failure', () => {
    const outcome = sumReports([ran(1), { kind: 'gate', runner: 'build', problem: 'broken' }]);
    expect(outcome.failed).toBe(1);
  });

  it('fails when there is no report at all', () => {
    expect(sumReports([]).failed).toBe(1);
  });

  it('prints the numbers in the order that the last line promises', () => {
    expect(lastLine({ passed: 12, failed: 0, skipped: 3 })).toBe('12 passed, 0 failed, 3 skipped');
  });
});
