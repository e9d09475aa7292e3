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
import type { Policy, Profile } from './readings.ts';
import { cards, dataOf, folderForTest, refusalB, send } from '../testing/sandbox-for-test.ts';
import { startForTest, told, validLink, validSale } from '../testing/sandbox-for-test.ts';
import { withCalls } from '../testing/sandbox-for-test.ts';
import type { SandboxForTest } from '../testing/sandbox-for-test.ts';

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
    'status.parameter: Invalid option: expected one of "id"|"sessionId"',
    'operations.capture: Unrecognized key: "path"',
    'operations.refund.path: Invalid string: must match pattern',
    'sale.hash: Invalid option: expected one of "optional"|"required"',
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

const reference = { orderName: 'reference' };

// Pins: reading.X1, reading.X2, reading.N6, reading.N21
test.each([
  { profile: { status: { parameter: 'sessionId', notFound: 'not-yet', orderName: 'reference' } } },
  { policy: ['sessionIdParameter', 'unknownUntilTransaction'], profile: { status: reference } },
] as const)('by %j the status has its own id, words and order’s name', async (options) => {
  const sandbox = await startForTest(options);
  const { id } = await sandbox.createLink();
  const asked = (query: string) => sandbox.ask(`/payment/checkout/status?${query}`);
  expect((await asked(`id=${id}`)).status).toBe(400);
  expect((await asked(`sessionId=${id}`)).status).toBe(404);
  await sandbox.control.pay(id, { card: { number: cards.mada } });
  const paid = await asked(`sessionId=${id}`);
  expect(paid.headers.get('x-sandbox-tier')).toBe('contradiction X1');
  const { content } = dataOf(paid) as { content: object[] };
  const orderId = expect.stringMatching(/^7\d{9}$/) as string;
  expect(content).toMatchObject([{ reference: 'order-1', orderId }]);
  expect(content[0]).not.toHaveProperty('merchantOrderId');
});

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
  const path = '/payment/s2s/status';
  const polled = { path, body: { transactionId: 'trans_id' }, add: { channel: 'WEB' } } as const;
  const sandbox = await start({ operations: { pollStatus: { method: 'POST', ...polled } } });
  const { sessionId, transactionId } = await sandbox.payLink();
  const poll = (body: object) => sandbox.post(path, body);
  const ours = await poll({ transactionId, channel: 'WEB' });
  expect(ours.status).toBe(400);
  const without = await poll({ trans_id: transactionId });
  expect(told(without)).toEqual(refusalB(400, ['channel must be "WEB"']));
  const { content } = dataOf(await poll({ trans_id: transactionId, channel: 'WEB' }));
  expect(content).toEqual([expect.objectContaining({ transactionId })]);
  expect((await poll({ trans_id: sessionId, channel: 'WEB' })).status).toBe(404);
});

// Pins: reading.N7, reading.N9, reading.N10
test('a sale has other names of its fields, in the request and in the answer', async () => {
  const answer = { transactionId: '/data/payment/uuid', recurringToken: null };
  const sale = { body: { orderId: 'order_number' }, answer };
  const sandbox = await start({ operations: { sale } });
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
  const login = { path: '/portal/session', token: '/data/jwt', expiresInSeconds: '/data/ttl' };
  const sandbox = await start({
    login: { ...login, body: { username: 'email' } },
    operations: {
      createWebhook: { body: { url: 'target' }, answer: { secret: '/data/secret', id: '/ref' } },
      retrieveCredentials: { answer: { credentials: '/data/keys', apiKey: '/key/masked' } },
      listSdkTokens: { answer: { sdkTokens: '' } },
      rotateApiKey: { answer: { apiKey: '/newKey', id: null } },
    },
  });
  const { username, password } = sandbox.portal;
  const session = `${sandbox.baseUrl}/portal/session`;
  expect((await postTo(session, sandbox.portal)).status).toBe(400);
  const { body } = await postTo(session, { email: username, password });
  expect(body).toMatchObject({ data: { jwt: expect.any(String), ttl: expect.any(Number) } });
  expect(body).not.toHaveProperty('accessToken');
  const { data } = body as { data: { jwt: string } };
  const portal = new PortalForTest(sandbox.baseUrl, data.jwt);
  const call = async (...of: Parameters<PortalForTest['call']>) => (await portal.call(...of)).body;
  const webhook = await call('POST', 'webhooks', { target: 'http://127.0.0.1:9/hook' });
  const text = expect.any(String) as string;
  expect(webhook).toMatchObject({ ref: text, data: { secret: text } });
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
  const data = { merchant_order_id: 'order-1', uuid: transactionId };
  expect(sent?.event).toMatchObject({ data });
  expect(sent?.event).not.toHaveProperty('merchantOrderId');
  const mac = createHmac('sha512', webhook.secret)
    .update(sent?.text ?? '')
    .digest('base64');
  expect(sent?.headers['x-hook']).toBe(`v1=${mac}`);
  expect(sent?.headers).not.toHaveProperty('x-signature');
});

