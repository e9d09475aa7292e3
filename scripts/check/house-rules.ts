import type { StepResult } from '../process/report-step.ts';
import { houseFiles } from '../tidy/house-files.ts';
import { inspect } from '../tidy/inspect.ts';

/** Checks the house rules of STYLE.md. */
export async function checkHouseRules(top: string): Promise<StepResult> {
  const files = houseFiles(top);
  const findings = inspect(files);
  if (findings.length > 0) return { ok: false, details: findings.join('\n') };
  return { ok: true, remark: `${files.length} files` };
}
