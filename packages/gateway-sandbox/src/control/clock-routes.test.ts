import { expect, test } from 'vitest';
import { approvingCard, createLink, getStatus, startForTest } from '../testing/sandbox-for-test.ts';

test('the session is payable one millisecond before 48 hours have passed', async () => {
  const sandbox = await startForTest();
  await sandbox.control.freezeClock();
  const [early, late] = [
    await createLink(sandbox, { merchantOrderId: 'early' }),
    await createLink(sandbox, { merchantOrderId: 'late' }),
  ];
  await sandbox.control.advanceClock({ by: 'PT47H59M59.999S' });
  const paid = await sandbox.control.pay(early.id, { card: { number: approvingCard } });
  expect(paid.session.state).toBe('PAID');
  const { fired } = await sandbox.control.advanceClock({ by: 'PT0.001S' });
  expect(fired).toEqual([{ at: expect.any(String), kind: 'session-expired', id: late.id }]);
  await expect(
    sandbox.control.pay(late.id, { card: { number: approvingCard } }),
  ).rejects.toMatchObject({ code: 'session_expired', status: 409 });
  expect((await getStatus(sandbox, late.id)).body).toMatchObject({ data: { content: [] } });
});

test('the clock stops, moves and runs on; it never goes back', async () => {
  const sandbox = await startForTest();
  const { now } = await sandbox.control.freezeClock();
  expect((await sandbox.control.info()).clock).toEqual({ now, state: 'frozen' });
  expect(await sandbox.control.advanceClock({ by: 'PT0S' })).toEqual({ now, fired: [] });
  const later = new Date(Date.parse(now) + 3_600_000).toISOString();
  expect((await sandbox.control.advanceClock({ to: later })).now).toBe(later);
  for (const goal of [{ to: now }, { by: 'soon' }, { by: '-PT1H' }, { to: 'tomorrow' }]) {
    await expect(sandbox.control.advanceClock(goal)).rejects.toMatchObject({ status: 400 });
  }
  await expect(sandbox.control.advanceClock({ by: 'P90000D' })).rejects.toMatchObject({
    code: 'invalid_time',
  });
  await sandbox.control.resumeClock();
  const running = (await sandbox.control.info()).clock;
  expect(running.state).toBe('running');
  expect(Date.parse(running.now)).toBeGreaterThanOrEqual(Date.parse(later));
});

test('the clock can run faster: an hour passes in a second', async () => {
  const time = { now: Date.UTC(2030, 0, 1) };
  const sandbox = await startForTest({ clock: () => time.now });
  const { now } = await sandbox.control.setClockRate(3600);
  time.now += 2000;
  expect((await sandbox.control.info()).clock).toEqual({
    now: new Date(Date.parse(now) + 2 * 3_600_000).toISOString(),
    state: 'running',
    rate: 3600,
  });
  await sandbox.control.resumeClock();
  time.now += 1000;
  expect((await sandbox.control.info()).clock).toEqual({
    now: new Date(Date.parse(now) + 2 * 3_600_000 + 1000).toISOString(),
    state: 'running',
  });
  for (const rate of [0, -1, 3601, Number.NaN]) {
    await expect(sandbox.control.setClockRate(rate)).rejects.toMatchObject({
      code: 'invalid_rate',
      status: 400,
    });
  }
});
