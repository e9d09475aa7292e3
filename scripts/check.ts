import { steps } from './check/steps.ts';
import { chooseSteps } from './process/choose-steps.ts';
import { reportStep } from './process/report-step.ts';
import { root } from './process/root.ts';

const chosen = chooseSteps('npm run check', 'all but the tests', steps, process.argv.slice(2));
if (chosen.kind === 'run') {
  let failed = 0;
  // One after the other: reports do not mix, and no step slows another.
  for (const step of steps.filter(({ name }) => chosen.names.has(name))) {
    const result = await reportStep(step.name, () => step.run(root));
    if (!result.ok) failed += 1;
  }
  if (failed > 0) console.log(`${failed} of ${chosen.names.size} checks failed`);
  process.exitCode = failed === 0 ? 0 : 1;
} else {
  console.log(chosen.text);
  process.exitCode = chosen.kind === 'help' ? 0 : 2;
}
