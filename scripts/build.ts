import { join } from 'node:path';
import { skipUnchanged } from './build/skip-unchanged.ts';
import { localBinary } from './process/local-binary.ts';
import { endedResult, reportStep } from './process/report-step.ts';
import { root } from './process/root.ts';
import { run, runNode } from './process/run.ts';

/** What has a build: the packages, and the shop that stands on them. */
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
    async () => endedResult(await run(...npmBuild('packages/widget'), { output: 'capture' })),
  ),
);

process.exitCode = compiled.ok && bundled.ok ? 0 : 1;

/** npm by the path it gave us where it started us: the `npm` on the PATH may be another one. */
function npmBuild(workspace: string): [string, string[]] {
  const npm = process.env['npm_execpath'];
  const parameters = ['run', '--silent', 'build', '-w', workspace];
  return npm?.endsWith('.js') === true
    ? [process.execPath, [npm, ...parameters]]
    : ['npm', parameters];
}
