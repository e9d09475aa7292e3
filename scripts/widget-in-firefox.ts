import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './process/root.ts';

/** The tests that open the built files in a browser of their own, as far as Firefox can be brought
 * into their states. */
const nodeFiles = ['console-advice', 'floors', 'hard-pages', 'pointer'].map(
  (name) => `${name}.node.test.ts`,
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

const folder = 'packages/widget/src';

/** The files of the elements' tests that run in Firefox. */
export function firefoxFiles(): readonly string[] {
  const files = readdirSync(join(root, folder)).filter(
    (file) => /^[^.]+\.test\.ts$/.test(file) && !filesNotHere.has(file),
  );
  return [...files, ...nodeFiles].map((file) => join(folder, file));
}

/** The names of the tests that run in Firefox. */
export const firefoxTests = `^(?!.*(${testsNotHere.join('|')}))`;
