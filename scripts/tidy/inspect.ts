import type { HouseFile, Rule } from './rule.ts';
import { fileLength } from './rules/file-length.ts';
import { fileName } from './rules/file-name.ts';
import { functionLength } from './rules/function-length.ts';
import { testNames } from './rules/test-names.ts';
import { wholeSuite } from './rules/whole-suite.ts';
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
