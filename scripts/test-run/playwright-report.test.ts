import { describe, expect, it } from 'vitest';
import { sumReports } from './outcome.ts';
import { playwrightReport } from './playwright-report.ts';

const stats = { expected: 5, unexpected: 0, flaky: 0, skipped: 1 };

describe("Playwright's report", () => {
  it('gives the numbers of its tests', () => {
    const report = playwrightReport({ stats, errors: [] }, 0, undefined);
    expect(report).toMatchObject({ passed: 5, failed: 0, skipped: 1 });
  });

  it('counts a flaky test as failed', () => {
    const report = playwrightReport({ stats: { ...stats, flaky: 2 }, errors: [] }, 0, undefined);
    expect(sumReports([report])).toMatchObject({ passed: 5, failed: 2 });
  });

  it('fails when there was no test to run', () => {
    const none = { expected: 0, unexpected: 0, flaky: 0, skipped: 0 };
    expect(sumReports([playwrightReport({ stats: none, errors: [] }, 0, undefined)]).failed).toBe(
      1,
    );
  });

  it('reports an error that belongs to no test', () => {
    const report = playwrightReport({ stats, errors: [{ message: 'bad config' }] }, 1, undefined);
    expect(sumReports([report])).toMatchObject({ failed: 1, problems: ['playwright: bad config'] });
  });

  it('reports a crash where no report was written', () => {
    expect(sumReports([playwrightReport(undefined, 137, undefined)]).failed).toBe(1);
  });
});
