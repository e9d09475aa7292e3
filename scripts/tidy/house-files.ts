import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** One text file of the repository; `path` is relative and uses `/`. */
export interface HouseFile {
  readonly path: string;
  readonly text: string;
}

/** Folders that hold what others wrote or what a program made. */
const foreignFolders = new Set([
  '.cache',
  '.data',
  '.git',
  '.next',
  'coverage',
  'dist',
  'node_modules',
  'playwright-report',
  'reference',
  'skills',
  'test-results',
]);
const textEndings = /\.(?:css|html|js|json|md|mjs|sh|sql|svg|ts|txt|yaml|yml)$|^(?:run|LICENSE)$/;
const generated = new Set(['package-lock.json', 'CHANGELOG.md', 'llms.txt']);

/** Every text file below `top` that people write, in a stable order. */
export function houseFiles(top: string, below = ''): readonly HouseFile[] {
  const entries = readdirSync(join(top, below), { withFileTypes: true });
  return entries
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) return foreignFolders.has(entry.name) ? [] : houseFiles(top, path);
      if (!textEndings.test(entry.name) || generated.has(entry.name)) return [];
      return [{ path, text: readFileSync(join(top, path), 'utf8') }];
    });
}
