import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeAssistantFiles } from './assistants/assistants.ts';
import { runNpm } from './process/npm.ts';
import { endedResult, reportStep } from './process/report-step.ts';
import { root } from './process/root.ts';
import { run } from './process/run.ts';

/** What has a build: the packages, and the demo shop that uses them. */
const projects = ['packages/widget', 'packages/server-helper', 'packages/gateway-sandbox', 'demo'];
const ofWidget = ['src', 'build', 'package.json', '../../package-lock.json'];

const compiled = await reportStep('compile', async () =>
  endedResult(await run('tsc', ['-b', ...projects], { output: 'capture' })),
);

const bundled = await reportStep('widget files', async () => {
  const widget = join(root, 'packages/widget');
  // The build writes this file last.
  const built = statSync(join(widget, 'dist/reserve.css'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const isUnchanged = ofWidget.every((name) => changedAt(join(widget, name)) < built);
  if (isUnchanged) return { ok: true, remark: 'unchanged' };
  return endedResult(await runNpm(['run', '--silent', 'build', '-w', 'packages/widget']));
});

// The documents as assistants read them, in the package that a shop's server installs.
const written = await reportStep('files for assistants', () => {
  writeAssistantFiles(root, join(root, 'packages/server-helper'));
  return Promise.resolve({ ok: true });
});

process.exitCode = compiled.ok && bundled.ok && written.ok ? 0 : 1;

/** When a file, or anything in a folder, was written last; a folder is written where a name goes. */
function changedAt(path: string): number {
  const stats = statSync(path);
  const inside = stats.isDirectory() ? readdirSync(path) : [];
  return Math.max(stats.mtimeMs, ...inside.map((name) => changedAt(join(path, name))));
}
