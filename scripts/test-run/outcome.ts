/** Tests that one runner (a Vitest project, or Playwright) has counted. */
export interface TestsReport {
  readonly kind: 'tests';
  readonly runner: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** The failed tests, each with the first line of its error, where the runner names them. */
  readonly failures?: readonly string[];
  /** What went wrong apart from single tests, for example a crash. */
  readonly problem?: string;
}

/** A step that either holds or does not: the build, the type check, the browser's presence. */
export interface GateReport {
  readonly kind: 'gate';
  readonly runner: string;
  readonly problem?: string;
}

export type Report = TestsReport | GateReport;

/** The sum over all runners. */
export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** One sentence for each thing that counts as failed though no single test did. */
  readonly problems: readonly string[];
}

/**
 * Adds all runners up. Each problem counts as one failure, so that a crash, a failed build or a
 * runner that ran nothing can never be read as success. A runner whose tests were all skipped
 * ran nothing. No report at all is a problem too.
 */
export function sumReports(reports: readonly Report[]): Outcome {
  const problems = reports.flatMap(problemOf);
  if (reports.length === 0) problems.push('nothing ran at all');
  let [passed, failed, skipped] = [0, problems.length, 0];
  for (const report of reports) {
    if (report.kind === 'gate') continue;
    passed += report.passed;
    failed += report.failed;
    skipped += report.skipped;
  }
  return { passed, failed, skipped, problems };
}

/** The line that ends every test run. */
export function lastLine(outcome: Omit<Outcome, 'problems'>): string {
  return `${outcome.passed} passed, ${outcome.failed} failed, ${outcome.skipped} skipped`;
}

function problemOf(report: Report): string[] {
  if (report.problem !== undefined) return [`${report.runner}: ${report.problem}`];
  if (report.kind === 'tests' && report.passed + report.failed === 0) {
    return [`${report.runner}: ran nothing`];
  }
  return [];
}
