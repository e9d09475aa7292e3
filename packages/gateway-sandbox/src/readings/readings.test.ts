import { createHmac } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { signatureVectors } from '../../../../contract/vectors.ts';
import { startSandbox } from '../start-sandbox.ts';
import { PortalForTest, post as postTo } from '../testing/portal-for-test.ts';
import { signed, subscribed } from '../testing/receiver-for-test.ts';
import { signatureOf } from './on-wire.ts';
import { usualProfile } from './readings.ts';
import type { Profile } from './readings.ts';
import {
  cards,
  dataOf,
  folderForTest,
  send,
  startForTest,
  validLink,
  validSale,
} from '../testing/sandbox-for-test.ts';

const start = (profile: Profile) => startForTest({ profile });

test('a wrong profile is refused at start, with every mistake by its place', async () => {
  const profile = {
    status: { parameter: 'q' },
    operations: { capture: { path: '/x' }, refund: { path: 'refund' } },
    sale: { hash: 1 },
  };
  const started = startSandbox({ port: 0, profile });
  await expect(started).rejects.toMatchObject({ code: 'invalid_profile' });
  for (const mistake of [
    'status.parameter must be one of id, sessionId',
    'operations.capture.path has no place in a profile',
    'operations.refund.path must match',
    'sale.hash must be one of optional, required',
  ]) {
    await expect(started).rejects.toThrow(mistake);
  }
});

test('a profile is read from a file, which has to be there and to be JSON', async () => {
  const file = join(await folderForTest(), 'profile.json');
  const started = () => startForTest({ profile: file });
  await expect(started()).rejects.toThrow('cannot be read');
  await writeFile(file, '{');
  await expect(started()).rejects.toThrow('is no JSON');
  await writeFile(file, JSON.stringify({ status: { asksFor: 'transaction' } }));
  const sandbox = await started();
  const { id } = await sandbox.createLink();
  expect((await sandbox.getStatus(id)).status).toBe(404);
});

// Pins: reading.X1, reading.X2, reading.N6, reading.N21
test.each([
  { profile: { status: { parameter: 'sessionId', notFound: 'not-yet', orderName: 'reference' } } },
  {
    policy: ['sessionIdParameter', 'unknownUntilTransaction'],
    profile: { status: { orderName: 'reference' } },
  },
] as const)(
  'by %j the status call has its own name of the id, words and name of the order',
  async (options) => {
    const sandbox = await startForTest(options);
    const { id } = await sandbox.createLink();
    const asked = (query: string) => sandbox.ask(`/payment/checkout/status?${query}`);
    expect((await asked(`id=${id}`)).status).toBe(400);
    expect((await asked(`sessionId=${id}`)).status).toBe(404);
    await sandbox.control.pay(id, { card: { number: cards.mada } });
    const paid = await asked(`sessionId=${id}`);
    expect(paid.headers.get('x-sandbox-tier')).toBe('contradiction X1');
    const { content } = dataOf(paid) as { content: object[] };
    expect(content).toEqual([
      expect.objectContaining({ reference: 'order-1', orderId: expect.stringMatching(/^7\d{9}$/) }),
    ]);
    expect(content[0]).not.toHaveProperty('merchantOrderId');
  },
);

// Pins: reading.X3, reading.X4, reading.N12
test('an operation is found by its own method and path only', async () => {
  const sandbox = await start({
    operations: {
      refund: { path: '/payment/refund' },
      updateWebhook: { method: 'PUT', path: '/merchant/account/hooks/{id}/settings' },
    },
  });
  const { transactionId } = await sandbox.payLink();
  const amount = { transactionId, amount: 5 };
  expect((await sandbox.post('/payment/s2s/refund', amount)).status).toBe(404);
  expect((await sandbox.post('/payment/refund', amount)).status).toBe(200);
  const portal = await PortalForTest.logIn(sandbox);
  const url = 'http://127.0.0.1:9/hook';
  const { id } = await portal.answerOf<{ id: string }>('POST', 'webhooks', { url });
  expect((await portal.call('PATCH', `webhooks/${id}`, { active: false })).status).toBe(404);
  const changed = await portal.answerOf('PUT', `hooks/${id}/settings`, { active: false });
  expect(changed).toMatchObject({ id, active: false });
});

