import { expect, it, onTestFinished } from 'vitest';
import { ScriptedGateway } from '../../test-support/scripted-gateway.ts';
import type { Step } from '../../test-support/scripted-shop.ts';
import { scriptedShop } from '../../test-support/shop-of-test.ts';
import { someOptions } from '../../test-support/some-options.ts';
import { createPayments } from '../index.ts';

const DAY_MS = 86_400_000;
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

it('an order that is opened again after it ended can expire again, and each end is an event of its own', async () => {
  const shop = await scriptedShop();
  await shop.steps(wantToPay);
  await shop.later(2 * DAY_MS + 1_000_000);
  expect((await shop.payment()).state).toBe('expired');
  // A sale that never arrived opens the order again; its link is still the current one.
  const sale: Step = { kind: 'sale', orderId, key: 1, isAuthorization: false };
  const lost: Step = { kind: 'money-mood', mood: 'request-lost' };
  await shop.steps(lost, sale, { kind: 'person-checks', orderId });
  expect((await shop.payment()).state).toBe('failed');
  for (let day = 0; day < 12; day += 1) await shop.later(DAY_MS);
  expect((await shop.payment()).state).toBe('expired');
  const { events } = await shop.history(orderId);
  const ends = events.filter(({ event }) => event.type === 'expired');
  expect(new Set(ends.map(({ event }) => event.id)).size).toBe(2);
});

it('the first checkout of a process gives a link, however far ahead its database’s clock is', async () => {
  const gateway = await new ScriptedGateway().start();
  onTestFinished(() => gateway.close());
  const options = someOptions(gateway.baseUrl);
  Object.assign(options.store.health, { clockOffsetMs: async () => 5 * 3_600_000 });
  const loadOrder = () => ({ orderId, amount: '115.00', customer: { phone: '0501234567' } });
  const payments = createPayments({ ...options, loadOrder });
  onTestFinished(() => payments.close());
  expect(await payments.ensureLink(orderId)).toHaveProperty('redirectUrl');
});
