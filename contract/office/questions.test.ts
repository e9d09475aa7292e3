import { expect, it } from 'vitest';
import { noticeIn, OfficeOfShop } from './shop.ts';

const shop = new OfficeOfShop();

it('two different refunds that were asked for in the same moment are one, and the other is refused', async () => {
  await shop.paid('1001');
  const [noura, omar] = [shop.visitor(), shop.visitor('Omar', 'ar')];
  const first = await noura.form('orders/1001/refund?amount=20');
  const second = await omar.form('orders/1001/refund?amount=30');
  await noura.send(first);
  const answer = await omar.send(second);
  expect(noticeIn(answer)).toBe('other_meanwhile');
  expect(await shop.operations('1001')).toMatchObject([{ amount: '20.00' }]);
});

it('a question is asked again where the shop’s own code refunded since, and sent then', async () => {
  await shop.paid('1001');
  const noura = shop.visitor();
  const form = await noura.form('orders/1001/refund?amount=20');
  await shop.payments.refund('1001', { amount: '50.00', requestId: 'own-1' });
  const answer = await noura.send(form);
  const page = await answer.text();
  expect(answer.status).toBe(409);
  expect(page).toContain('The order has changed since this was asked. Nothing was done');
  expect(page).toContain('SAR\u00A045.00\u2069 of this transaction stays with you');
  expect(await shop.sent('refund')).toBe(1);
  const again = await noura.send(await noura.form('orders/1001/refund?amount=20'));
  expect(noticeIn(again)).toBe('operation_pending');
});

it('the id of one order’s question is taken for no other, and so cannot be used up', async () => {
  await shop.paid('1001');
  await shop.paid('1002');
  const [noura, omar] = [shop.visitor(), shop.visitor('Omar')];
  const form = await noura.form('orders/1001/refund?amount=20');
  const other = await omar.form('orders/1002/refund?amount=20');
  other.fields.set('request', form.fields.get('request') ?? '');
  expect((await omar.send(other)).status).toBe(409);
  expect(noticeIn(await noura.send(form))).toBe('operation_pending');
  expect(await shop.operations('1002')).toEqual([]);
});

it('a second charge of a period by another amount is told that it was not made', async () => {
  await shop.sold('1001', 'capture');
  const [noura, omar] = [shop.visitor(), shop.visitor('Omar')];
  const first = await noura.form('orders/1001/charge?amount=10&period=2026-12');
  const second = await omar.form('orders/1001/charge?amount=40&period=2026-12');
  expect([noticeIn(await noura.send(first)), noticeIn(await omar.send(second))]).toEqual([
    'operation_succeeded',
    'other_meanwhile',
  ]);
  expect(await shop.sent('chargeRecurring')).toBe(1);
});
