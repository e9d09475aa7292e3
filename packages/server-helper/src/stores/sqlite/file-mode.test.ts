import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openedIn } from '../conformance/orders.ts';
import type { Store } from '../store.ts';
import { sqliteStore } from './sqlite-store.ts';

let top: string;
let umask: number;
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'pay-mode-'));
  umask = process.umask(0o022);
});
afterEach(() => {
  process.umask(umask);
  rmSync(top, { recursive: true });
});

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

/** Opens a store, writes an order to it, and reads the modes of its folder and of all its files. */
async function modesAfterWriting(folder: string): Promise<Readonly<Record<string, string>>> {
  const store = sqliteStore({ file: join(folder, 'payments.db') }) as Store<unknown>;
  await store.open('staging/test');
  await openedIn(store);
  const modes = ['.', ...readdirSync(folder)].map((name) => [name, modeOf(join(folder, name))]);
  await store.close();
  return Object.fromEntries(modes);
}

/** The modes of a folder and of the files in it. */
const modes = (folder: string, file: string) => ({
  '.': folder,
  'payments.db': file,
  'payments.db-shm': file,
  'payments.db-wal': file,
});

it('a new SQLite file, its log and its folder are for their owner only', async () => {
  const folder = join(top, 'deep', 'data');
  expect(await modesAfterWriting(folder)).toEqual(modes('700', '600'));
});

it('a file and a folder that are there keep the mode that the operator gave them', async () => {
  const folder = join(top, 'data');
  mkdirSync(folder, { mode: 0o750 });
  writeFileSync(join(folder, 'payments.db'), '', { mode: 0o640 });
  expect(await modesAfterWriting(folder)).toEqual(modes('750', '640'));
});
