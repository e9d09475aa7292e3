import { expect, test } from 'vitest';
import {
  approvingCard,
  createLink,
  getStatus,
  poorCard,
  send,
  startForTest,
  statusContent,
  validLink,
} from '../testing/sandbox-for-test.ts';

test('info has addresses, keys, version, seed, clock and policy', async () => {
  const sandbox = await startForTest({ policy: ['sameId'] });
  const { baseUrl, productionBaseUrl, apiKey, productionApiKey, portal } = sandbox;
  expect(await sandbox.control.info()).toEqual({
    baseUrl,
    productionBaseUrl,
    apiKey,
    productionApiKey,
    portal,
    id: 'default',
    url: sandbox.url,
    salePassword: sandbox.salePassword,
    merchant: 'found',
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    seed: 'test',
    policy: ['sameId'],
    clock: { now: expect.stringMatching(/Z$/), state: 'running' },
  });
  expect(baseUrl.endsWith('/v1')).toBe(true);
  expect(productionBaseUrl.endsWith('/v1')).toBe(true);
  await sandbox.control.ready();
});

test('paying without a browser answers session, transaction and the rule that decided', async () => {
  const sandbox = await startForTest();
  const { id } = await createLink(sandbox);
  const declined = await sandbox.control.pay(id, { card: { number: poorCard } });
  expect(declined).toMatchObject({
    decidedBy: 'card',
    session: { id, state: 'PENDING', amount: '115.00', currency: 'SAR' },
    transaction: {
      transactionStatus: 'FAILED',
      paymentStatus: 'DECLINED',
      declineReason: 'Insufficient funds',
    },
  });
  const approved = await sandbox.control.pay(id, {
    card: { number: approvingCard, expiryMonth: '12', expiryYear: '2039', cvv: '123' },
  });
  expect(approved).toMatchObject({
    decidedBy: 'default',
    session: { state: 'PAID' },
    transaction: { transactionStatus: 'SUCCESS', paymentStatus: 'APPROVED' },
  });
  const rows = await statusContent(sandbox, id);
  expect(rows.map((row) => row['transactionStatus'])).toEqual(['FAILED', 'SUCCESS']);
  await expect(sandbox.control.pay(id, { card: { number: approvingCard } })).rejects.toMatchObject({
    code: 'already_paid',
    status: 409,
  });
});

test.each([
  [{ number: '4539578763621486' }, 'not_a_test_card'],
  [{ number: approvingCard, expiryMonth: '01', expiryYear: '2020' }, 'card_expired'],
  [{ number: approvingCard, cvv: 'x' }, 'invalid_card'],
])('the card %j is a 422 problem and leaves no row', async (card, code) => {
  const sandbox = await startForTest();
  const { id } = await createLink(sandbox);
  await expect(sandbox.control.pay(id, { card })).rejects.toMatchObject({ code, status: 422 });
  expect(await statusContent(sandbox, id)).toEqual([]);
});

test('an armed outcome decides the next payment before anything else does', async () => {
  const sandbox = await startForTest();
  const { id } = await createLink(sandbox);
  await sandbox.control.next({ outcome: 'decline:61' });
  const declined = await sandbox.control.pay(id, { card: { number: approvingCard } });
  expect(declined).toMatchObject({
    decidedBy: 'next',
    transaction: { declineReason: 'Exceeds withdrawal limit' },
  });
  await sandbox.control.next({ outcome: 'approve', merchantOrderId: validLink.merchantOrderId });
  const approved = await sandbox.control.pay(id, { card: { number: poorCard } });
  expect(approved).toMatchObject({ decidedBy: 'next', session: { state: 'PAID' } });
  await expect(sandbox.control.next({ outcome: 'decline:00' })).rejects.toMatchObject({
    code: 'invalid_outcome',
  });
});

test('expire ends a session, but not a paid one', async () => {
  const sandbox = await startForTest();
  const { id } = await createLink(sandbox);
  expect((await sandbox.control.expire(id)).state).toBe('EXPIRED');
  const other = await createLink(sandbox, { merchantOrderId: 'order-2' });
  await sandbox.control.pay(other.id, { card: { number: approvingCard } });
  await expect(sandbox.control.expire(other.id)).rejects.toMatchObject({ code: 'already_paid' });
  await expect(sandbox.control.expire('nobody')).rejects.toMatchObject({
    code: 'unknown_session',
    status: 404,
  });
});

test('reset forgets everything but the keys, and never gives an id twice', async () => {
  const sandbox = await startForTest();
  const createTwo = async () => [
    (await createLink(sandbox)).id,
    (await createLink(sandbox, { merchantOrderId: 'order-2' })).id,
  ];
  const before = await createTwo();
  await sandbox.control.advanceClock({ by: 'P1D' });
  await sandbox.control.reset();
  expect((await getStatus(sandbox, before[0] ?? '')).status).toBe(404);
  expect((await sandbox.control.requests()).length).toBe(1);
  expect(new Set([...before, ...(await createTwo())]).size).toBe(4);
  expect(Date.parse((await sandbox.control.info()).clock.now)).toBeLessThan(Date.now() + 60_000);
});

test('mistakes in control calls are problem documents', async () => {
  const sandbox = await startForTest();
  const call = (path: string, body: string, headers: Record<string, string> = {}) =>
    send(`${sandbox.url}/_sandbox/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
  const answers = [
    await call('/nothing', '{}'),
    await call('/next', '['),
    await call('/next', '[]'),
    await call('/faults', '{"place":"somewhere"}'),
    await call('/faults', '{"place":"before-commit","kind":"reset","count":0}'),
    await call('/sessions/x/pay', '{}'),
    await call('/challenges/x', '{"action":"approve"}'),
    await call('/challenges/x', '{"action":"shrug"}'),
    await call('/reset', '{}', { 'x-sandbox-tenant': 'other' }),
    await call('/reset', '{}', { origin: 'https://evil.example' }),
  ];
  expect(answers.map(({ status, body }) => [status, (body as { code: string }).code])).toEqual([
    [404, 'unknown_route'],
    [400, 'invalid_body'],
    [400, 'invalid_body'],
    [400, 'invalid_fault'],
    [400, 'invalid_fault'],
    [400, 'invalid_card'],
    [404, 'unknown_challenge'],
    [400, 'invalid_action'],
    [404, 'unknown_tenant'],
    [403, 'foreign_origin'],
  ]);
  for (const { headers } of answers) {
    expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
  }
});
