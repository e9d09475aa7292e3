import { readFileSync, readdirSync } from 'node:fs';

/** A test, and the behaviours that it holds the sandbox to. */
export interface Pin {
  /** `file > title`, from the repository's root; a title of a table ends before its first value. */
  readonly test: string;
  /** Ids of behaviours; `*` stands for any text. */
  readonly pins: readonly string[];
}

const root = new URL('../../', import.meta.url);
const folders = ['contract', 'packages/gateway-sandbox/src'] as const;

/** The tests that pin this behaviour. */
export function covers(pins: readonly Pin[], id: string): string[] {
  return pins
    .filter((pin) => pin.pins.some((pattern) => matches(pattern, id)))
    .map(({ test }) => test);
}

/** Every test there is, as `file > title`. */
export function testFiles(): ReadonlySet<string> {
  const found = new Set<string>();
  for (const folder of folders) {
    const names = readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: 'utf8' });
    for (const name of names.filter((file) => file.endsWith('.test.ts'))) {
      const path = `${folder}/${name}`;
      const text = readFileSync(new URL(path, root), 'utf8');
      for (const title of titlesIn(text)) found.add(`${path} > ${title}`);
    }
  }
  return found;
}

/** The titles of a file's tests: the first text after `it(`, `test(` or the `)` of their tables. */
export function titlesIn(text: string): string[] {
  const calls =
    /(?:^|[^\w.])(?:it|test)(?:\.\w+)*(?:\([\s\S]*?\))??\(\s*(?:'((?:[^'\\\n]|\\.)*)'|`([^`]*)`)/g;
  return [...text.matchAll(calls)].map(([, plain, template]) => plain ?? template ?? '');
}

function matches(pattern: string, id: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.]/g, '\\.'));
  return new RegExp(`^${parts.join('.*')}$`).test(id);
}
