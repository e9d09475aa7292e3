import { expect, test } from 'vitest';
import {
  approvingCard,
  getStatus,
  postLink,
  send,
  startForTest,
  statusContent,
  submitCard,
  validLink,
} from './testing/sandbox-for-test.ts';
import { createLink } from './testing/sandbox-for-test.ts';
import { profileNames } from './faults.ts';

test('maintenance-html answers every call with a page of HTML until healthy', async () => {
  const sandbox = await startForTest();
  const { id } = await createLink(sandbox);
  await sandbox.control.setProfile('maintenance-html');
  for (let call = 0; call < 3; call += 1) {
    for (const answer of [await getStatus(sandbox, id), await postLink(sandbox)]) {
      expect(answer.status).toBe(503);
      expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
    }
  }
  await sandbox.control.setProfile('healthy');
  expect((await getStatus(sandbox, id)).status).toBe(200);
});

test('ghost-success commits calls whose answer is lost; ghost-failure does not commit them', async () => {
  const sandbox = await startForTest();
  for (const [profile, again] of [
    ['ghost-success', 400],
    ['ghost-failure', 201],
  ] as const) {
    await sandbox.control.setProfile(profile);
    const body = { ...validLink, merchantOrderId: profile };
    for (let call = 0; call < 2; call += 1) {
      await expect(postLink(sandbox, body)).rejects.toThrow('fetch failed');
    }
    await sandbox.control.setProfile('healthy');
    expect((await postLink(sandbox, body)).status).toBe(again);
  }
});

test('in a bank-outage every payment is declined with 91, unless a test armed something else', async () => {
  const sandbox = await startForTest();
  const { id } = await createLink(sandbox);
  const card = { number: approvingCard };
  await sandbox.control.setProfile('bank-outage');
  await sandbox.control.next({ outcome: 'decline:51' });
  const reasons = [];
  for (let attempt = 0; attempt < 3; attempt += 1) {
    reasons.push((await sandbox.control.pay(id, { card })).transaction.declineReason);
  }
  expect(reasons).toEqual(['Insufficient funds', 'Issuer unavailable', 'Issuer unavailable']);
  await sandbox.control.setProfile('healthy');
  expect((await sandbox.control.pay(id, { card })).session.state).toBe('PAID');
});

test('under status-lag an answer is ten seconds behind', async () => {
  const sandbox = await startForTest();
  await sandbox.control.freezeClock();
  const { id } = await createLink(sandbox);
  await sandbox.control.setProfile('status-lag');
  await sandbox.control.pay(id, { card: { number: approvingCard } });
  await sandbox.control.advanceClock({ by: 'PT9.999S' });
  expect(await statusContent(sandbox, id)).toEqual([]);
  await sandbox.control.advanceClock({ by: 'PT0.001S' });
  expect(await statusContent(sandbox, id)).toMatchObject([{ transactionStatus: 'SUCCESS' }]);
});

test('on a friday night things go wrong in the same rhythm every time', async () => {
  const [first, second] = [await startForTest(), await startForTest()];
  const night = async (sandbox: typeof first) => {
    const { id } = await createLink(sandbox);
    await sandbox.control.setProfile('friday-night');
    for (const { id: fault, kind } of (await sandbox.control.faults()).faults) {
      if (kind === 'latency') await sandbox.control.liftFaults(fault);
    }
    const seen = [];
    for (let call = 0; call < 12; call += 1) {
      const answer = await getStatus(sandbox, id).catch(() => null);
      seen.push(answer?.status ?? 'lost');
    }
    return seen;
  };
  const rhythm = await night(first);
  expect(new Set(rhythm)).toEqual(new Set([200, 429, 'lost']));
  expect(await night(second)).toEqual(rhythm);
});

test('every profile can be set, named and lifted again', async () => {
  const { control, url } = await startForTest();
  for (const name of profileNames) {
    expect((await control.setProfile(name)).profile).toBe(name);
  }
  await control.reset();
  expect(await control.faults()).toEqual({ profile: 'healthy', faults: [] });
  const answer = await send(`${url}/_sandbox/v1/faults/profile/monday`, { method: 'POST' });
  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({
    code: 'unknown_profile',
    detail: expect.stringContaining('friday-night'),
  });
});

test('the redirect of a paid page can be lost: the payment is made, and the shopper never returns', async () => {
  const sandbox = await startForTest();
  const link = await createLink(sandbox);
  const fault = { operation: 'hostedPage', kind: 'reset' } as const;
  await sandbox.control.addFault({ ...fault, place: 'before-commit' });
  await expect(submitCard(link)).rejects.toThrow('fetch failed');
  expect(await statusContent(sandbox, link.id)).toEqual([]);
  await sandbox.control.addFault({ ...fault, place: 'after-commit' });
  await expect(submitCard(link)).rejects.toThrow('fetch failed');
  expect(await statusContent(sandbox, link.id)).toMatchObject([{ transactionStatus: 'SUCCESS' }]);
});
