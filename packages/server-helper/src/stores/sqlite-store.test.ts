import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storeConformance } from './conformance.ts';
import { sqliteStore } from './sqlite-store.ts';
import type { Store } from './store.ts';

const folder = mkdtempSync(join(tmpdir(), 'pay-sqlite-'));
const file = join(folder, 'deep', 'payments.db');

afterAll(() => rmSync(folder, { recursive: true }));

describe('the SQLite store', () => {
  const store = sqliteStore({ file }) as Store<unknown>;
  beforeAll(() => store.open());
  afterAll(() => store.close());

  for (const { name, check } of storeConformance) it(name, () => check(store));

  it('finds what another process committed to the same file', async () => {
    const other = sqliteStore({ file });
    await other.open();
    expect((await other.backlog(Number.MAX_SAFE_INTEGER)).dueAttempts).toBeGreaterThan(0);
    await other.close();
  });

  it('refuses to work after it was closed, by name', async () => {
    const closed = sqliteStore({ file });
    await closed.open();
    await closed.close();
    await expect(closed.load('1001')).rejects.toMatchObject({ code: 'closed' });
  });
});
