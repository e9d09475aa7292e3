import type { Ended } from './run.ts';

/** What a step says about itself: nothing to add, a remark, or the details of its failure. */
export type StepResult =
  | { readonly ok: true; readonly remark?: string }
  | { readonly ok: false; readonly details: string };

/**
 * Runs one step and prints one line about it, with the details only where it failed. A step that
 * throws has failed; its error is the detail.
 */
export async function reportStep(
  name: string,
  work: () => Promise<StepResult>,
  print: (line: string) => void = console.log,
): Promise<StepResult> {
  const start = performance.now();
  let result: StepResult;
  try {
    result = await work();
  } catch (error) {
    result = { ok: false, details: error instanceof Error ? (error.stack ?? error.message) : '?' };
  }
  const seconds = `${((performance.now() - start) / 1000).toFixed(1)} s`;
  if (result.ok) {
    print(`✓ ${name} (${result.remark === undefined ? '' : `${result.remark}, `}${seconds})`);
  } else {
    print(`✗ ${name} (${seconds})`);
    print(result.details.trimEnd().replaceAll(/^(?=.)/gm, '  '));
  }
  return result;
}

/** What a check found as a step's result: `remark` where that is nothing. */
export function foundResult(findings: readonly string[], remark: string): StepResult {
  return findings.length === 0 ? { ok: true, remark } : { ok: false, details: findings.join('\n') };
}

/** A child process's end as a step's result. */
export function endedResult({ code, output, trouble }: Ended): StepResult {
  if (code === 0 && trouble === undefined) return { ok: true };
  const reason = trouble ?? `ended with code ${code}`;
  return { ok: false, details: `${output.trimEnd()}\n${reason}`.trimStart() };
}
