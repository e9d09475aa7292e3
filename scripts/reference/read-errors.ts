import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../process/root.ts';

/** What `docs/errors.md` says of a code. */
export interface ErrorEntry {
  readonly meaning: string;
  readonly money: string;
}

/** Reads every code's entry in `docs/errors.md`. */
export function readErrors(): ReadonlyMap<string, ErrorEntry> {
  const page = readFileSync(join(root, 'docs/errors.md'), 'utf8');
  const [, ...entries] = page.split(/^### /m);
  return new Map(
    entries.map((entry) => {
      const line = (name: string): string =>
        new RegExp(`^- ${name}: (.*)$`, 'm').exec(entry)?.[1] ?? '';
      return [
        entry.split('\n', 1)[0]?.trim() ?? '',
        { meaning: line('Meaning'), money: line('Money') },
      ];
    }),
  );
}
