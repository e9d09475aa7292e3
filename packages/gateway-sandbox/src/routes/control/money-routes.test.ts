import { expect, test } from 'vitest';
import {
  approvingCard,
  createLink,
  poorCard,
  startForTest,
} from '../../testing/sandbox-for-test.ts';

test('the ledger tells every movement with the sums that follow, for one order or all', async () => {
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

test('a refund that nobody accepted cannot be ended', async () => {
  const { control } = await startForTest();
  await expect(control.endRefund('nothing', 'settle')).rejects.toMatchObject({
    code: 'unknown_refund',
    status: 404,
  });
  await expect(control.endRefund('nothing', 'shrug' as 'fail')).rejects.toMatchObject({
    code: 'invalid_action',
  });
});
