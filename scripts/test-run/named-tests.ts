import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../process/root.ts';

/** The tests that some words name. */
export interface NamedTests {
  readonly files: readonly string[];
  /** A part of the tests' names; absent where all tests of the files are meant. */
  readonly name?: string;
}

/**
 * Finds the tests that words name: a word that is part of test files' paths chooses these files, and
 * the other words are part of a test's name. Words that no path has are searched for in every file.
 *
 * @returns `undefined` where no file has them.
 */
export function findNamedTests(
  words: readonly string[],
  files: readonly string[] = testFiles(),
  read: (file: string) => string = (file) => readFileSync(join(root, file), 'utf8'),
): NamedTests | undefined {
  const isPath = (word: string): boolean => files.some((file) => file.includes(word));
  const inPaths = words.filter(isPath);
  const name = words.filter((word) => !isPath(word)).join(' ');
  const chosen = files.filter((file) => inPaths.every((word) => file.includes(word)));
  if (name === '') return chosen.length === 0 ? undefined : { files: chosen };
  // A table's test has a name that no file holds to the letter: a named file is run without a search.
  const having = inPaths.length > 0 ? chosen : chosen.filter((file) => read(file).includes(name));
  return having.length === 0 ? undefined : { files: having, name };
}

function testFiles(): readonly string[] {
  const folders = ['packages', 'demo', 'contract', 'scripts', 'e2e'];
  const exclude = (path: string): boolean => /(?:^|\/)(?:node_modules|dist)(?:\/|$)/.test(path);
  return globSync(
    folders.map((folder) => `${folder}/**/*.test.ts`),
    { cwd: root, exclude },
  ).toSorted();
}
