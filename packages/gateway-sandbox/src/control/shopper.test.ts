import { beforeEach, expect, test } from 'vitest';
import { cards, dataOf, startForTest } from '../testing/sandbox-for-test.ts';
import type { SandboxForTest } from '../testing/sandbox-for-test.ts';

let sandbox: SandboxForTest;
beforeEach(async () => void (sandbox = await startForTest()));

test('info has addresses, keys, version, seed, clock and policy', async () => {
  sandbox = await startForTest({ policy: ['sameId'] });
  const { baseUrl, productionBaseUrl, apiKey, productionApiKey, portal } = sandbox;
  expect(await sandbox.control.info()).toEqual({
    baseUrl,
    productionBaseUrl,
    apiKey,
    productionApiKey,
    portal,
    id: 'default',
    url: sandbox.url,
    salePassword: sandbox.salePassword,
    merchant: 'found',
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    seed: 'test',
    policy: ['sameId'],
    clock: { now: expect.stringMatching(/Z$/), state: 'running' },
  });
  expect(baseUrl.endsWith('/v1')).toBe(true);
  expect(productionBaseUrl.endsWith('/v1')).toBe(true);
  await sandbox.control.ready();
});

test('paying without a browser answers session, transaction and the rule that decided; the ledger has every movement', async () => {
  const { control } = sandbox;
  const { id } = await sandbox.createLink();
  expect(await control.pay(id, { card: { number: cards.poor } })).toMatchObject({
    decidedBy: 'card',
    session: { id, state: 'PENDING', amount: '115.00', currency: 'SAR' },
    transaction: { ...failed, paymentStatus: 'DECLINED', declineReason: 'Insufficient funds' },
  });
  const card = { number: cards.mada, expiryMonth: '12', expiryYear: '2039', cvv: '123' };
  expect(await control.pay(id, { card })).toMatchObject({
    decidedBy: 'default',
    session: { state: 'PAID' },
    transaction: { transactionStatus: 'SUCCESS', paymentStatus: 'APPROVED' },
  });
  await sandbox.payLink({ merchantOrderId: 'order-2' });
  expect(await control.ledger({ merchantOrderId: 'order-1' })).toMatchObject([
    {
      sessionId: id,
      authorized: '0.00',
      refundable: '0.00',
      entries: [{ kind: 'purchase', result: 'failed', reason: 'Insufficient funds' }],
    },
    {
      currency: 'SAR',
      authorized: '115.00',
      captured: '115.00',
      refunded: '0.00',
      refundable: '115.00',
      entries: [{ kind: 'purchase', amount: '115.00', result: 'done', reason: null }],
    },
  ]);
  const names = (await control.ledger()).map(({ merchantOrderId }) => merchantOrderId);
  expect(names.join(' ')).toBe('order-1 order-1 order-2');
  expect(await control.invariants()).toEqual({ ok: true, violations: [] });
});

test('reset forgets everything but the keys, and never gives an id twice', async () => {
  const create = async (order: string) => (await sandbox.createLink({ merchantOrderId: order })).id;
  const createTwo = async () => [await create('order-1'), await create('order-2')];
  const before = await createTwo();
  await sandbox.control.advanceClock({ by: 'P1D' });
  await sandbox.control.reset();
  expect((await sandbox.getStatus(before[0] ?? '')).status).toBe(404);
  expect((await sandbox.control.requests()).length).toBe(1);
  expect(new Set([...before, ...(await createTwo())]).size).toBe(4);
  expect(Date.parse((await sandbox.control.info()).clock.now)).toBeLessThan(Date.now() + 60_000);
});

const failed = { transactionStatus: 'FAILED' };
let orders = 0;
const nextOrder = () => ({ merchantOrderId: `order-${(orders += 1)}` });
const linkOf = (customerPhone = '0512345678') =>
  sandbox.createLink({ customerPhone, ...nextOrder() });
const payNext = (number?: string) => sandbox.payLink(nextOrder(), number);
const savedOf = async (phone?: string) =>
  (await sandbox.control.session((await linkOf(phone)).id)).savedCards;

test('Apple Pay pays a session', async () => {
  const { id } = await linkOf();
  const paid = await sandbox.control.pay(id, { applePay: true });
  expect(paid).toMatchObject({
    session: { state: 'PAID' },
    transaction: { transactionStatus: 'SUCCESS', paymentStatus: 'APPROVED', cardScheme: 'MADA' },
    decidedBy: 'default',
  });
  expect(await savedOf()).toEqual([]);
});

test('a card that was approved is offered to the same phone again, once and however it is written, and pays', async () => {
  for (let time = 0; time < 2; time += 1) await payNext();
  const saved = { id: expect.any(String), pan: '420132******1010', cardScheme: 'MADA' };
  for (const phone of ['512345678', '966512345678', '+966 51 234 5678', '00966512345678']) {
    expect(await savedOf(phone)).toEqual([saved]);
  }
  expect(await savedOf('0512345679')).toEqual([]);
  const [offered] = await savedOf();
  const savedCard = offered?.id ?? '';
  const paid = await sandbox.control.pay((await linkOf()).id, { savedCard });
  expect([paid.session.state, paid.transaction.pan]).toEqual(['PAID', saved.pan]);
});

