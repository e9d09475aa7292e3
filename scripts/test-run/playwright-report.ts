import type { TestsReport } from './outcome.ts';

/** The part of Playwright's JSON report that we read. */
export interface PlaywrightJson {
  readonly stats: {
    readonly expected: number;
    readonly unexpected: number;
    readonly flaky: number;
    readonly skipped: number;
  };
  readonly errors: readonly { readonly message?: string }[];
}

/**
 * Playwright's numbers. A flaky test counts as failed: it failed once, and a payment must not.
 *
 * @param json its report, or `undefined` when it ended before it could write one.
 */
export function playwrightReport(
  json: PlaywrightJson | undefined,
  code: number,
  trouble: string | undefined,
): TestsReport {
  const runner = 'playwright';
  if (json === undefined) {
    const problem = trouble ?? `ended with code ${code} before it could report`;
    return { kind: 'tests', runner, passed: 0, failed: 0, skipped: 0, problem };
  }
  const { expected, unexpected, flaky, skipped } = json.stats;
  const failed = unexpected + flaky;
  const problem =
    trouble ??
    json.errors[0]?.message ??
    (code !== 0 && failed === 0 && expected > 0
      ? `ended with code ${code} though no test failed`
      : undefined);
  const report: TestsReport = { kind: 'tests', runner, passed: expected, failed, skipped };
  return problem === undefined ? report : { ...report, problem };
}
