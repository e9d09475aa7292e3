import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { sqliteStore } from './sqlite-store.ts';

it('other work of the process comes between the parts of a day', async () => {
  const store = sqliteStore({ file: ':memory:' });
  await store.open('staging/test');
  const reading = { isOver: false };
  const read = store.figures({ from: 0, to: 86_400_000 }).finally(() => (reading.isOver = true));
  let turns = 0;
  for (; !reading.isOver; turns += 1) await nextTurn();
  await read;
  await store.close();
  expect(turns).toBeGreaterThanOrEqual(24);
});
