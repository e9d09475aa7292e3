import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chooseSteps, helpOf, reportStep, stepOptions } from './steps.ts';
import { root, succeed } from './process.ts';
import { checkHouseRules } from './tidy/inspect.ts';
import { checkCodeBlocks } from './check/code-blocks.ts';
import { checkLinks, checkQuotations } from './check/documents.ts';
import { checkMachine } from './check/machine.ts';
import { checkPackages } from './check/packages.ts';
import { checkDeadCode, checkFormat, checkImports, checkLint } from './check/programs.ts';
import { checkSize } from './check/size.ts';

/** One check: `run` looks at the tree below a folder and changes nothing in it. */
interface CheckStep {
  readonly name: string;
  readonly about: string;
  readonly run: (top: string) => Promise<string | void>;
}

const steps: readonly CheckStep[] = [
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

try {
  const { values } = parseArgs({ options: stepOptions });
  if (values.help === true) console.log(helpOf('npm run check', 'all but the tests', steps));
  else {
    const chosen = chooseSteps(steps, values.only);
    let failed = 0;
    // One after the other: reports do not mix, and no step slows another.
    for (const { name, run } of chosen) if (!(await reportStep(name, () => run(root)))) failed += 1;
    if (failed > 0) console.log(`${failed} of ${chosen.length} checks failed`);
    process.exitCode = failed === 0 ? 0 : 1;
  }
} catch (error) {
  console.log((error as Error).message);
  process.exitCode = 2;
}

/** A check that reads what is built: the examples get their types from the packages as shipped. */
function onceBuilt(check: CheckStep['run']): CheckStep['run'] {
  return async (top) => {
    await succeed(process.execPath, [join(root, 'scripts/build.ts')], { cwd: top });
    return check(top);
  };
}
