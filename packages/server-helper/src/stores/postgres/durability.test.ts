import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { twoProcesses } from '../../../test-support/two-processes.ts';
import { checkAt, openedIn, openOrder, paidChange } from '../conformance/orders.ts';

const { database, store } = await twoProcesses(inject('databaseUrl'));
afterAll(() => database.end());
beforeAll(async () => {
  await database.pool.query(`
    CREATE TABLE seen (waits boolean);
    CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO seen VALUES (current_setting('synchronous_commit') = 'on'); RETURN NEW; END $$;
    CREATE TRIGGER noted BEFORE INSERT OR UPDATE ON pay_payments
      FOR EACH ROW EXECUTE FUNCTION note()`);
});

/** Whether the statements of some work wait for the disk, each once. */
async function waits(...work: readonly Promise<unknown>[]): Promise<readonly boolean[]> {
  await Promise.all(work);
  const { rows } = await database.pool.query<{ waits: boolean }>(
    'DELETE FROM seen RETURNING waits',
  );
  return [...new Set(rows.map((row) => row.waits))];
}

it('a link that is reserved is not waited for, and one that is opened is', async () => {
  const [alone, first, second, third] = [openOrder(), openOrder(), openOrder(), openOrder()];
  expect(await waits(store.commit(alone.reserved))).toEqual([false]);
  const both = [store.commit(first.reserved), store.commit(second.reserved)];
  expect(await waits(...both)).toEqual([false]);
  expect(await waits(store.commit(alone.opened))).toEqual([true]);
  const mixed = [store.commit(first.opened), store.commit(third.reserved)];
  expect(await waits(...mixed)).toEqual([true]);
});

it('a status check that begins is not waited for, and what it finds is', async () => {
  const opened = await openedIn(store);
  await waits();
  expect(await waits(store.beginStatusCheck(checkAt(opened.payment.orderId)))).toEqual([false]);
  expect(await waits(store.commit(paidChange(opened, randomUUID())))).toEqual([true]);
});
