import { describe, expect, it } from 'vitest';
import { sumReports } from './outcome.ts';
import { vitestReports } from './vitest-reports.ts';

const widget = { passed: 4, failed: 0, skipped: 0 };

describe('Vitest counts as reports', () => {
  it('gives every project a report of its own', () => {
    const reports = vitestReports(
      { projects: { widget, demo: widget }, unhandled: [] },
      0,
      undefined,
    );
    expect(reports.map((report) => report.runner)).toEqual(['vitest widget', 'vitest demo']);
    expect(sumReports(reports)).toMatchObject({ passed: 8, failed: 0 });
  });

  it('lets a project without tests fail the run', () => {
    const empty = { passed: 0, failed: 0, skipped: 0 };
    const reports = vitestReports(
      { projects: { widget, demo: empty }, unhandled: [] },
      0,
      undefined,
    );
    expect(sumReports(reports).problems).toEqual(['vitest demo: ran nothing']);
  });

  it('reports a crash where Vitest wrote no counts', () => {
    expect(sumReports(vitestReports(undefined, 0, undefined)).failed).toBe(1);
    expect(sumReports(vitestReports(undefined, 1, 'was ended by SIGKILL')).problems).toEqual([
      'vitest: was ended by SIGKILL',
    ]);
  });

  it('counts an unhandled error although every test passed', () => {
    const reports = vitestReports({ projects: { widget }, unhandled: ['boom'] }, 1, undefined);
    expect(sumReports(reports)).toMatchObject({ passed: 4, failed: 1 });
  });

  it('does not believe a bad exit code with no failed test', () => {
    const reports = vitestReports({ projects: { widget }, unhandled: [] }, 1, undefined);
    expect(sumReports(reports).failed).toBe(1);
  });

  it('fails when Vitest knows no project', () => {
    expect(sumReports(vitestReports({ projects: {}, unhandled: [] }, 0, undefined)).failed).toBe(1);
  });
});
