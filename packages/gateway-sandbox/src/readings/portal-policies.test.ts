import { expect, test } from 'vitest';
import type { Sandbox } from '../start-sandbox.ts';
import { payLink, rowOf } from '../testing/embedded-for-test.ts';
import { PortalForTest } from '../testing/portal-for-test.ts';
import { ReceiverForTest } from '../testing/receiver-for-test.ts';
import { postLink, startForTest } from '../testing/sandbox-for-test.ts';
import type { Policy } from './policies.ts';

const start = (...policy: Policy[]): Promise<Sandbox> => startForTest({ policy });

// Pins: reading.N6
test('ownOrderNumbers: orderId is a number of the gateway, in rows and in webhooks', async () => {
  const sandbox = await start('ownOrderNumbers');
  const receiver = await ReceiverForTest.start();
  const portal = await PortalForTest.logIn(sandbox);
  await portal.call('POST', 'webhooks', { url: receiver.url });
  const { transactionId } = await payLink(sandbox);
  const row = await rowOf(sandbox, transactionId);
  expect(row).toMatchObject({
    merchantOrderId: 'order-1',
    orderId: expect.stringMatching(/^7\d{9}$/),
  });
  const [webhook] = await receiver.has(1);
  expect(webhook?.event).toMatchObject({
    merchantOrderId: 'order-1',
    orderId: row['orderId'],
  });
});

// Pins: reading.N6
test('noOrderName: neither rows nor webhooks name the order', async () => {
  const sandbox = await start('noOrderName');
  const receiver = await ReceiverForTest.start();
  await (await PortalForTest.logIn(sandbox)).call('POST', 'webhooks', { url: receiver.url });
  const { transactionId } = await payLink(sandbox);
  const [webhook] = await receiver.has(1);
  for (const named of [await rowOf(sandbox, transactionId), webhook?.event]) {
    expect(named).not.toHaveProperty('orderId');
    expect(named).not.toHaveProperty('merchantOrderId');
    expect(named).toHaveProperty('transactionId', transactionId);
  }
});

// Pins: reading.N12, reading.N18, reading.N19
test('noSecrets: new webhooks, SDK tokens and keys come without their secret', async () => {
  const portal = await PortalForTest.logIn(await start('noSecrets'));
  const url = 'http://127.0.0.1:9/hook';
  expect(await portal.answerOf('POST', 'webhooks', { url })).not.toHaveProperty('secret');
  expect(await portal.answerOf('POST', 'sdk-tokens', { name: 'till' })).not.toHaveProperty('token');
  const masked = { apiKey: expect.stringMatching(/^\*{12}\w{4}$/) };
  expect(await portal.answerOf('POST', 'credentials/rotate')).toMatchObject(masked);
});

// Pins: reading.N17
test('fullKeys: the credentials API shows the key that works', async () => {
  const sandbox = await start('fullKeys');
  const portal = await PortalForTest.logIn(sandbox);
  expect(await portal.answerOf('GET', 'credentials')).toMatchObject({
    credentials: [{ apiKey: sandbox.apiKey }],
  });
});

// Pins: reading.N18
test('rotationRevokes: a new key ends the older ones of its environment', async () => {
  const sandbox = await start('rotationRevokes');
  const portal = await PortalForTest.logIn(sandbox);
  const { apiKey } = await portal.answerOf<{ apiKey: string }>('POST', 'credentials/rotate');
  expect((await postLink(sandbox)).status).toBe(401);
  expect((await postLink({ ...sandbox, apiKey })).status).toBe(201);
});

// Pins: reading.N13, reading.N14
test('webhookEnvelope and unsignedWebhooks: the payment is in data, and nothing signs it', async () => {
  const sandbox = await start('webhookEnvelope', 'unsignedWebhooks');
  const receiver = await ReceiverForTest.start();
  await (await PortalForTest.logIn(sandbox)).call('POST', 'webhooks', { url: receiver.url });
  const { transactionId } = await payLink(sandbox);
  const [webhook] = await receiver.has(1);
  expect(webhook?.event).toEqual({
    id: expect.any(String),
    event: 'Purchase',
    data: expect.objectContaining({ transactionId, merchantOrderId: 'order-1' }),
  });
  expect(webhook?.headers).not.toHaveProperty('x-signature');
});

// Pins: reading.N15
test('noRetries: a webhook that is not acknowledged is not sent again', async () => {
  const sandbox = await start('noRetries');
  const receiver = await ReceiverForTest.start();
  receiver.answer = (response) => response.writeHead(500).end();
  await (await PortalForTest.logIn(sandbox)).call('POST', 'webhooks', { url: receiver.url });
  await payLink(sandbox);
  await receiver.has(1);
  await sandbox.control.advanceClock({ by: 'PT10M' });
  expect(receiver.received).toHaveLength(1);
  expect(await sandbox.control.deliveries()).toEqual([
    expect.objectContaining({ state: 'failed' }),
  ]);
});
