import { join } from 'node:path';
import { endedResult, type StepResult } from '../process/report-step.ts';
import { root } from '../process/root.ts';
import { runNode } from '../process/run.ts';
import { checkHouseRules } from '../tidy/inspect.ts';
import { checkCodeBlocks } from './code-blocks.ts';
import { checkImports } from './imports.ts';
import { checkLinks } from './links.ts';
import { checkMachine } from './machine.ts';
import { checkPackages } from './packages.ts';
import { checkDeadCode, checkFormat, checkLint } from './programs.ts';
import { checkQuotations } from './quotations.ts';
import { checkSize } from './size.ts';

/** One check: `run` looks at the tree below a folder and changes nothing in it. */
export interface CheckStep {
  readonly name: string;
  readonly about: string;
  readonly run: (top: string) => Promise<StepResult>;
}

/** The steps of `npm run check` in their order: quick ones first. */
export const steps: readonly CheckStep[] = [
  { name: 'format', about: 'every file is formatted (npm run format)', run: checkFormat },
  { name: 'tidy', about: 'the house rules of STYLE.md', run: checkHouseRules },
  { name: 'size', about: 'no area is above its ceiling', run: checkSize },
  { name: 'links', about: 'links and anchors in documents lead somewhere', run: checkLinks },
  { name: 'quotes', about: 'a code block that names a file is that file', run: checkQuotations },
  { name: 'lint', about: 'the linter, rules that need types included', run: onceBuilt(checkLint) },
  { name: 'imports', about: 'imports run one way, without cycles', run: checkImports },
  { name: 'machine', about: 'npm test asks nothing of the machine', run: checkMachine },
  { name: 'dead-code', about: 'nothing is there that nothing uses', run: checkDeadCode },
  { name: 'code', about: 'complete code blocks in documents compile', run: checkCodeBlocks },
  {
    name: 'packages',
    about: 'the tarballs are whole, typed and lean',
    run: onceBuilt(checkPackages),
  },
];

/** A check that reads what is built: the examples get their types from the packages as shipped. */
function onceBuilt(check: CheckStep['run']): CheckStep['run'] {
  return async (top) => {
    const built = await runNode([join(root, 'scripts/build.ts')], { output: 'capture', cwd: top });
    return built.code === 0 ? check(top) : endedResult(built);
  };
}
