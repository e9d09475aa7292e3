import { beforeEach, expect, test } from 'vitest';
import { cards, dataOf, startForTest, submitCard } from '../testing/sandbox-for-test.ts';
import type { SandboxForTest } from '../testing/sandbox-for-test.ts';

let sandbox: SandboxForTest;
beforeEach(async () => void (sandbox = await startForTest()));

const statusOf = async (id: string) => (await sandbox.rowOf(id))['transactionStatus'];

test.each<[number, string, string, string | null, currency?: string]>([
  [9900, 'SUCCESS', 'magic-amount', null],
  [9900.51, 'DECLINED', 'magic-amount', 'Insufficient funds'],
  [9900.77, 'DECLINED', 'magic-amount', 'Declined'],
  [9899.99, 'SUCCESS', 'default', null],
  [9910, 'SUCCESS', 'default', null],
  [9905.02, 'SUCCESS', 'default', null],
  [9908, 'SUCCESS', 'default', null],
  [9900.51, 'SUCCESS', 'default', null, 'USD'],
])('a sale of %s is %s by %s', async (amount, result, decidedBy, reason, currency = 'SAR') => {
  const answer = await sandbox.sell({ amount, currency });
  expect(dataOf(answer)).toMatchObject({ result, decline_reason: reason });
  expect(answer.headers.get('x-sandbox-decided-by')).toBe(decidedBy);
});

test('the order of the rules: next, choice, card, magic amount, default', async () => {
  const decisions: unknown[] = [];
  const link = await sandbox.createLink({ amount: 9900.41 });
  await sandbox.control.next({ outcome: 'decline:91' });
  const chosen = { number: cards.poor, outcome: 'decline:61' };
  for (const [index, form] of [chosen, chosen, { number: cards.poor }, {}].entries()) {
    await submitCard(link, { ...form, formKey: String(index) });
    decisions.push((await sandbox.statusContent(link.id)).at(-1)?.['declineReason']);
  }
  const reasons = 'Issuer unavailable,Exceeds withdrawal limit,Insufficient funds,Lost card';
  expect(decisions.join()).toBe(reasons);
});

test('9901.RR asks for a challenge first, whatever the card', async () => {
  const paid = await sandbox.payLink({ amount: 9901.51 });
  expect(paid).toMatchObject({ decidedBy: 'magic-amount', challenge: { id: expect.any(String) } });
  const challengeId = paid.challenge?.id ?? '';
  const answered = await sandbox.control.answerChallenge(challengeId, { otp: '123456' });
  expect(answered.transaction).toMatchObject({ declineReason: 'Insufficient funds' });
});

test.each([
  [9902.02, 'SUCCESS', 'session-paid'],
  [9903.02, 'FAILED', 'transaction-declined'],
])('%s is pending for two minutes, then %s', async (amount, status, kind) => {
  await sandbox.control.freezeClock();
  const { sessionId, transactionId } = await sandbox.payLink({ amount });
  await sandbox.control.advanceClock({ by: 'PT1M59.999S' });
  expect(await statusOf(transactionId)).toBe('PENDING');
  const { fired } = await sandbox.control.advanceClock({ by: 'PT0.001S' });
  expect(fired).toMatchObject([{ kind }]);
  expect(await sandbox.statusContent(sessionId)).toMatchObject([{ transactionStatus: status }]);
});

test('a payment that the bank accepts after the session’s life has paid it', async () => {
  await sandbox.control.freezeClock();
  const { id } = await sandbox.createLink({ amount: 9902.1 });
  await sandbox.control.advanceClock({ by: 'PT47H59M59.999S' });
  await sandbox.control.pay(id, { card: { number: cards.mada } });
  const { fired } = await sandbox.control.advanceClock({ by: 'PT10M' });
  expect(fired.map(({ kind }) => kind)).toEqual(['session-expired', 'session-paid']);
  expect(await sandbox.control.invariants()).toEqual({ ok: true, violations: [] });
});

test('9904.SS answers that many seconds late, on the sale and on control pay', async () => {
  const { id } = await sandbox.createLink({ amount: 9904.01 });
  const begun = performance.now();
  const paying = sandbox.control.pay(id, { card: { number: cards.mada } });
  await Promise.all([sandbox.sell({ amount: 9904.01 }), paying]);
  expect(performance.now() - begun).toBeGreaterThan(990);
});

test('9905.00 cuts the connection before anything is committed, 9905.01 after', async () => {
  const attempts: string[] = [];
  for (const [index, amount] of [9905, 9905.01].entries()) {
    await expect(sandbox.sell({ amount, orderId: `sale-${index}` })).rejects.toThrow();
    const driven = await sandbox.createLink({ amount, merchantOrderId: `driven-${index}` });
    const paying = sandbox.control.pay(driven.id, { card: { number: cards.mada } });
    await expect(paying).rejects.toThrow();
    const shown = await sandbox.createLink({ amount, merchantOrderId: `shown-${index}` });
    await expect(submitCard(shown)).rejects.toThrow();
    for (const { id } of [driven, shown]) {
      const rows = await sandbox.statusContent(id);
      attempts.push(rows.map((row) => row['transactionStatus']).join());
    }
  }
  expect(attempts).toEqual(['', '', 'SUCCESS', 'SUCCESS']);
  const orders = (await sandbox.control.ledger()).map(({ merchantOrderId }) => merchantOrderId);
  expect(orders.filter((order) => order.startsWith('sale'))).toEqual(['sale-1']);
});

test('9908.01 accepts a refund and lets it fail, once', async () => {
  await sandbox.control.freezeClock();
  const id = await sandbox.sellForId({ amount: 9908.01 });
  const refund = () => sandbox.post('/payment/s2s/refund', { transactionId: id, amount: 9908.01 });
  for (const [kind, refundStatus] of Object.entries({
    'refund-failed': 'NONE',
    'refund-settled': 'FULL',
  })) {
    expect(dataOf(await refund())).toMatchObject({ result: 'accepted' });
    expect((await sandbox.control.advanceClock({ by: 'PT10S' })).fired).toMatchObject([{ kind }]);
    expect(await sandbox.rowOf(id)).toMatchObject({ refundStatus });
  }
});

test('9909.SS lets the status lag, and nothing else', async () => {
  await sandbox.control.freezeClock();
  const answer = await sandbox.sell({ amount: 9909.3, recurringInit: 'Y' });
  expect(dataOf(answer)).toMatchObject({ result: 'SUCCESS', status: 'SUCCESS' });
  const id = String(dataOf(answer)['transactionId']);
  await sandbox.control.advanceClock({ by: 'PT29.999S' });
  const row = await sandbox.rowOf(id);
  expect(row).toMatchObject({ transactionStatus: 'PENDING', paymentStatus: 'PENDING' });
  expect(row).not.toHaveProperty('recurringToken');
  await sandbox.control.advanceClock({ by: 'PT0.001S' });
  const known = { transactionStatus: 'SUCCESS', recurringToken: expect.any(String) as string };
  expect(await sandbox.rowOf(id)).toMatchObject(known);
});