test('a card is saved only after its challenge and not after a decline, and is challenged again', async () => {
  await payNext(cards.poor);
  const { challenge } = await payNext(cards.challenged);
  expect(await savedOf()).toEqual([]);
  await sandbox.control.answerChallenge(challenge?.id ?? '', { action: 'approve' });
  const [saved] = await savedOf();
  const next = await linkOf();
  const again = await sandbox.control.pay(next.id, { savedCard: saved?.id ?? '' });
  expect(again).toMatchObject({ decidedBy: 'card', challenge: { id: expect.any(String) } });
});

test('a saved card declines once it has expired on the sandbox clock, until its newer expiry is typed', async () => {
  const { id } = await linkOf();
  const expiryYear = String(new Date().getUTCFullYear() + 1);
  await sandbox.control.pay(id, { card: { number: cards.mada, expiryMonth: '06', expiryYear } });
  await sandbox.control.advanceClock({ by: 'P800D' });
  const [saved] = await savedOf();
  const next = await linkOf();
  const late = await sandbox.control.pay(next.id, { savedCard: saved?.id ?? '' });
  const transaction = { ...failed, declineReason: 'Expired card' };
  expect(late).toMatchObject({ transaction, decidedBy: 'card' });
  await sandbox.control.pay(next.id, { card: { number: cards.mada } });
  const last = await sandbox.control.pay((await linkOf()).id, { savedCard: saved?.id ?? '' });
  expect(last.transaction.transactionStatus).toBe('SUCCESS');
});

test('a challenge waits for its password; three wrong ones end it, and so does another payment of the session', async () => {
  const { id } = await sandbox.createLink();
  const open = async () => {
    const card = { number: cards.challenged };
    const { transaction, challenge } = await sandbox.control.pay(id, { card });
    expect(transaction.transactionStatus).toBe('PENDING');
    return { transactionId: transaction.transactionId, challengeId: challenge?.id ?? '' };
  };
  const first = await open();
  for (const otp of ['000000', '111111', '000000']) {
    const pending = await sandbox.control.answerChallenge(first.challengeId, { otp });
    expect(pending.transaction.transactionStatus).toBe('PENDING');
  }
  const third = await sandbox.control.answerChallenge(first.challengeId, { otp: '000000' });
  expect(third.transaction).toMatchObject(failed);
  expect(third.session.state).toBe('PENDING');
  const [second, waiting] = [await open(), await open()];
  const passed = await sandbox.control.answerChallenge(second.transactionId, { action: 'approve' });
  expect(passed.session.state).toBe('PAID');
  const late = await sandbox.control.answerChallenge(waiting.challengeId, { otp: '123456' });
  const declineReason = 'Checkout session already paid';
  expect(late.transaction).toMatchObject({ ...failed, declineReason });
});

test('a challenge past its time limit has failed, and the clock’s answer says so', async () => {
  await sandbox.control.freezeClock();
  const { sessionId: id, challenge } = await sandbox.payLink({}, cards.challenged);
  const { fired } = await sandbox.control.advanceClock({ by: 'PT10M' });
  expect(fired).toMatchObject([{ kind: 'challenge-timed-out', id: challenge!.id }]);
  expect(await sandbox.statusContent(id)).toMatchObject([
    { transactionStatus: 'FAILED', declineReason: '3-D Secure time limit passed' },
  ]);
});

test.each([
  ['9682990200000006', 'FAILED'],
  ['9682990300000005', 'SUCCESS'],
  ['9682990600000002', 'PENDING'],
])('the card %s of the grammar ends %s at once', async (number, status) => {
  const { transaction } = await sandbox.payLink({}, number);
  expect(transaction.transactionStatus).toBe(status);
});

test('an accepted refund is settled or failed at will, and its end is final', async () => {
  await sandbox.control.freezeClock();
  const { transactionId } = await sandbox.payLink();
  for (const [action, refunded] of [
    ['fail', '0.00'],
    ['settle', '15.00'],
  ] as const) {
    const answer = await sandbox.post('/payment/s2s/refund', { transactionId, amount: 15 });
    const refundId = String(dataOf(answer)['refundId']);
    const ended = await sandbox.control.endRefund(refundId, action);
    expect(ended.transaction.totalRefundAmount).toBe(refunded);
    const again = sandbox.control.endRefund(refundId, 'settle');
    await expect(again).rejects.toMatchObject({ code: 'refund_ended', status: 409 });
  }
  const { fired } = await sandbox.control.advanceClock({ by: 'PT1M' });
  expect(fired).toEqual([]);
  const [ledger] = await sandbox.control.ledger();
  expect(ledger).toMatchObject({ refunded: '15.00', pendingRefund: '0.00', refundable: '100.00' });
  expect(await sandbox.control.invariants()).toEqual({ ok: true, violations: [] });
});
