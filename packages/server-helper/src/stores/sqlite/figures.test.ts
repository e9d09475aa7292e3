import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { sqliteStore } from './sqlite-store.ts';

const DAY_MS = 86_400_000;
const folder = mkdtempSync(join(tmpdir(), 'pay-figures-'));
afterAll(() => rmSync(folder, { recursive: true }));

it.each([
  ['between the parts of a busy day', 50_000, 24, Infinity],
  ['about every five hundred movements', 5_000, 10, Infinity],
  ['once on a quiet day, since a part costs more than its movements', 300, 0, 3],
])('other work of the process comes %s', async (_when, movements, least, most) => {
  const file = join(folder, `${movements}.db`);
  const store = sqliteStore({ file });
  await store.open('staging/test');
  const database = new DatabaseSync(file);
  database.exec(`
    INSERT INTO pay_movements (order_id, kind, amount, currency, recorded_at)
    WITH RECURSIVE up (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM up WHERE n < ${movements - 1})
    SELECT 'order', 'taken', 1, 'SAR', n * ${Math.floor(DAY_MS / movements)} FROM up`);
  database.close();
  const reading = { isOver: false };
  const read = store.figures([{ from: 0, to: DAY_MS }]).finally(() => (reading.isOver = true));
  let turns = 0;
  for (; !reading.isOver; turns += 1) await nextTurn();
  const [figures] = await read;
  await store.close();
  expect(figures?.moved.reduce((sum, { count }) => sum + count, 0)).toBe(movements);
  expect(turns).toBeGreaterThanOrEqual(least);
  expect(turns).toBeLessThanOrEqual(most);
});
