import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** An empty folder. @param atEnd - When it is removed: `afterAll` for one of a whole file. */
export function temporaryFolder(atEnd: (remove: () => void) => void = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'pay-test-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
