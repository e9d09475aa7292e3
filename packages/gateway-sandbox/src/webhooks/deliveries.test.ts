import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { ReceiverForTest, ordersReported } from '../testing/receiver-for-test.ts';
import { signed, subscribed } from '../testing/receiver-for-test.ts';
import { folderForTest, refusalOf, startForTest } from '../testing/sandbox-for-test.ts';
import { submitCard, validLink } from '../testing/sandbox-for-test.ts';

test('a replay sends the same bytes and signature again, unless another address or secret is asked for', async () => {
  const { sandbox, receiver } = await subscribed();
  const other = await ReceiverForTest.start();
  await sandbox.payOrder('a');
  await sandbox.settle();
  const [delivery] = await sandbox.control.deliveries();
  const id = delivery?.id ?? '';
  const replayed = await sandbox.control.replayDelivery(id);
  const [first, second] = receiver.received;
  expect(second?.text).toBe(first?.text);
  expect(second?.headers['x-signature']).toBe(first?.headers['x-signature']);
  expect([replayed.body, replayed.signature]).toEqual([first?.text, first?.headers['x-signature']]);
  const attempts = replayed.attempts.map(({ outcome, replay }) => `${outcome} ${replay}`);
  expect(attempts).toEqual(['acknowledged false', 'acknowledged true']);
  await sandbox.control.replayDelivery(id, { url: other.url, secret: 'wrong' });
  expect([receiver.received.length, other.received.length]).toEqual([2, 1]);
  const [elsewhere] = other.received;
  expect(elsewhere?.headers['x-signature']).toBe(signed('wrong', elsewhere?.text));
});

test('held deliveries are released in any order, and the rest in its own', async () => {
  const { sandbox, receiver } = await subscribed();
  await sandbox.control.holdDeliveries();
  for (const order of ['a', 'b', 'c', 'd']) await sandbox.payOrder(order);
  await sandbox.control.advanceClock({ by: 'PT1H' });
  const held = await sandbox.control.deliveries({ state: 'held' });
  expect([held.length, receiver.received.length]).toEqual([4, 0]);
  const [, b, , d] = held.map(({ id }) => id);
  const released = await sandbox.control.releaseDeliveries([d ?? '', b ?? '']);
  const states = released.map(({ state, merchantOrderId }) => `${merchantOrderId} ${state}`);
  expect(states).toEqual(['d delivered', 'b delivered']);
  const again = sandbox.control.releaseDeliveries([d ?? '']);
  expect(await refusalOf(again)).toBe('400 not_held');
  await sandbox.payOrder('e');
  await sandbox.control.releaseDeliveries();
  await sandbox.payOrder('f');
  await sandbox.settle();
  expect(ordersReported(receiver)).toEqual(['d', 'b', 'a', 'c', 'e', 'f']);
});

test('with a data folder, what was half sent or waits for a retry goes out after a restart', async () => {
  const data = await folderForTest();
  const { sandbox, receiver } = await subscribed({ data });
  receiver.answer = (response, number) => {
    if (number === 1) response.writeHead(500).end();
  };
  await sandbox.payOrder('a');
  await receiver.has(1);
  await sandbox.settle();
  await sandbox.payOrder('b');
  await receiver.has(2);
  await sandbox.close();
  receiver.answer = (response) => response.end();
  const second = await startForTest({ data });
  await receiver.has(3);
  expect(ordersReported(receiver)).toEqual(['a', 'b', 'b']);
  await second.control.advanceClock({ by: 'PT30S' });
  expect(ordersReported(receiver)).toEqual(['a', 'b', 'b', 'a']);
  const states = (await second.control.deliveries()).map(({ state }) => state);
  expect(states).toEqual(['delivered', 'delivered']);
});

test('a payment does not wait for an answer, and a snapshot brings back what was being sent', async () => {
  const { sandbox, receiver } = await subscribed();
  const unanswered: ServerResponse[] = [];
  receiver.answer = (response) => void unanswered.push(response);
  await sandbox.payOrder('a');
  await receiver.has(1);
  const [sending] = await sandbox.control.deliveries({ merchantOrderId: 'a' });
  expect(sending?.state).toBe('sending');
  await sandbox.control.createSnapshot('half-sent');
  receiver.answer = (response) => response.end();
  for (const response of unanswered) response.end();
  await sandbox.settle();
  await sandbox.control.restoreSnapshot('half-sent');
  await sandbox.settle();
  expect(ordersReported(receiver)).toEqual(['a', 'a']);
  expect((await sandbox.control.deliveries()).map(({ state }) => state)).toEqual(['delivered']);
});

