import { expect, test } from 'vitest';
import type { Sandbox } from '../start-sandbox.ts';
import {
  approvingCard,
  challengeCard,
  createLink,
  poorCard,
  startForTest,
} from '../testing/sandbox-for-test.ts';

let orders = 0;
const linkOf = (sandbox: Sandbox, customerPhone = '0512345678') =>
  createLink(sandbox, { customerPhone, merchantOrderId: `order-${(orders += 1)}` });
const savedOf = async (sandbox: Sandbox, phone?: string) =>
  (await sandbox.control.session((await linkOf(sandbox, phone)).id)).savedCards;

test('Apple Pay pays a session', async () => {
  const sandbox = await startForTest();
  const { id } = await linkOf(sandbox);
  const paid = await sandbox.control.pay(id, { applePay: true });
  expect(paid).toMatchObject({
    session: { state: 'PAID' },
    transaction: { transactionStatus: 'SUCCESS', paymentStatus: 'APPROVED', cardScheme: 'MADA' },
    decidedBy: 'default',
  });
  expect(await savedOf(sandbox)).toEqual([]);
});

test('a card that was approved is offered to the same phone again, however it is written', async () => {
  const sandbox = await startForTest();
  const { id } = await linkOf(sandbox, '0512345678');
  await sandbox.control.pay(id, { card: { number: approvingCard } });
  for (const phone of ['512345678', '966512345678', '+966 51 234 5678', '00966512345678']) {
    expect(await savedOf(sandbox, phone)).toEqual([
      { id: expect.any(String), pan: '420132******1010', cardScheme: 'MADA' },
    ]);
  }
  expect(await savedOf(sandbox, '0512345679')).toEqual([]);
});

test('a saved card pays, and is saved once however often it paid', async () => {
  const sandbox = await startForTest();
  for (let time = 0; time < 2; time += 1) {
    const { id } = await linkOf(sandbox);
    await sandbox.control.pay(id, { card: { number: approvingCard } });
  }
  const { id } = await linkOf(sandbox);
  const { savedCards } = await sandbox.control.session(id);
  expect(savedCards).toHaveLength(1);
  const paid = await sandbox.control.pay(id, { savedCard: savedCards[0]?.id ?? '' });
  expect(paid).toMatchObject({
    session: { state: 'PAID' },
    transaction: { pan: '420132******1010' },
  });
});

test('a saved card is challenged again, and is saved only after its challenge', async () => {
  const sandbox = await startForTest();
  const { id } = await linkOf(sandbox);
  const { challenge } = await sandbox.control.pay(id, { card: { number: challengeCard } });
  expect(await savedOf(sandbox)).toEqual([]);
  await sandbox.control.answerChallenge(challenge?.id ?? '', { action: 'approve' });
  const [saved] = await savedOf(sandbox);
  const next = await linkOf(sandbox);
  const again = await sandbox.control.pay(next.id, { savedCard: saved?.id ?? '' });
  expect(again).toMatchObject({ decidedBy: 'card', challenge: { id: expect.any(String) } });
});

test('a declined card is not saved', async () => {
  const sandbox = await startForTest();
  const { id } = await linkOf(sandbox);
  await sandbox.control.pay(id, { card: { number: poorCard } });
  expect(await savedOf(sandbox)).toEqual([]);
});

test('another customer’s saved card pays nothing', async () => {
  const sandbox = await startForTest();
  const { id } = await linkOf(sandbox);
  await sandbox.control.pay(id, { card: { number: approvingCard } });
  const [saved] = await savedOf(sandbox);
  const other = await linkOf(sandbox, '0599999999');
  await expect(sandbox.control.pay(other.id, { savedCard: saved?.id ?? '' })).rejects.toMatchObject(
    { code: 'unknown_saved_card', status: 404 },
  );
  expect((await sandbox.control.session(other.id)).transactions).toEqual([]);
});

test('a saved card declines once it has expired on the sandbox clock, until its newer expiry is typed', async () => {
  const sandbox = await startForTest();
  const { id } = await linkOf(sandbox);
  const expiryYear = String(new Date().getUTCFullYear() + 1);
  await sandbox.control.pay(id, { card: { number: approvingCard, expiryMonth: '06', expiryYear } });
  await sandbox.control.advanceClock({ by: 'P800D' });
  const [saved] = await savedOf(sandbox);
  const next = await linkOf(sandbox);
  expect(await sandbox.control.pay(next.id, { savedCard: saved?.id ?? '' })).toMatchObject({
    transaction: { transactionStatus: 'FAILED', declineReason: 'Expired card' },
    decidedBy: 'card',
  });
  await sandbox.control.pay(next.id, { card: { number: approvingCard } });
  const last = await linkOf(sandbox);
  expect(await sandbox.control.pay(last.id, { savedCard: saved?.id ?? '' })).toMatchObject({
    transaction: { transactionStatus: 'SUCCESS' },
  });
});

test.each([
  { savedCard: 'x', applePay: true },
  { card: { number: approvingCard }, applePay: true },
  { applePay: false },
  {},
])('control pay takes one means of payment, not %j', async (means) => {
  const sandbox = await startForTest();
  const { id } = await linkOf(sandbox);
  await expect(sandbox.control.pay(id, means as { applePay: true })).rejects.toMatchObject({
    code: 'invalid_card',
    status: 400,
  });
});
