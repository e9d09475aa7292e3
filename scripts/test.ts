import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chooseSteps } from './process/choose-steps.ts';
import { endRunning } from './process/run.ts';
import { lastLine, sumReports, type Report } from './test-run/outcome.ts';
import { steps } from './test-run/steps.ts';

const chosen = chooseSteps('npm test', 'everything that must hold', steps, process.argv.slice(2));
if (chosen.kind === 'run') {
  await runSteps(chosen.names);
} else {
  console.log(chosen.text);
  if (chosen.kind === 'mistake') finish([]);
}

async function runSteps(names: ReadonlySet<string>): Promise<void> {
  const reports: Report[] = [];
  const interrupted = stopOnSignals(reports);
  const folder = mkdtempSync(join(tmpdir(), 'pay-button-test-'));
  try {
    for (const step of steps.filter(({ name }) => names.has(name))) {
      if (interrupted()) break;
      console.log(`\n── ${step.name}: ${step.about}`);
      try {
        reports.push(...(await step.run({ folder, reports })));
      } catch (error) {
        reports.push({ kind: 'gate', runner: step.name, problem: String(error) });
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
    finish(reports);
  }
}

/** A first Ctrl-C ends the running step; the sum is still printed, and says that it is not whole. */
function stopOnSignals(reports: Report[]): () => boolean {
  let stopped = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (!stopped) reports.push({ kind: 'gate', runner: 'run', problem: `stopped by ${signal}` });
      stopped = true;
      endRunning('SIGTERM');
    });
  }
  return () => stopped;
}

function finish(reports: readonly Report[]): void {
  const outcome = sumReports(reports);
  console.log('');
  for (const report of reports) {
    if (report.kind === 'tests' && report.problem === undefined) {
      console.log(`   ${report.runner}: ${lastLine(report)}`);
    }
  }
  for (const report of reports) {
    if (report.kind !== 'tests') continue;
    for (const failure of report.failures ?? []) console.log(`✗  ${report.runner}: ${failure}`);
  }
  for (const problem of outcome.problems) console.log(`✗  ${problem}`);
  console.log(lastLine(outcome));
  process.exitCode = outcome.failed === 0 ? 0 : 1;
}