// Pins: reading.N11
test('the status poll has its own method, path and name of the id, and fixed fields', async () => {
  const sandbox = await start({
    operations: {
      pollStatus: {
        method: 'POST',
        path: '/payment/s2s/status',
        body: { transactionId: 'trans_id' },
        add: { channel: 'WEB' },
      },
    },
  });
  const { sessionId, transactionId } = await sandbox.payLink();
  const poll = (body: object) => sandbox.post('/payment/s2s/status', body);
  const ours = await poll({ transactionId, channel: 'WEB' });
  expect(ours.status).toBe(400);
  expect((await poll({ trans_id: transactionId })).body).toMatchObject({
    statusCode: 400,
    message: ['channel must be "WEB"'],
  });
  const { content } = dataOf(await poll({ trans_id: transactionId, channel: 'WEB' }));
  expect(content).toEqual([expect.objectContaining({ transactionId })]);
  expect((await poll({ trans_id: sessionId, channel: 'WEB' })).status).toBe(404);
});

// Pins: reading.N7, reading.N9, reading.N10
test('a sale has other names of its fields, in the request and in the answer', async () => {
  const sandbox = await start({
    operations: {
      sale: {
        body: { orderId: 'order_number' },
        answer: { transactionId: '/data/payment/uuid', recurringToken: null },
      },
    },
  });
  expect((await sandbox.sell({ amount: 'x' })).body).toMatchObject({
    message: ['order_number should not be empty', 'amount must be a number'],
  });
  const { orderId, ...rest } = validSale;
  const data = dataOf(await sandbox.post('/payment/s2s/sale', { ...rest, order_number: orderId }));
  expect(data).toMatchObject({ result: 'SUCCESS', payment: { uuid: expect.any(String) } });
  expect(data).not.toHaveProperty('transactionId');
  expect(data).not.toHaveProperty('recurringToken');
});

// Pins: reading.N12, reading.N16, reading.N17, reading.N18, reading.N19
test('portal answers have their fields in the places of the profile, lists included', async () => {
  const sandbox = await start({
    login: {
      path: '/portal/session',
      body: { username: 'email' },
      token: '/data/jwt',
      expiresInSeconds: '/data/expires_in',
    },
    operations: {
      createWebhook: {
        body: { url: 'target' },
        answer: { secret: '/data/signingSecret', id: '/ref' },
      },
      retrieveCredentials: { answer: { credentials: '/data/keys', apiKey: '/key/masked' } },
      listSdkTokens: { answer: { sdkTokens: '' } },
      rotateApiKey: { answer: { apiKey: '/newKey', id: null } },
    },
  });
  const { username, password } = sandbox.portal;
  const session = `${sandbox.baseUrl}/portal/session`;
  expect((await postTo(session, sandbox.portal)).status).toBe(400);
  const { body } = await postTo(session, { email: username, password });
  expect(body).toMatchObject({ data: { jwt: expect.any(String), expires_in: expect.any(Number) } });
  expect(body).not.toHaveProperty('accessToken');
  const { data } = body as { data: { jwt: string } };
  const portal = new PortalForTest(sandbox.baseUrl, data.jwt);
  const call = async (...given: Parameters<PortalForTest['call']>) =>
    (await portal.call(...given)).body;
  const webhook = await call('POST', 'webhooks', { target: 'http://127.0.0.1:9/hook' });
  expect(webhook).toMatchObject({
    ref: expect.any(String),
    data: { signingSecret: expect.any(String) },
  });
  expect(webhook).not.toHaveProperty('secret');
  expect(await call('GET', 'credentials')).toEqual({
    data: { keys: [expect.objectContaining({ key: { masked: expect.stringContaining('*') } })] },
  });
  expect(await call('GET', 'sdk-tokens')).toEqual([]);
  const rotated = await call('POST', 'credentials/rotate');
  expect(rotated).toHaveProperty('newKey');
  expect(rotated).not.toHaveProperty('id');
});

