import { expect, test } from 'vitest';
import {
  approvingCard,
  challengeCard,
  createLink,
  startForTest,
  statusContent,
} from '../testing/sandbox-for-test.ts';

test('a challenge waits for its password; three wrong ones end it', async () => {
  const sandbox = await startForTest();
  const { id } = await createLink(sandbox);
  const first = await sandbox.control.pay(id, { card: { number: challengeCard } });
  expect(first.transaction.transactionStatus).toBe('PENDING');
  const challengeId = first.challenge!.id;
  for (const otp of ['000000', '111111', '000000']) {
    const pending = await sandbox.control.answerChallenge(challengeId, { otp });
    expect(pending.transaction.transactionStatus).toBe('PENDING');
  }
  const failed = await sandbox.control.answerChallenge(challengeId, { otp: '000000' });
  expect(failed.transaction).toMatchObject({ transactionStatus: 'FAILED' });
  expect(failed.session.state).toBe('PENDING');
  const second = await sandbox.control.pay(id, { card: { number: challengeCard } });
  const passed = await sandbox.control.answerChallenge(second.transaction.transactionId, {
    action: 'approve',
  });
  expect(passed.session.state).toBe('PAID');
});

test('a challenge that is passed after the session was paid charges nothing', async () => {
  const sandbox = await startForTest();
  const { id } = await createLink(sandbox);
  const waiting = await sandbox.control.pay(id, { card: { number: challengeCard } });
  await sandbox.control.pay(id, { card: { number: approvingCard } });
  const late = await sandbox.control.answerChallenge(waiting.challenge!.id, { otp: '123456' });
  expect(late.transaction).toMatchObject({
    transactionStatus: 'FAILED',
    declineReason: 'Checkout session already paid',
  });
  const rows = await statusContent(sandbox, id);
  expect(rows.map((row) => row['transactionStatus'])).toEqual(['FAILED', 'SUCCESS']);
});

test('a challenge past its time limit has failed, and the clock’s answer says so', async () => {
  const sandbox = await startForTest();
  await sandbox.control.freezeClock();
  const { id } = await createLink(sandbox);
  const { challenge } = await sandbox.control.pay(id, { card: { number: challengeCard } });
  const { fired } = await sandbox.control.advanceClock({ by: 'PT10M' });
  expect(fired).toMatchObject([{ kind: 'challenge-timed-out', id: challenge!.id }]);
  expect(await statusContent(sandbox, id)).toMatchObject([
    { transactionStatus: 'FAILED', declineReason: '3-D Secure time limit passed' },
  ]);
});

test.each([
  ['9682990200000006', 'FAILED'],
  ['9682990300000005', 'SUCCESS'],
  ['9682990600000002', 'PENDING'],
])('the card %s of the grammar ends %s at once', async (number, status) => {
  const sandbox = await startForTest();
  const { id } = await createLink(sandbox);
  const reply = await sandbox.control.pay(id, { card: { number } });
  expect(reply.transaction.transactionStatus).toBe(status);
});
