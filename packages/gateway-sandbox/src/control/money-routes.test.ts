import { expect, test } from 'vitest';
import type { Sandbox } from '../start-sandbox.ts';
import {
  approvingCard,
  createLink,
  poorCard,
  send,
  startForTest,
} from '../testing/sandbox-for-test.ts';

test('the ledger has every movement with the sums that follow, for one order or all', async () => {
  const { control, ...sandbox } = await startForTest();
  const one = await createLink({ control, ...sandbox });
  const two = await createLink({ control, ...sandbox }, { merchantOrderId: 'order-2' });
  await control.pay(one.id, { card: { number: poorCard } });
  await control.pay(one.id, { card: { number: approvingCard } });
  await control.pay(two.id, { card: { number: approvingCard } });
  expect(await control.ledger({ merchantOrderId: 'order-1' })).toMatchObject([
    {
      sessionId: one.id,
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
  expect((await control.ledger()).map(({ merchantOrderId }) => merchantOrderId)).toEqual([
    'order-1',
    'order-1',
    'order-2',
  ]);
  expect(await control.invariants()).toEqual({ ok: true, violations: [] });
});

test('an accepted refund is settled or failed at will, and its end is final', async () => {
  const sandbox = await startForTest();
  await sandbox.control.freezeClock();
  const { id } = await createLink(sandbox);
  const { transaction } = await sandbox.control.pay(id, { card: { number: approvingCard } });
  for (const [action, refunded] of [
    ['fail', '0.00'],
    ['settle', '15.00'],
  ] as const) {
    const refundId = await refund(sandbox, transaction.transactionId);
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

test('a refund that was not accepted cannot be ended', async () => {
  const { control } = await startForTest();
  await expect(control.endRefund('nothing', 'settle')).rejects.toMatchObject({
    code: 'unknown_refund',
    status: 404,
  });
  await expect(control.endRefund('nothing', 'shrug' as 'fail')).rejects.toMatchObject({
    code: 'invalid_action',
  });
});

/** Has 15.00 taken on for a refund. */
async function refund({ baseUrl, apiKey }: Sandbox, transactionId: string): Promise<string> {
  const { body } = await send(`${baseUrl}/payment/s2s/refund`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ transactionId, amount: 15 }),
  });
  return (body as { data: { refundId: string } }).data.refundId;
}
