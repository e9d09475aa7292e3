import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startSandbox } from './start-sandbox.ts';
import type { Sandbox } from './start-sandbox.ts';
import {
  approvingCard,
  challengeCard,
  getStatus,
  poorCard,
  postLink,
  startForTest,
  validLink,
} from './testing/sandbox-for-test.ts';
import { createLink } from './testing/sandbox-for-test.ts';
import { Journal, journalHeader } from './journal.ts';

let data = '';
const journalPath = () => join(data, 'journal.jsonl');

beforeEach(async () => {
  data = join(await mkdtemp(join(tmpdir(), 'sandbox-journal-')), 'not', 'there', 'yet');
});

afterEach(async () => {
  await rm(join(data, '../../..'), { recursive: true, force: true });
});

test('sessions, payments, the clock and the keys survive a restart', async () => {
  const first = await startForTest({ data });
  const { id } = await createLink(first);
  await first.control.pay(id, { card: { number: poorCard } });
  await first.control.pay(id, { card: { number: approvingCard } });
  await first.control.freezeClock();
  await first.control.advanceClock({ to: '2040-01-01T00:00:00Z' });
  const before = await getStatus(first, id);
  await first.close();

  const second = await startForTest({ data });
  expect((await getStatus(second, id)).text).toBe(before.text);
  expect(second.apiKey).toBe(first.apiKey);
  expect((await second.control.info()).clock).toEqual({
    now: '2040-01-01T00:00:00.000Z',
    state: 'frozen',
  });
  expect((await postLink(second)).status).toBe(400);
  const fresh = await createLink(second, { merchantOrderId: 'order-2' });
  expect(fresh.id).not.toBe(id);
});

test('the data folder and all that is in it are for their owner only', async () => {
  const sandbox = await startForTest({ data });
  await createLink(sandbox);
  const names = ['.', ...(await readdir(data))];
  const modes = names.map(async (name) => {
    const { mode } = await stat(join(data, name));
    return [name, (mode & 0o777).toString(8)];
  });
  expect(Object.fromEntries(await Promise.all(modes))).toEqual({
    '.': '700',
    'journal.jsonl': '600',
    'journal.lock': '600',
  });
  await sandbox.close();
});

test('what a restart replays goes on as if nothing had happened, timers and snapshots included', async () => {
  const clock = { now: Date.UTC(2030, 0, 1) };
  const options = { clock: () => clock.now };
  const before = async (sandbox: Sandbox) => {
    clock.now = Date.UTC(2030, 0, 1);
    const paid = await createLink(sandbox, { merchantOrderId: 'paid' });
    const challenged = await createLink(sandbox, { merchantOrderId: 'challenged' });
    await sandbox.control.pay(paid.id, { card: { number: approvingCard } });
    await sandbox.control.pay(challenged.id, { card: { number: challengeCard } });
    await sandbox.control.next({ outcome: 'decline:51' });
    await sandbox.control.createSnapshot('kept');
    return [paid.id, challenged.id];
  };
  const after = async (sandbox: Sandbox, ids: readonly string[]) => {
    clock.now = Date.UTC(2030, 0, 1) + 60_000;
    const { id } = await createLink(sandbox, { merchantOrderId: 'later' });
    const declined = await sandbox.control.pay(id, { card: { number: approvingCard } });
    const advanced = await sandbox.control.advanceClock({ by: 'PT48H' });
    const statuses = await Promise.all(
      ids.map(async (one) => (await getStatus(sandbox, one)).text),
    );
    const { at } = await sandbox.control.restoreSnapshot('kept');
    const replies = [
      id,
      declined.transaction,
      advanced,
      statuses,
      at,
      await sandbox.control.ledger(),
    ];
    return JSON.stringify(replies);
  };
  const steady = await startForTest(options);
  const expected = await after(steady, await before(steady));

  const first = await startForTest({ ...options, data });
  const ids = await before(first);
  await first.close();
  expect(await after(await startForTest({ ...options, data }), ids)).toBe(expected);
  expect(expected).toContain('challenge-timed-out');
});

test('a journal begun without a seed goes on without one, and gives no id twice', async () => {
  const first = await startForTest({ data, seed: undefined });
  const { id } = await createLink(first);
  await first.close();
  const second = await startForTest({ data, seed: undefined });
  expect((await getStatus(second, id)).status).toBe(200);
  expect((await createLink(second, { merchantOrderId: 'order-2' })).id).not.toBe(id);
});

test('a torn last line is cut off, and the lines before it stay', async () => {
  const first = await startForTest({ data });
  const { id } = await createLink(first);
  await first.close();
  await appendFile(journalPath(), '{"realNow":1,"comma');
  const second = await startForTest({ data });
  expect((await getStatus(second, id)).status).toBe(200);
  const other = await createLink(second, { merchantOrderId: 'order-2' });
  await second.close();
  const third = await startForTest({ data });
  expect((await getStatus(third, other.id)).status).toBe(200);
});

test('a broken line in the middle is an error that names it', async () => {
  const first = await startForTest({ data });
  await createLink(first);
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
  await expect(startSandbox({ port: 0, data, seed: 'other' })).rejects.toMatchObject({
    code: 'seed_mismatch',
  });
  await startForTest({ data });
});

test('two sandboxes do not share a folder; a lock left behind is taken over', async () => {
  const first = await startForTest({ data });
  await expect(startSandbox({ port: 0, data })).rejects.toMatchObject({ code: 'data_in_use' });
  await first.close();
  await writeFile(join(data, 'journal.lock'), '999999999');
  await startForTest({ data });
});

test('a sandbox that is closed twice disturbs no sandbox that has taken its folder', async () => {
  const first = await startForTest({ data });
  await first.close();
  const second = await startForTest({ data });
  await first.close();
  await expect(startSandbox({ port: 0, data })).rejects.toMatchObject({ code: 'data_in_use' });
  await createLink(second, { merchantOrderId: 'order-2' });
  expect(await readFile(journalPath(), 'utf8')).toContain('"order-2"');
});

test('a line that comes after the end is refused, and reaches no file', async () => {
  const { journal: late } = Journal.open(data, journalHeader('keys', 'ids'));
  late.close();
  // The system gives the number of the closed file to the next one.
  const { journal } = Journal.open(data, journalHeader('keys', 'ids'));
  const before = await readFile(journalPath(), 'utf8');
  expect(() => late.append(journalHeader('keys', 'late'))).toThrow(
    expect.objectContaining({ code: 'journal_unwritable' }),
  );
  expect(await readFile(journalPath(), 'utf8')).toBe(before);
  journal.close();
});

test('the journal holds no phone number, e-mail address, key or whole card number', async () => {
  const sandbox = await startForTest({ data });
  const { id } = await createLink(sandbox);
  await sandbox.control.pay(id, { card: { number: approvingCard, cvv: '987' } });
  const journal = await readFile(journalPath(), 'utf8');
  for (const secret of [
    approvingCard,
    '"987"',
    validLink.customerPhone,
    validLink.customerEmail,
    sandbox.apiKey,
  ]) {
    expect(journal).not.toContain(secret);
  }
});
