import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Writes a small tree into the temp folder for the length of one test, and gives its top. */
export function fixtureTree(files: Readonly<Record<string, string>>): string {
  const top = mkdtempSync(join(realpathSync(tmpdir()), 'pay-button-tree-'));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(top, path)), { recursive: true });
    writeFileSync(join(top, path), text);
  }
  return top;
}

/** What a check finds in such a tree; empty where it finds nothing. */
export async function findingsOf(
  check: (top: string) => Promise<unknown>,
  files: Readonly<Record<string, string>>,
): Promise<string> {
  const failed = (error: unknown) => (error as Error).message;
  return check(fixtureTree(files)).then(() => '', failed);
}
