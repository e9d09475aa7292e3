import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { twoProcesses } from '../../../test-support/two-processes.ts';
import {
  idOf,
  lease,
  LEASE_MS,
  NOW,
  openedIn,
  openOrder,
  paidChange,
  saveOf,
  taking,
} from '../conformance/orders.ts';

const { database, store } = await twoProcesses(inject('databaseUrl'));
afterAll(() => database.end());
beforeAll(async () => {
  await database.pool.query(`
    CREATE TABLE seen (waits boolean);
    CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO seen VALUES (current_setting('synchronous_commit') = 'on'); RETURN NEW; END $$;
    CREATE TRIGGER noted BEFORE INSERT OR UPDATE ON pay_orders
      FOR EACH ROW EXECUTE FUNCTION note();
    CREATE TRIGGER noted BEFORE INSERT OR UPDATE ON pay_counters
      FOR EACH ROW EXECUTE FUNCTION note()`);
});

/** Whether the statements of some work wait for the disk, each once. */
async function waits(...work: readonly Promise<unknown>[]): Promise<readonly boolean[]> {
  await Promise.all(work);
  const { rows } = await database.pool.query<{ waits: boolean }>('DELETE FROM seen RETURNING *');
  return [...new Set(rows.map((row) => row.waits))];
}

it('each save is waited for: a process that read one which the server forgot would write over the next', async () => {
  const reserving = () => store.save(saveOf(null, openOrder().reserved, { mayBeLost: true }));
  expect(await waits(reserving())).toEqual([true]);
  expect(await waits(reserving(), reserving())).toEqual([true]);
});

it('a status check that begins is not waited for, and what it finds is', async () => {
  const opened = await openedIn(store);
  await waits();
  expect(await waits(store.take(idOf(opened), taking))).toEqual([false]);
  expect(await waits(store.claimDue(NOW + LEASE_MS, 1, lease))).toEqual([false]);
  expect(await waits(store.save(saveOf(opened, paidChange(opened))))).toEqual([true]);
});

it('a counter is not waited for, and a key that is bound is', async () => {
  const life = { now: NOW, endsAt: NOW + 1 };
  expect(await waits(store.count('limit', 1, life))).toEqual([false]);
  expect(await waits(store.bind('key', 'subject', life))).toEqual([true]);
});
