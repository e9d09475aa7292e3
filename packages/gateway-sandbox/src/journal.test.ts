import { appendFile, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { sessionLifeMs } from './domain/transaction.ts';
import { Journal, journalHeader, Machine } from './machine.ts';
import { startSandbox } from './start-sandbox.ts';
import { cards, folderForTest, startForTest } from './testing/sandbox-for-test.ts';
import type { SandboxForTest } from './testing/sandbox-for-test.ts';

let data = '';
const journalPath = () => join(data, 'journal.jsonl');

beforeEach(async () => {
  data = join(await folderForTest(), 'not', 'there', 'yet');
});

test('the data folder and all that is in it are for their owner only', async () => {
  const sandbox = await startForTest({ data });
  await sandbox.createLink();
  const names = ['.', ...(await readdir(data)).toSorted()];
  const modes = names.map(async (name) => {
    const { mode } = await stat(join(data, name));
    return `${name} ${(mode & 0o777).toString(8)}`;
  });
  expect(await Promise.all(modes)).toEqual(['. 700', 'journal.jsonl 600', 'journal.lock 600']);
  await sandbox.close();
});

test('what a restart replays goes on as if nothing had happened, timers and snapshots included', async () => {
  const clock = { now: Date.UTC(2030, 0, 1) };
  const options = { clock: () => clock.now };
  const before = async (sandbox: SandboxForTest) => {
    clock.now = Date.UTC(2030, 0, 1);
    const paid = await sandbox.payOrder('paid');
    const challenged = await sandbox.payOrder('challenged', 115, cards.challenged);
    await sandbox.control.next({ outcome: 'decline:51' });
    await sandbox.control.createSnapshot('kept');
    await sandbox.control.openTenant({ id: 'shop', seed: 'own' });
    await sandbox.control.forTenant('shop').freezeClock();
    return [paid.sessionId, challenged.sessionId];
  };
  const after = async (sandbox: SandboxForTest, ids: readonly string[]) => {
    clock.now = Date.UTC(2030, 0, 1) + 60_000;
    const { sessionId: id, transaction: declined } = await sandbox.payOrder('later');
    const advanced = await sandbox.control.advanceClock({ by: 'PT48H' });
    const statuses = await Promise.all(ids.map(async (one) => (await sandbox.getStatus(one)).text));
    const { at } = await sandbox.control.restoreSnapshot('kept');
    const { apiKey, clock: stopped } = await sandbox.control.forTenant('shop').info();
    const ledger = await sandbox.control.ledger();
    return JSON.stringify({ id, declined, advanced, statuses, at, ledger, apiKey, stopped });
  };
  const steady = await startForTest(options);
  const expected = await after(steady, await before(steady));

  const first = await startForTest({ ...options, data });
  const ids = await before(first);
  await first.close();
  expect(await after(await startForTest({ ...options, data }), ids)).toBe(expected);
  expect(expected).toContain('challenge-timed-out');
  expect(expected).toContain('frozen');
});

test('a journal begun without a seed keeps its keys, and gives no id twice', async () => {
  // Where others can reach it, the keys are random too.
  const options = { data, seed: undefined, host: '0.0.0.0' };
  const first = await startForTest(options);
  const { id } = await first.createLink();
  await first.close();
  const second = await startForTest(options);
  expect(second.apiKey).toBe(first.apiKey);
  expect((await second.getStatus(id)).status).toBe(200);
  expect((await second.postLink()).status).toBe(400);
  expect((await second.createLink({ merchantOrderId: 'order-2' })).id).not.toBe(id);
});

test('a torn last line is cut off, and the lines before it stay', async () => {
  const first = await startForTest({ data });
  const { id } = await first.createLink();
  await first.close();
  await appendFile(journalPath(), '{"realNow":1,"comma');
  const second = await startForTest({ data });
  expect((await second.getStatus(id)).status).toBe(200);
  const other = await second.createLink({ merchantOrderId: 'order-2' });
  await second.close();
  const third = await startForTest({ data });
  expect((await third.getStatus(other.id)).status).toBe(200);
});

test('a broken line in the middle is an error that names it', async () => {
  const first = await startForTest({ data });
  await first.createLink();
  await first.close();
  const lines = await readFile(journalPath(), 'utf8');
  await writeFile(journalPath(), lines.replace('"create-link"', '"create-li'));
  await expect(startSandbox({ port: 0, data })).rejects.toMatchObject({
    code: 'journal_damaged',
    message: expect.stringContaining('Line 2 of'),
  });
});

test('another seed than the journal’s is refused', async () => {
  await (await startForTest({ data })).close();
  const started = startSandbox({ port: 0, data, seed: 'other' });
  await expect(started).rejects.toMatchObject({ code: 'seed_mismatch' });
  await startForTest({ data });
});

test('two sandboxes do not share a folder, though one that is gone is closed again; a lock left behind is taken over', async () => {
  const inUse = { code: 'data_in_use' };
  const first = await startForTest({ data });
  await expect(startSandbox({ port: 0, data })).rejects.toMatchObject(inUse);
  await first.close();
  await writeFile(join(data, 'journal.lock'), '999999999');
  const second = await startForTest({ data });
  await first.close();
  await expect(startSandbox({ port: 0, data })).rejects.toMatchObject(inUse);
  await second.createLink({ merchantOrderId: 'order-2' });
  expect(await readFile(journalPath(), 'utf8')).toContain('"order-2"');
});

test('when a timer fires does not change the ids that later commands draw', async () => {
  const time = { now: Date.UTC(2030, 0, 1) };
  const idAfter = async (pauseMs: number) => {
    const sandbox = await startForTest({ clock: () => time.now });
    await sandbox.createLink({ merchantOrderId: 'first' });
    time.now += pauseMs;
    return (await sandbox.createLink({ merchantOrderId: 'second' })).id;
  };
  expect(await idAfter(0)).toBe(await idAfter(sessionLifeMs));
});

test('once the journal cannot be written, nothing more is done or read out', () => {
  const { journal } = Journal.open(data, journalHeader('keys', 'ids'));
  journal.close();
  const machine = new Machine({ idSeed: 'ids', clock: Date.now, journal }, []);
  const tenant = 'default';
  const refusal = expect.objectContaining({ code: 'journal_unwritable' }) as Error;
  expect(() => machine.execute({ kind: 'reset', tenant })).toThrow(refusal);
  expect(() => machine.tenant(tenant)).toThrow(refusal);
});
