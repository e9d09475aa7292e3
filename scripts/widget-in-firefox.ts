/**
 * `npm run test:firefox`: the elements' tests in Debian's Firefox (`firefox-esr`). Each file has a
 * browser of its own, since the runner loses Firefox between two files.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './process/root.ts';
import { run } from './process/run.ts';

const longestFileMs = 3 * 60_000;
/** The tests that open the built files in a browser of their own, as far as Firefox can be brought
 * into their states. */
const nodeFilesToo = new Set(
  ['console-advice', 'floors', 'hard-pages', 'pointer'].map((name) => `${name}.node.test.ts`),
);
/** axe does not end in a Firefox that is driven this way; it judges every state in Chromium. */
const filesNotHere = new Set(['accessibility.test.ts']);
/** This Firefox has no scoped registry, its driver does not set the shopper's preferences, and the
 * runner loses a frame that went to an address without content. */
const testsNotHere = [
  'registers in a registry of the page too',
  'a shopper who wants less motion',
  'coming back by the back-forward cache',
  'a redirect that the browser swallows',
  'on a screen without a pointer',
  'unless motion is reduced \\(reduce',
];

process.env['WIDGET_BROWSER'] = 'firefox';
if (!existsSync('/usr/bin/firefox-esr')) {
  console.error('Firefox is missing: apt-get install -y firefox-esr');
  process.exit(2);
}
const folder = join('packages', 'widget', 'src');
const names = `^(?!.*(${testsNotHere.join('|')}))`;
const failed: string[] = [];
for (const file of readdirSync(join(root, folder))) {
  const isHere = /(?<!\.node)\.test\.ts$/.test(file) && !filesNotHere.has(file);
  if (!isHere && !nodeFilesToo.has(file)) continue;
  const { code } = await run(
    'vitest',
    ['run', '--project', 'widget*', '-t', names, join(folder, file)],
    { output: 'inherit', timeoutMs: longestFileMs },
  );
  if (code !== 0) failed.push(file);
}
console.log(failed.length === 0 ? 'All files passed.' : `Failed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
