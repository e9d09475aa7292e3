import { join } from 'node:path';
import { skipUnchanged } from './build/skip-unchanged.ts';
import { localBinary } from './process/local-binary.ts';
import { npmCommand } from './process/npm.ts';
import { endedResult, reportStep } from './process/report-step.ts';
import { root } from './process/root.ts';
import { run, runNode } from './process/run.ts';

/** What has a build: the packages, and the demo shop that uses them. */
const projects = ['packages/widget', 'packages/server-helper', 'packages/gateway-sandbox', 'demo'];

const compiled = await reportStep('compile', async () => {
  const compiler = localBinary('typescript', 'tsc');
  return endedResult(await runNode([compiler, '-b', ...projects], { output: 'capture' }));
});

const bundled = await reportStep('widget files', () =>
  skipUnchanged(
    {
      top: root,
      inputs: ['packages/widget', 'package-lock.json', 'tsconfig.base.json'],
      isInput: (path) => !/\/dist\/|\.test\.ts$|\/testing\//.test(path),
      outputs: ['packages/widget/dist'],
      stamp: join(root, 'node_modules/.cache/pay-button/widget-build'),
    },
    async () => {
      const [npm, ...first] = npmCommand();
      const parameters = [...first, 'run', '--silent', 'build', '-w', 'packages/widget'];
      return endedResult(await run(npm, parameters, { output: 'capture' }));
    },
  ),
);

process.exitCode = compiled.ok && bundled.ok ? 0 : 1;