// Pins: reading.N13, reading.N14
test('a webhook names the order and is signed as the profile says', async () => {
  const { sandbox, receiver, webhook } = await subscribed({
    profile: {
      webhook: {
        orderName: '/data/merchant_order_id',
        transactionId: '/data/uuid',
        signature: { header: 'X-Hook', algorithm: 'sha512', encoding: 'base64', prefix: 'v1=' },
      },
    },
  });
  const { transactionId } = await sandbox.payLink();
  const [sent] = await receiver.has(1);
  expect(sent?.event).toMatchObject({
    data: { merchant_order_id: 'order-1', uuid: transactionId },
  });
  expect(sent?.event).not.toHaveProperty('merchantOrderId');
  const mac = createHmac('sha512', webhook.secret)
    .update(sent?.text ?? '')
    .digest('base64');
  expect(sent?.headers['x-hook']).toBe(`v1=${mac}`);
  expect(sent?.headers).not.toHaveProperty('x-signature');
});

// Pins: reading.N14
test('a timestamped signature covers the instant in its header', async () => {
  const { sandbox, receiver, webhook } = await subscribed({
    profile: { webhook: { signature: { timestamped: true } } },
  });
  await sandbox.payLink();
  const [sent] = await receiver.has(1);
  const [, seconds, mac] =
    /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(sent?.headers['x-signature'])) ?? [];
  expect(mac).toBe(signed(webhook.secret, `${seconds}.${sent?.text}`));
});

// Pins: reading.N8
test('a required sale hash and a required field are asked for', async () => {
  const sandbox = await start({
    sale: { hash: 'required' },
    operations: { createPaymentLink: { add: { channel: 'WEB' } } },
  });
  expect((await sandbox.sell()).body).toMatchObject({ message: 'hash should not be empty' });
  expect((await sandbox.postLink()).status).toBe(400);
  expect((await sandbox.postLink({ ...validLink, channel: 'WEB' })).status).toBe(201);
});

// Pins: reading.N2
test.each([
  { profile: { session: { afterFailure: 'closed' } } },
  { policy: ['closesOnFailure'] },
] as const)('by %j a session is over with its first failed payment', async (options) => {
  const sandbox = await startForTest(options);
  const { sessionId } = await sandbox.payLink({}, cards.poor);
  const again = sandbox.control.pay(sessionId, { card: { number: cards.poor } });
  await expect(again).rejects.toMatchObject({ code: 'session_closed' });
  const page = await send(`${sandbox.url}/checkout?sessionId=${sessionId}`);
  expect(page.text).toContain('data-test="notice-closed"');
});

test('a message about a field of a request names the field as the profile does', async () => {
  const names = { url: 'target', events: 'topics' };
  const sandbox = await start({ operations: { createWebhook: { body: names } } });
  const portal = await PortalForTest.logIn(sandbox);
  const made = await portal.call('POST', 'webhooks', { topics: ['No'], active: true });
  expect(made.body).toMatchObject({
    message: [
      'target must be a URL address',
      expect.stringMatching(/^each value in topics must be/),
    ],
  });
});

const profile = { name: 'staging, seen 2026-11', status: { orderName: 'reference' } };

test('the readings in force are shown by the control API and on the inspector, and no usual ones', async () => {
  const sandbox = await startForTest({ profile, policy: ['sameId'] });
  expect(await sandbox.control.info()).toMatchObject({ policy: ['sameId'], profile });
  for (const lang of ['en', 'ar']) {
    const { text } = await send(`${sandbox.url}/_sandbox?lang=${lang}`);
    expect(text).toContain('sameId');
    expect(text).toContain('status.orderName');
    expect(text).toContain('reference');
  }
  const usual = await startForTest();
  expect(await usual.control.info()).not.toHaveProperty('profile');
  expect((await send(`${usual.url}/_sandbox`)).text).not.toContain('Readings in force');
});

test.each(signatureVectors.signatures)(
  'the signature of $name is the one of the contract',
  ({ secret, body, signature }) => {
    expect(signatureOf(usualProfile, secret, body, 0)).toBe(signature);
  },
);
