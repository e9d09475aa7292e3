import { ConfigurationError, type Finding } from './errors.ts';

/**
 * Makes every check, also after one that failed, so that a developer mends all mistakes at once.
 *
 * @throws {@link ConfigurationError} with the findings of all checks, in their order.
 */
export function throwEveryMistake(checks: readonly (() => unknown)[]): void {
  const [first, ...others] = everyMistake(checks);
  if (first === undefined) return;
  const { code, help: _help, ...mistake } = first;
  throw new ConfigurationError(code, mistake, others);
}

/** What the checks find. Other errors than of settings go through. */
export function everyMistake(checks: readonly (() => unknown)[]): readonly Finding[] {
  const findings: Finding[] = [];
  for (const check of checks) {
    try {
      check();
    } catch (error) {
      if (!(error instanceof ConfigurationError) || error.findings.length === 0) throw error;
      findings.push(...error.findings);
    }
  }
  return findings;
}
