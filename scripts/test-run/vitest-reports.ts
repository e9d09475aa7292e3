import type { TestsReport } from './outcome.ts';
import type { VitestCounts } from './vitest-counter.ts';

/**
 * One report for each Vitest project.
 *
 * @param counts what the counter wrote, or `undefined` when Vitest ended before it could.
 * @param trouble how Vitest's process ended badly, if it did.
 */
export function vitestReports(
  counts: VitestCounts | undefined,
  code: number,
  trouble: string | undefined,
): readonly TestsReport[] {
  if (counts === undefined) {
    return [crashed(trouble ?? `ended with code ${code} before it could count`)];
  }
  const reports: TestsReport[] = Object.entries(counts.projects).map(([project, numbers]) => ({
    kind: 'tests',
    runner: `vitest ${project}`,
    ...numbers,
  }));
  const failed = reports.reduce((sum, report) => sum + report.failed, 0);
  if (reports.length === 0) reports.push(crashed('has no project'));
  for (const message of counts.unhandled) reports.push(crashed(`unhandled error: ${message}`));
  if (trouble !== undefined) reports.push(crashed(trouble));
  else if (code !== 0 && failed === 0 && counts.unhandled.length === 0) {
    reports.push(crashed(`ended with code ${code} though no test failed`));
  }
  return reports;
}

function crashed(problem: string): TestsReport {
  return { kind: 'tests', runner: 'vitest', passed: 0, failed: 0, skipped: 0, problem };
}