test('a dropped delivery never arrives, and can be replayed', async () => {
  const { sandbox, receiver } = await subscribed();
  await sandbox.control.addFault({ place: 'delivery', kind: 'drop' });
  await sandbox.payOrder('a');
  await sandbox.payOrder('b');
  await sandbox.control.advanceClock({ by: 'PT1H' });
  expect(ordersReported(receiver)).toEqual(['b']);
  const [dropped] = await sandbox.control.deliveries({ state: 'dropped' });
  await sandbox.control.replayDelivery(dropped?.id ?? '');
  expect(ordersReported(receiver)).toEqual(['b', 'a']);
});

test.each([
  [{ kind: 'late', latencyMs: 60_000 }, 115, 'PT59.999S'],
  [{ kind: 'reorder' }, 115, 'PT29.999S'],
  [null, 9907.05, 'PT4M59.999S'],
] as const)('under the fault %j an amount of %d arrives after %s', async (fault, amount, by) => {
  const { sandbox, receiver } = await subscribed();
  if (fault) await sandbox.control.addFault({ place: 'delivery', ...fault });
  await sandbox.payOrder('a', amount);
  await sandbox.control.advanceClock({ by });
  expect(receiver.received).toHaveLength(0);
  await sandbox.control.advanceClock({ by: 'PT0.001S' });
  expect(receiver.received).toHaveLength(1);
});

test('a reordered delivery lets the next one go first, and follows it', async () => {
  const { sandbox, receiver } = await subscribed();
  await sandbox.control.addFault({ place: 'delivery', kind: 'reorder', count: 2 });
  await sandbox.payOrder('a');
  await sandbox.settle();
  expect(receiver.received).toHaveLength(0);
  await sandbox.payOrder('b');
  await receiver.has(2);
  expect(ordersReported(receiver)).toEqual(['b', 'a']);
});

test('an altered delivery has another amount, which its signature does not cover', async () => {
  const { sandbox, receiver, webhook } = await subscribed();
  await sandbox.control.addFault({ place: 'delivery', kind: 'alter' });
  await sandbox.payOrder('a');
  await sandbox.settle();
  const [altered] = receiver.received;
  expect(altered?.event['amount']).toBe(115.01);
  expect(altered?.headers['x-signature']).not.toBe(signed(webhook.secret, altered?.text));
  const [delivery] = await sandbox.control.deliveries();
  await sandbox.control.replayDelivery(delivery?.id ?? '', { resign: true });
  const replayed = receiver.received.at(-1);
  expect(replayed?.text).toBe(altered?.text);
  expect(replayed?.headers['x-signature']).toBe(signed(webhook.secret, replayed?.text));
});

test.each([
  [1, 9906.03, 3],
  [1, 9906, 0],
  [1, 9907.99, 0],
  [3, 115, 3],
])('doubled to %d times, an amount of %d is reported %d times, byte for byte', async (...given) => {
  const [times, amount, count] = given;
  const { sandbox, receiver } = await subscribed();
  const fault = { place: 'delivery', kind: 'duplicate', times } as const;
  if (times > 1) await sandbox.control.addFault(fault);
  await sandbox.payOrder('a', amount);
  await sandbox.control.advanceClock({ by: 'PT3H' });
  const texts = receiver.received.map(({ text }) => text);
  expect([texts.length, new Set(texts).size]).toEqual([count, Math.min(count, 1)]);
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
  const link = await sandbox.createLink({ merchantOrderId: 'a', amount: 9907 });
  const page = await submitCard(link);
  order.push(page.headers.get('location') === validLink.successUrl ? 'redirect' : page.text);
  await sandbox.payOrder('b', 9907);
  order.push('control');
  await sandbox.sell({ amount: 9907 });
  order.push('sale');
  expect(order).toEqual(['webhook', 'redirect', 'webhook', 'control', 'webhook', 'sale']);
});
