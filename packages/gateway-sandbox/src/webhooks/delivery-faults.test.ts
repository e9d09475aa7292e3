import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { sell } from '../testing/embedded-for-test.ts';
import { createLink, submitCard, validLink } from '../testing/sandbox-for-test.ts';
import { ordersReported, payOrder, settle, subscribed } from '../testing/shop-for-test.ts';

test('a dropped delivery never arrives, and can be replayed', async () => {
  const { sandbox, receiver } = await subscribed();
  await sandbox.control.addFault({ place: 'delivery', kind: 'drop' });
  await payOrder(sandbox, 'a');
  await payOrder(sandbox, 'b');
  await sandbox.control.advanceClock({ by: 'PT1H' });
  expect(ordersReported(receiver)).toEqual(['b']);
  const [dropped] = await sandbox.control.deliveries({ state: 'dropped' });
  await sandbox.control.replayDelivery(dropped?.id ?? '');
  expect(ordersReported(receiver)).toEqual(['b', 'a']);
});

test('a doubled delivery arrives that often, byte for byte', async () => {
  const { sandbox, receiver } = await subscribed();
  await sandbox.control.addFault({ place: 'delivery', kind: 'duplicate', times: 3 });
  await payOrder(sandbox, 'a');
  await settle(sandbox);
  expect(receiver.received).toHaveLength(3);
  expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1);
});

test('a late delivery arrives when its time has come on the sandbox clock', async () => {
  const { sandbox, receiver } = await subscribed();
  await sandbox.control.addFault({ place: 'delivery', kind: 'late', latencyMs: 60_000 });
  await payOrder(sandbox, 'a');
  await sandbox.control.advanceClock({ by: 'PT59.999S' });
  expect(receiver.received).toHaveLength(0);
  await sandbox.control.advanceClock({ by: 'PT0.001S' });
  expect(receiver.received).toHaveLength(1);
});

test('a reordered delivery lets the next one go first, and follows it', async () => {
  const { sandbox, receiver } = await subscribed();
  await sandbox.control.addFault({ place: 'delivery', kind: 'reorder', count: 2 });
  await payOrder(sandbox, 'a');
  await settle(sandbox);
  expect(receiver.received).toHaveLength(0);
  await payOrder(sandbox, 'b');
  await receiver.has(2);
  expect(ordersReported(receiver)).toEqual(['b', 'a']);
});

test('a reordered delivery with none behind it arrives after thirty seconds', async () => {
  const { sandbox, receiver } = await subscribed();
  await sandbox.control.addFault({ place: 'delivery', kind: 'reorder' });
  await payOrder(sandbox, 'a');
  await sandbox.control.advanceClock({ by: 'PT30S' });
  expect(ordersReported(receiver)).toEqual(['a']);
});

test('an altered delivery has another amount, which its signature does not cover', async () => {
  const { sandbox, receiver, webhook } = await subscribed();
  await sandbox.control.addFault({ place: 'delivery', kind: 'alter' });
  await payOrder(sandbox, 'a');
  await settle(sandbox);
  const [altered] = receiver.received;
  expect(altered?.event['amount']).toBe(115.01);
  const signatureOf = (text: string) =>
    createHmac('sha256', webhook.secret).update(text).digest('hex');
  expect(altered?.headers['x-signature']).not.toBe(signatureOf(altered?.text ?? ''));
  const [delivery] = await sandbox.control.deliveries();
  await sandbox.control.replayDelivery(delivery?.id ?? '', { resign: true });
  const replayed = receiver.received.at(-1);
  expect(replayed?.text).toBe(altered?.text);
  expect(replayed?.headers['x-signature']).toBe(signatureOf(replayed?.text ?? ''));
});

test.each([
  [9906.03, 3],
  [9906, 0],
  [9907.99, 0],
])('an amount of %d is reported %d times', async (amount, count) => {
  const { sandbox, receiver } = await subscribed();
  await payOrder(sandbox, 'a', amount);
  await sandbox.control.advanceClock({ by: 'PT3H' });
  expect(receiver.received).toHaveLength(count);
});

test('an amount of 9907.05 is reported five minutes late', async () => {
  const { sandbox, receiver } = await subscribed();
  await payOrder(sandbox, 'a', 9907.05);
  await sandbox.control.advanceClock({ by: 'PT4M59.999S' });
  expect(receiver.received).toHaveLength(0);
  await sandbox.control.advanceClock({ by: 'PT0.001S' });
  expect(receiver.received).toHaveLength(1);
});

test('an amount of 9907.00 is reported before the shopper is sent back, and before a sale is answered', async () => {
  const { sandbox, receiver } = await subscribed();
  const order: string[] = [];
  receiver.answer = (response) => {
    setTimeout(() => {
      order.push('webhook');
      response.end();
    }, 50);
  };
  const link = await createLink(sandbox, { merchantOrderId: 'a', amount: 9907 });
  const page = await submitCard(link);
  order.push(page.headers.get('location') === validLink.successUrl ? 'redirect' : page.text);
  await payOrder(sandbox, 'b', 9907);
  order.push('control');
  await sell(sandbox, { amount: 9907 });
  order.push('sale');
  expect(order).toEqual(['webhook', 'redirect', 'webhook', 'control', 'webhook', 'sale']);
});
