import { join } from 'node:path';
import { writeAssistantFiles } from './assistants/assistants.ts';
import { endedResult, reportStep } from './steps.ts';
import { root, run } from './process.ts';
import { bundled } from './widget-files.ts';

/** What has a build: the packages, and the demo shop that uses them. */
const projects = ['packages/widget', 'packages/server-helper', 'packages/gateway-sandbox', 'demo'];

const compiled = await reportStep('compile', async () =>
  endedResult(await run('tsc', ['-b', ...projects], { output: 'capture' })),
);

// The documents as assistants read them, in the package that a shop's server installs.
const written = await reportStep('files for assistants', () => {
  writeAssistantFiles(root, join(root, 'packages/server-helper'));
  return Promise.resolve({ ok: true });
});

process.exitCode = compiled.ok && bundled.ok && written.ok ? 0 : 1;