// Pins: reading.N14
test('a timestamped signature covers the instant in its header', async () => {
  const profile: Profile = { webhook: { signature: { timestamped: true } } };
  const { sandbox, receiver, webhook } = await subscribed({ profile });
  await sandbox.payLink();
  const [sent] = await receiver.has(1);
  const [, seconds, mac] =
    /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(sent?.headers['x-signature'])) ?? [];
  expect(mac).toBe(signed(webhook.secret, `${seconds}.${sent?.text}`));
});

// Pins: reading.N8
test('a required sale hash and a required field are asked for', async () => {
  const operations = { createPaymentLink: { add: { channel: 'WEB' } } };
  const sandbox = await start({ sale: { hash: 'required' }, operations });
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
  const topics = expect.stringMatching(/^each value in topics must be/) as string;
  expect(made.body).toMatchObject({ message: ['target must be a URL address', topics] });
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

test.each(signatureVectors.signatures)('the contract signs $name alike', (vector) => {
  expect(signatureOf(usualProfile, vector.secret, vector.body, 0)).toBe(vector.signature);
});

const under = (...policy: Policy[]): Promise<SandboxForTest> => startForTest({ policy });

const refund = (sandbox: SandboxForTest, transactionId: string, amount: number) =>
  sandbox.post('/payment/s2s/refund', { transactionId, amount });

/** What the status call answers to an id that the sandbox does not have. */
const unknownId = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';

// An open session, a paid one, its transaction, a sale, and an id that there is not.
// Pins: reading.X2, reading.N3, reading.N21
test.each([
  [{}, '200 200 200 200 404, then 200'],
  [{ policy: ['transactionIdOnly'] }, '404 404 200 200 404, then 404'],
  [{ policy: ['sessionIdOnly'] }, '200 200 404 200 404, then 200'],
  [{ policy: ['unknownUntilTransaction'] }, '404 200 200 200 404, then 200'],
  [{ policy: ['forgetsSessions'] }, '200 200 200 200 404, then 404'],
  [{ profile: { session: { afterEnd: 'gone' } } }, '200 200 200 200 404, then 410'],
] as const)('by %j the statuses of ids are %s for the session after 48 hours', async (...row) => {
  const [readings, expected] = row;
  const sandbox = await startForTest(readings);
  await sandbox.control.freezeClock();
  const open = await sandbox.createLink({ merchantOrderId: 'open' });
  const { sessionId, transactionId } = await sandbox.payLink();
  const statusOf = async (id: string) => (await sandbox.getStatus(id)).status;
  const seen: number[] = [];
  for (const id of [open.id, sessionId, transactionId, await sandbox.sellForId(), unknownId]) {
    seen.push(await statusOf(id));
  }
  await sandbox.control.advanceClock({ by: 'PT47H59M59.999S' });
  expect(await statusOf(sessionId)).toBe(seen[1]);
  await sandbox.control.advanceClock({ by: 'PT0.001S' });
  expect(`${seen.join(' ')}, then ${await statusOf(sessionId)}`).toBe(expected);
  expect(await statusOf(transactionId)).toBe(seen[2]);
});

// Pins: reading.N21
test('nullUntilTransaction: data is null until there is a transaction; emptyForUnknown: no id is unknown', async () => {
  const sandbox = await under('nullUntilTransaction');
  const { id } = await sandbox.createLink();
  const body = { code: 200, message: 'Success', errorCode: null, data: null };
  expect(told(await sandbox.getStatus(id))).toEqual({ status: 200, body });
  await sandbox.control.pay(id, { card: { number: cards.poor } });
  expect(await sandbox.statusContent(id)).toHaveLength(1);
  expect(await (await under('emptyForUnknown')).statusContent(unknownId)).toEqual([]);
});

const nothing = { paymentStatus: null, refundStatus: null, totalRefundAmount: null };
const stated =
  'transactionId amount transactionStatus paymentStatus refundStatus totalRefundAmount pan cardScheme';
const bare = Object.fromEntries(stated.split(' ').map((name) => [name, expect.any(String)]));
const approved = expect.objectContaining({ paymentStatus: 'APPROVED' }) as object;

const rows: [Policy, readonly string[], object][] = [
  ['bareRows', [cards.mada], bare],
  ['nullPending', [cards.challenged], expect.objectContaining(nothing)],
  ['nullPending', [cards.mada], approved],
  ['rejectedStatus', [cards.poor], expect.objectContaining({ paymentStatus: 'REJECTED' })],
  ['absentStatus', [cards.poor], expect.not.objectContaining({ paymentStatus: expect.anything() })],
  ['lastAttemptOnly', [cards.poor, cards.mada], approved],
];

// Pins: reading.N2, reading.N4, reading.N6
test.each(rows)('%s: a session paid by %j has one row of its own', async (policy, numbers, row) => {
  const sandbox = await under(policy);
  const { id } = await sandbox.createLink();
  for (const number of numbers) await sandbox.control.pay(id, { card: { number } });
  expect(await sandbox.statusContent(id)).toEqual([row]);
});

// Pins: reading.N6
test('numericIds: informative ids are numbers, and a portal record goes by its number', async () => {
  const sandbox = await under('numericIds');
  const { transactionId } = await sandbox.payLink();
  const row = await sandbox.rowOf(transactionId);
  expect(row).toMatchObject({ transactionId, rrn: expect.any(Number), currencyCode: 682 });
  expect(dataOf(await refund(sandbox, transactionId, 5))).toMatchObject({
    paymentId: expect.any(Number),
    referenceId: expect.any(Number),
    refundId: expect.any(String),
  });
  const portal = await PortalForTest.logIn(sandbox);
  const url = 'http://127.0.0.1:9/hook';
  const { id } = await portal.answerOf<{ id: number }>('POST', 'webhooks', { url });
  expect(id).toEqual(expect.any(Number));
  const changed = await portal.answerOf('PATCH', `webhooks/${id}`, { active: false });
  expect(changed).toHaveProperty('id', id);
  const { webhooks } = await portal.answerOf<{ webhooks: unknown[] }>('GET', 'webhooks');
  expect(webhooks).toEqual([expect.objectContaining({ id, active: false })]);
  expect((await portal.call('DELETE', `webhooks/${id}`)).status).toBe(204);
});

// Pins: reading.N21, reading.X7
test('errorsB: a payment call’s error is envelope B, but where a section states envelope A', async () => {
  const sandbox = await under('errorsB');
  expect(told(await sandbox.getStatus(unknownId))).toEqual(refusalB(404, 'Transaction not found'));
  const { transactionId } = await sandbox.payLink();
  const tooMuch = await refund(sandbox, transactionId, 500);
  expect(told(tooMuch)).toEqual(refusalB(400, 'Refund amount more than sale amount'));
  const held = await sandbox.sellForId({ auth: 'Y' });
  const above = await sandbox.post('/payment/s2s/capture', { transactionId: held, amount: 900 });
  expect(above.body).toMatchObject({ code: 400, errorCode: '400', data: null });
});

// Pins: reading.X5
test('refundAboveMinimum: 0.01 cannot be refunded, 0.02 can', async () => {
  const sandbox = await under('refundAboveMinimum');
  const { transactionId } = await sandbox.payLink();
  const refused = await refund(sandbox, transactionId, 0.01);
  expect(told(refused)).toEqual(refusalB(400, ['amount must be greater than 0.01']));
  expect(refused.headers.get('x-sandbox-tier')).toBe('contradiction X5');
  expect((await refund(sandbox, transactionId, 0.02)).status).toBe(200);
});

// Pins: reading.X6
test('otherAccepted: the words of X6 change places', async () => {
  const sandbox = await under('otherAccepted');
  const { transactionId } = await sandbox.payLink();
  expect(dataOf(await refund(sandbox, transactionId, 5))).toHaveProperty('result', 'ACCEPTED');
  const held = await sandbox.sellForId({ auth: 'Y' });
  const captured = await sandbox.post('/payment/s2s/capture', { transactionId: held, amount: 5 });
  expect(dataOf(captured)).toMatchObject({ result: 'accepted', action: 'CAPTURE' });
});

// Pins: reading.N20
test('saudiPhones: a mobile number of another country is 400', async () => {
  const sandbox = await under('saudiPhones');
  const foreign = await sandbox.postLink({ ...validLink, customerPhone: '+971501234567' });
  expect(told(foreign)).toEqual(refusalB(400, ['customerPhone must be a Saudi mobile number']));
  expect((await sandbox.postLink()).status).toBe(201);
});

// Pins: reading.N6
test('ownOrderNumbers, noOrderName: rows and webhooks name the order alike, by the gateway’s number or not at all', async () => {
  for (const [policy, names] of [
    ['ownOrderNumbers', ['order-1', expect.stringMatching(/^7\d{9}$/)]],
    ['noOrderName', [undefined, undefined]],
  ] as const) {
    const { sandbox, receiver } = await subscribed({ policy: [policy] });
    const { transactionId } = await sandbox.payLink();
    const row: Readonly<Record<string, unknown>> = await sandbox.rowOf(transactionId);
    const [webhook] = await receiver.has(1);
    expect([row['merchantOrderId'], row['orderId']]).toEqual(names);
    expect(webhook?.event['merchantOrderId']).toBe(row['merchantOrderId']);
    expect(webhook?.event['orderId']).toBe(row['orderId']);
    expect(webhook?.event).toHaveProperty('transactionId', transactionId);
  }
});

// Pins: reading.N12, reading.N17, reading.N18, reading.N19
test('noSecrets hides each new secret, fullKeys shows the key that works, rotationRevokes ends older keys', async () => {
  const logIn = async (policy: Policy) => {
    const sandbox = await under(policy);
    return { sandbox, portal: await PortalForTest.logIn(sandbox) };
  };
  const { portal: silent } = await logIn('noSecrets');
  const url = 'http://127.0.0.1:9/hook';
  expect(await silent.answerOf('POST', 'webhooks', { url })).not.toHaveProperty('secret');
  expect(await silent.answerOf('POST', 'sdk-tokens', { name: 'till' })).not.toHaveProperty('token');
  const masked = { apiKey: expect.stringMatching(/^\*{12}\w{4}$/) };
  expect(await silent.answerOf('POST', 'credentials/rotate')).toMatchObject(masked);

  const { sandbox: open, portal: showing } = await logIn('fullKeys');
  const { credentials } = await showing.answerOf<{ credentials: object }>('GET', 'credentials');
  expect(credentials).toMatchObject([{ apiKey: open.apiKey }]);

  const { sandbox, portal } = await logIn('rotationRevokes');
  const { apiKey } = await portal.answerOf<{ apiKey: string }>('POST', 'credentials/rotate');
  expect((await sandbox.postLink()).status).toBe(401);
  expect((await withCalls({ ...sandbox, apiKey }).postLink()).status).toBe(201);
});

// Pins: reading.N13, reading.N14
test('webhookEnvelope and unsignedWebhooks: the payment is in data, and nothing signs it', async () => {
  const policy = ['webhookEnvelope', 'unsignedWebhooks'];
  const { sandbox, receiver } = await subscribed({ policy });
  const { transactionId } = await sandbox.payLink();
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
  const { sandbox, receiver } = await subscribed({ policy: ['noRetries'] });
  receiver.answer = (response) => response.writeHead(500).end();
  await sandbox.payLink();
  await receiver.has(1);
  await sandbox.control.advanceClock({ by: 'PT10M' });
  expect(receiver.received).toHaveLength(1);
  expect((await sandbox.control.deliveries()).map(({ state }) => state)).toEqual(['failed']);
});
