import { join } from 'node:path';
import { writeAssistantFiles } from './assistants/assistants.ts';
import { reportStep } from './steps.ts';
import { root, succeed } from './process.ts';
import { bundled } from './widget-files.ts';

/** What has a build: the packages, and the demo shop that uses them. */
const projects = ['packages/widget', 'packages/server-helper', 'packages/gateway-sandbox', 'demo'];

const compiled = await reportStep('compile', async () => {
  await succeed('tsc', ['-b', ...projects]);
});

// The documents as assistants read them, in the package that a shop's server installs.
const written = await reportStep('files for assistants', async () =>
  writeAssistantFiles(root, join(root, 'packages/server-helper')),
);

process.exitCode = compiled && bundled && written ? 0 : 1;
