/**
 * `npm run test:firefox`: the elements' tests in Debian's Firefox (`firefox-esr`). Each file has a
 * browser of its own, since the runner loses Firefox between two files.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { localBinary } from './process/local-binary.ts';
import { root } from './process/root.ts';
import { runNode } from './process/run.ts';

const longestFileMs = 3 * 60_000;
/** axe does not end in a Firefox that is driven this way; it judges every state in Chromium. */
const notHere = new Set(['accessibility.test.ts']);

process.env['WIDGET_BROWSER'] = 'firefox';
if (!existsSync('/usr/bin/firefox-esr')) {
  console.error('Firefox is missing: apt-get install -y firefox-esr');
  process.exit(2);
}
const folder = join('packages', 'widget', 'src');
const failed: string[] = [];
for (const file of readdirSync(join(root, folder))) {
  if (!/(?<!\.node)\.test\.ts$/.test(file) || notHere.has(file)) continue;
  const { code } = await runNode(
    [localBinary('vitest', 'vitest'), 'run', '--project', 'widget*', join(folder, file)],
    { output: 'inherit', timeoutMs: longestFileMs },
  );
  if (code !== 0) failed.push(file);
}
console.log(failed.length === 0 ? 'All files passed.' : `Failed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
