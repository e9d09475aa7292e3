import { expect, test } from 'vitest';
import { PortalForTest } from '../testing/portal-for-test.ts';
import { subscribed } from '../testing/receiver-for-test.ts';
import type { Policy } from './readings.ts';
import {
  cards,
  dataOf,
  refusalB,
  startForTest,
  told,
  validLink,
  withCalls,
} from '../testing/sandbox-for-test.ts';
import type { SandboxForTest } from '../testing/sandbox-for-test.ts';

const start = (...policy: Policy[]): Promise<SandboxForTest> => startForTest({ policy });

const refund = (sandbox: SandboxForTest, transactionId: string, amount: number) =>
  sandbox.post('/payment/s2s/refund', { transactionId, amount });

/** What the status call answers to an id that the sandbox does not have. */
const unknownId = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';

// Pins: reading.X2, reading.N3, reading.N21
test.each([
  [{}, '200 200 200 200 404, then 200'],
  [{ policy: ['transactionIdOnly'] }, '404 404 200 200 404, then 404'],
  [{ policy: ['sessionIdOnly'] }, '200 200 404 200 404, then 200'],
  [{ policy: ['unknownUntilTransaction'] }, '404 200 200 200 404, then 200'],
  [{ policy: ['forgetsSessions'] }, '200 200 200 200 404, then 404'],
  [{ profile: { session: { afterEnd: 'gone' } } }, '200 200 200 200 404, then 410'],
] as const)(
  'by %j the status of an open session, a paid one, its transaction, a sale and an unknown id is %s for the session after 48 hours',
  async (readings, expected) => {
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
  },
);

// Pins: reading.N21
test('nullUntilTransaction: data is null until there is a transaction; emptyForUnknown: no id is unknown', async () => {
  const sandbox = await start('nullUntilTransaction');
  const { id } = await sandbox.createLink();
  const body = { code: 200, message: 'Success', errorCode: null, data: null };
  expect(told(await sandbox.getStatus(id))).toEqual({ status: 200, body });
  await sandbox.control.pay(id, { card: { number: cards.poor } });
  expect(await sandbox.statusContent(id)).toHaveLength(1);
  expect(await (await start('emptyForUnknown')).statusContent(unknownId)).toEqual([]);
});

const nothing = { paymentStatus: null, refundStatus: null, totalRefundAmount: null };
const stated =
  'transactionId amount transactionStatus paymentStatus refundStatus totalRefundAmount pan cardScheme';

const rows: [Policy, readonly string[], object][] = [
  [
    'bareRows',
    [cards.mada],
    Object.fromEntries(stated.split(' ').map((name) => [name, expect.any(String)])),
  ],
  ['nullPending', [cards.challenged], expect.objectContaining(nothing)],
  ['nullPending', [cards.mada], expect.objectContaining({ paymentStatus: 'APPROVED' })],
  ['rejectedStatus', [cards.poor], expect.objectContaining({ paymentStatus: 'REJECTED' })],
  ['absentStatus', [cards.poor], expect.not.objectContaining({ paymentStatus: expect.anything() })],
  [
    'lastAttemptOnly',
    [cards.poor, cards.mada],
    expect.objectContaining({ paymentStatus: 'APPROVED' }),
  ],
];

// Pins: reading.N2, reading.N4, reading.N6
test.each(rows)('%s: a session paid by %j has one row of its own', async (policy, numbers, row) => {
  const sandbox = await start(policy);
  const { id } = await sandbox.createLink();
  for (const number of numbers) await sandbox.control.pay(id, { card: { number } });
  expect(await sandbox.statusContent(id)).toEqual([row]);
});

// Pins: reading.N6
test('numericIds: informative ids are numbers, and a portal record goes by its number', async () => {
  const sandbox = await start('numericIds');
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
  expect(await portal.answerOf('PATCH', `webhooks/${id}`, { active: false })).toHaveProperty(
    'id',
    id,
  );
  const { webhooks } = await portal.answerOf<{ webhooks: unknown[] }>('GET', 'webhooks');
  expect(webhooks).toEqual([expect.objectContaining({ id, active: false })]);
  expect((await portal.call('DELETE', `webhooks/${id}`)).status).toBe(204);
});

// Pins: reading.N21, reading.X7
test('errorsB: a payment call’s error is envelope B, but where a section states envelope A', async () => {
  const sandbox = await start('errorsB');
  const unknown = await sandbox.getStatus(unknownId);
  expect(told(unknown)).toEqual(refusalB(404, 'Transaction not found'));
  const { transactionId } = await sandbox.payLink();
  const tooMuch = await refund(sandbox, transactionId, 500);
  expect(told(tooMuch)).toEqual(refusalB(400, 'Refund amount more than sale amount'));
  const held = await sandbox.sellForId({ auth: 'Y' });
  const above = await sandbox.post('/payment/s2s/capture', { transactionId: held, amount: 900 });
  expect(above.body).toMatchObject({ code: 400, errorCode: '400', data: null });
});

// Pins: reading.X5
test('refundAboveMinimum: 0.01 cannot be refunded, 0.02 can', async () => {
  const sandbox = await start('refundAboveMinimum');
  const { transactionId } = await sandbox.payLink();
  const refused = await refund(sandbox, transactionId, 0.01);
  expect(told(refused)).toEqual(refusalB(400, ['amount must be greater than 0.01']));
  expect(refused.headers.get('x-sandbox-tier')).toBe('contradiction X5');
  expect((await refund(sandbox, transactionId, 0.02)).status).toBe(200);
});

// Pins: reading.X6
test('otherAccepted: the words of X6 change places', async () => {
  const sandbox = await start('otherAccepted');
  const { transactionId } = await sandbox.payLink();
  expect(dataOf(await refund(sandbox, transactionId, 5))).toHaveProperty('result', 'ACCEPTED');
  const held = await sandbox.sellForId({ auth: 'Y' });
  const captured = await sandbox.post('/payment/s2s/capture', { transactionId: held, amount: 5 });
  expect(dataOf(captured)).toMatchObject({ result: 'accepted', action: 'CAPTURE' });
});

// Pins: reading.N20
test('saudiPhones: a mobile number of another country is 400', async () => {
  const sandbox = await start('saudiPhones');
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
    const sandbox = await start(policy);
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
  const { sandbox, receiver } = await subscribed({
    policy: ['webhookEnvelope', 'unsignedWebhooks'],
  });
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
  expect(await sandbox.control.deliveries()).toEqual([
    expect.objectContaining({ state: 'failed' }),
  ]);
});
