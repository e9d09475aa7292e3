import { expect, test } from 'vitest';
import {
  approvingCard,
  createLink,
  getStatus,
  startForTest,
  statusContent,
} from '../testing/sandbox-for-test.ts';

const card = { number: approvingCard };

test('a snapshot brings back sessions, payments, what is armed, and the clock', async () => {
  const sandbox = await startForTest();
  const { control } = sandbox;
  await control.freezeClock();
  const { id } = await createLink(sandbox);
  await control.next({ outcome: 'decline:51' });
  const { now } = (await control.info()).clock;
  await control.createSnapshot('before-paying');

  for (let round = 0; round < 2; round += 1) {
    await control.pay(id, { card });
    await control.pay(id, { card });
    const later = await createLink(sandbox, { merchantOrderId: 'later' });
    await control.advanceClock({ by: 'P3D' });
    await control.restoreSnapshot('before-paying');
    expect((await control.info()).clock).toEqual({ now, state: 'frozen' });
    expect(await statusContent(sandbox, id)).toEqual([]);
    expect((await getStatus(sandbox, later.id)).status).toBe(404);
  }
  expect(await control.pay(id, { card })).toMatchObject({ decidedBy: 'next' });
  const expired = await control.advanceClock({ by: 'PT48H' });
  expect(expired.fired).toMatchObject([{ kind: 'session-expired', id }]);
});

test('what was taken back never gives an id twice', async () => {
  const sandbox = await startForTest();
  await sandbox.control.createSnapshot('empty');
  const first = await createLink(sandbox);
  await sandbox.control.restoreSnapshot('empty');
  expect((await createLink(sandbox)).id).not.toBe(first.id);
});

test('snapshots are listed, replaced and deleted; the sandbox names one that has no name', async () => {
  const { control } = await startForTest();
  expect((await control.createSnapshot()).id).toBe('snapshot-1');
  await control.createSnapshot('mine');
  await control.createSnapshot('mine');
  expect((await control.snapshots()).map(({ id }) => id)).toEqual(['snapshot-1', 'mine']);
  await control.deleteSnapshot('snapshot-1');
  expect((await control.snapshots()).map(({ id }) => id)).toEqual(['mine']);
  const unknown = { code: 'unknown_snapshot', status: 404 };
  await expect(control.restoreSnapshot('snapshot-1')).rejects.toMatchObject(unknown);
  await expect(control.deleteSnapshot('snapshot-1')).rejects.toMatchObject(unknown);
  await expect(control.createSnapshot('a b')).rejects.toMatchObject({ code: 'invalid_id' });
});
