import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
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

/** Opens a store, writes an order to it, and reads the modes of all its files. */
async function modesAfterWriting(file: string): Promise<Readonly<Record<string, string>>> {
  const store = sqliteStore({ file }) as Store<unknown>;
  await store.open('staging/test');
  await openedIn(store);
  const folder = join(file, '..');
  const modes = readdirSync(folder).map((name) => [name, modeOf(join(folder, name))] as const);
  await store.close();
  return Object.fromEntries(modes);
}

it('a new SQLite file, its log and its folder are for their owner only', async () => {
  const file = join(top, 'deep', 'data', 'payments.db');
  expect(await modesAfterWriting(file)).toEqual({
    'payments.db': '600',
    'payments.db-shm': '600',
    'payments.db-wal': '600',
  });
  expect(modeOf(join(top, 'deep', 'data'))).toBe('700');
  expect(modeOf(file)).toBe('600');
});

it('a file and a folder that are there keep the mode that the operator gave them', async () => {
  const folder = join(top, 'data');
  mkdirSync(folder);
  const file = join(folder, 'payments.db');
  writeFileSync(file, '');
  chmodSync(folder, 0o750);
  chmodSync(file, 0o640);
  const modes = await modesAfterWriting(file);
  expect(new Set(Object.values(modes))).toEqual(new Set(['640']));
  expect(modeOf(folder)).toBe('750');
});
