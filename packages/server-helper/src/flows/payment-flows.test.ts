import { expect, it } from 'vitest';
import type { Step } from '../../test-support/scripted-shop.ts';
import { scriptedShop } from '../../test-support/shop-of-test.ts';

const orderId = 'a';
const wantToPay: Step = { kind: 'want-to-pay', orderId };
const confirm: Step = { kind: 'confirm', orderId };
const price = (amount: string): Step => ({ kind: 'reprice', orderId, amount });
const approve = (pick: number): Step => ({ kind: 'pay', orderId, pick, isApproved: true });

it('an order is asked about at each of its links, although recording one of them fails', async () => {
  const shop = await scriptedShop();
  await shop.steps(wantToPay, price('99.50'), wantToPay, price('115.00'), wantToPay);
  await shop.steps(approve(0), approve(2), { kind: 'wait', milliseconds: 6_000 });
  // The newest link is asked about first, and its money cannot be recorded this time.
  await shop.steps({ kind: 'store-fault', fault: 'fail-before' }, confirm);
  expect((await shop.payment()).state).toBe('paid');
  expect(shop.shipped).toEqual([orderId]);
});

it('an order is asked about before it is given up, however recently it was asked about', async () => {
  const shop = await scriptedShop();
  await shop.steps(wantToPay, confirm, approve(0), { kind: 'cancel', orderId });
  expect(await shop.payment()).toMatchObject({ state: 'paid', cancelled: false });
});

it('an order gets a fresh name at the gateway when the answer to its link was lost', async () => {
  const shop = await scriptedShop();
  await shop.steps({ kind: 'mood', mood: 'create-answer-lost' }, wantToPay);
  await shop.steps({ kind: 'mood', mood: 'well' }, wantToPay);
  expect((await shop.record()).attempts).toMatchObject([
    { merchantOrderId: 'a~1', state: 'lost' },
    { merchantOrderId: 'a~2', state: 'open' },
  ]);
});
