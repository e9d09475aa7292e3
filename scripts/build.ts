import { join } from 'node:path';
import { writeAssistantFiles } from './assistants/assistants.ts';
import { skipUnchanged } from './build/skip-unchanged.ts';
import { runNpm } from './process/npm.ts';
import { endedResult, reportStep } from './process/report-step.ts';
import { root } from './process/root.ts';
import { run } from './process/run.ts';

/** What has a build: the packages, and the demo shop that uses them. */
const projects = ['packages/widget', 'packages/server-helper', 'packages/gateway-sandbox', 'demo'];

const compiled = await reportStep('compile', async () =>
  endedResult(await run('tsc', ['-b', ...projects], { output: 'capture' })),
);

const bundled = await reportStep('widget files', () =>
  skipUnchanged(
    {
      top: root,
      inputs: ['packages/widget', 'package-lock.json', 'tsconfig.base.json'],
      isInput: (path) => !/\/dist\/|\.test\.ts$|\/testing\//.test(path),
      outputs: ['packages/widget/dist'],
      stamp: join(root, 'node_modules/.cache/pay-button/widget-build'),
    },
    async () => endedResult(await runNpm(['run', '--silent', 'build', '-w', 'packages/widget'])),
  ),
);

// The documents as assistants read them, in the package that a shop's server installs.
const written = await reportStep('files for assistants', () => {
  writeAssistantFiles(root, join(root, 'packages/server-helper'));
  return Promise.resolve({ ok: true });
});

process.exitCode = compiled.ok && bundled.ok && written.ok ? 0 : 1;
