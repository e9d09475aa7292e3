import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root, runNpm } from './process.ts';
import { reportStep } from './steps.ts';

const widget = join(root, 'packages/widget');
const sources = ['src', 'build', 'package.json', '../../package-lock.json'];

/** How the elements' files for script tags, and the data about them, were built where one changed. */
export const bundled = await reportStep('widget files', async () => {
  // The build writes this file last.
  const built = statSync(join(widget, 'dist/reserve.css'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (sources.every((name) => changedAt(join(widget, name)) < built)) return 'unchanged';
  await runNpm(['run', '--silent', 'build', '-w', 'packages/widget']);
  return 'built';
});

/** When a file, or anything in a folder, was written last; a folder is written where a name goes. */
function changedAt(path: string): number {
  const stats = statSync(path);
  const inside = stats.isDirectory() ? readdirSync(path) : [];
  return Math.max(stats.mtimeMs, ...inside.map((name) => changedAt(join(path, name))));
}
