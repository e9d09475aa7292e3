import type { StepResult } from '../process/report-step.ts';
import { houseFiles } from './house-files.ts';
import type { HouseFile, Rule } from './rule.ts';
import { fileLength, fileName } from './rules/files.ts';
import { functionLength } from './rules/function-length.ts';
import { testNames, wholeSuite } from './rules/tests.ts';
import { words } from './rules/words.ts';
import { workflows } from './rules/workflows.ts';

const rules: readonly Rule[] = [
  fileLength,
  fileName,
  functionLength,
  testNames,
  wholeSuite,
  words,
  workflows,
];

/** Every broken house rule as `path:line  rule: what to do`, in the order of the files. */
export function inspect(files: readonly HouseFile[]): readonly string[] {
  return files.flatMap((file) =>
    rules.flatMap((rule) =>
      rule.check(file).map(({ line, message }) => `${file.path}:${line}  ${rule.name}: ${message}`),
    ),
  );
}

/** Checks the house rules of STYLE.md. */
export async function checkHouseRules(top: string): Promise<StepResult> {
  const files = houseFiles(top);
  const findings = inspect(files);
  if (findings.length > 0) return { ok: false, details: findings.join('\n') };
  return { ok: true, remark: `${files.length} files` };
}
