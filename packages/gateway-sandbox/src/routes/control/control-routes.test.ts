import { expect, test } from 'vitest';
import {
  approvingCard,
  challengeCard,
  createLink,
  getStatus,
  poorCard,
  postLink,
  send,
  startForTest,
  statusContent,
  validLink,
} from '../../testing/sandbox-for-test.ts';

test('info tells addresses, keys, version, seed, clock and policy', async () => {
  const sandbox = await startForTest({ policy: ['sameId'] });
  const { baseUrl, productionBaseUrl, apiKey, productionApiKey, portal } = sandbox;
  expect(await sandbox.control.info()).toEqual({
    baseUrl,
    productionBaseUrl,
    apiKey,
    productionApiKey,
    portal,
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

test('the reserved CVV 911 declines a card that approves', async () => {
  const sandbox = await startForTest();
  const { id } = await createLink(sandbox);
  const reply = await sandbox.control.pay(id, { card: { number: approvingCard, cvv: '911' } });
  expect(reply).toMatchObject({
    decidedBy: 'card',
    transaction: { transactionStatus: 'FAILED', declineReason: 'CVV check failed' },
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

test('the session is payable one millisecond before 48 hours have passed', async () => {
  const sandbox = await startForTest();
  await sandbox.control.freezeClock();
  const [early, late] = [
    await createLink(sandbox, { merchantOrderId: 'early' }),
    await createLink(sandbox, { merchantOrderId: 'late' }),
  ];
  await sandbox.control.advanceClock({ by: 'PT47H59M59.999S' });
  const paid = await sandbox.control.pay(early.id, { card: { number: approvingCard } });
  expect(paid.session.state).toBe('PAID');
  const { fired } = await sandbox.control.advanceClock({ by: 'PT0.001S' });
  expect(fired).toEqual([{ at: expect.any(String), kind: 'session-expired', id: late.id }]);
  await expect(
    sandbox.control.pay(late.id, { card: { number: approvingCard } }),
  ).rejects.toMatchObject({ code: 'session_expired', status: 409 });
  expect((await getStatus(sandbox, late.id)).body).toMatchObject({ data: { content: [] } });
});

test('the clock stops, moves and runs on; it never goes back', async () => {
  const sandbox = await startForTest();
  const { now } = await sandbox.control.freezeClock();
  expect((await sandbox.control.info()).clock).toEqual({ now, state: 'frozen' });
  expect(await sandbox.control.advanceClock({ by: 'PT0S' })).toEqual({ now, fired: [] });
  const later = new Date(Date.parse(now) + 3_600_000).toISOString();
  expect((await sandbox.control.advanceClock({ to: later })).now).toBe(later);
  for (const goal of [{ to: now }, { by: 'soon' }, { by: '-PT1H' }, { to: 'tomorrow' }]) {
    await expect(sandbox.control.advanceClock(goal)).rejects.toMatchObject({ status: 400 });
  }
  await expect(sandbox.control.advanceClock({ by: 'P90000D' })).rejects.toMatchObject({
    code: 'invalid_time',
  });
  await sandbox.control.resumeClock();
  const running = (await sandbox.control.info()).clock;
  expect(running.state).toBe('running');
  expect(Date.parse(running.now)).toBeGreaterThanOrEqual(Date.parse(later));
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

test('a challenge waits for its password; three wrong ones end it', async () => {
  const sandbox = await startForTest();
  const { id } = await createLink(sandbox);
  const first = await sandbox.control.pay(id, { card: { number: challengeCard } });
  expect(first.transaction.transactionStatus).toBe('PENDING');
  const challengeId = first.challenge!.id;
  for (const otp of ['000000', '111111', '000000']) {
    const pending = await sandbox.control.answerChallenge(challengeId, { otp });
    expect(pending.transaction.transactionStatus).toBe('PENDING');
  }
  const failed = await sandbox.control.answerChallenge(challengeId, { otp: '000000' });
  expect(failed.transaction).toMatchObject({ transactionStatus: 'FAILED' });
  expect(failed.session.state).toBe('PENDING');
  const second = await sandbox.control.pay(id, { card: { number: challengeCard } });
  const passed = await sandbox.control.answerChallenge(second.transaction.transactionId, {
    action: 'approve',
  });
  expect(passed.session.state).toBe('PAID');
});

test('a challenge that is passed after the session was paid charges nothing', async () => {
  const sandbox = await startForTest();
  const { id } = await createLink(sandbox);
  const waiting = await sandbox.control.pay(id, { card: { number: challengeCard } });
  await sandbox.control.pay(id, { card: { number: approvingCard } });
  const late = await sandbox.control.answerChallenge(waiting.challenge!.id, { otp: '123456' });
  expect(late.transaction).toMatchObject({
    transactionStatus: 'FAILED',
    declineReason: 'Checkout session already paid',
  });
  const rows = await statusContent(sandbox, id);
  expect(rows.map((row) => row['transactionStatus'])).toEqual(['FAILED', 'SUCCESS']);
});

test('a challenge past its time limit has failed, and the clock tells so', async () => {
  const sandbox = await startForTest();
  await sandbox.control.freezeClock();
  const { id } = await createLink(sandbox);
  const { challenge } = await sandbox.control.pay(id, { card: { number: challengeCard } });
  const { fired } = await sandbox.control.advanceClock({ by: 'PT10M' });
  expect(fired).toMatchObject([{ kind: 'challenge-timed-out', id: challenge!.id }]);
  expect(await statusContent(sandbox, id)).toMatchObject([
    { transactionStatus: 'FAILED', declineReason: '3-D Secure time limit passed' },
  ]);
});

test.each([
  ['9682990200000006', 'FAILED'],
  ['9682990300000005', 'SUCCESS'],
  ['9682990600000002', 'PENDING'],
])('the card %s of the grammar ends %s at once', async (number, status) => {
  const sandbox = await startForTest();
  const { id } = await createLink(sandbox);
  const reply = await sandbox.control.pay(id, { card: { number } });
  expect(reply.transaction.transactionStatus).toBe(status);
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

test.each([
  ['status', { status: 503 }, 503],
  ['status', {}, 500],
  ['html', {}, 503],
] as const)('the fault %s %j answers %i as often as asked', async (kind, extra, status) => {
  const sandbox = await startForTest();
  await sandbox.control.addFault({
    operation: 'retrieveStatus',
    place: 'before-validation',
    kind,
    count: 2,
    ...extra,
  });
  const { id } = await createLink(sandbox);
  const statuses = [];
  for (let call = 0; call < 3; call += 1) statuses.push((await getStatus(sandbox, id)).status);
  expect(statuses).toEqual([status, status, 200]);
});

test('a connection reset after the commit hides a session that exists', async () => {
  const sandbox = await startForTest();
  await sandbox.control.addFault({
    operation: 'createPaymentLink',
    place: 'after-commit',
    kind: 'reset',
  });
  await expect(postLink(sandbox)).rejects.toThrow('fetch failed');
  expect((await postLink(sandbox)).body).toMatchObject({
    message: 'merchantOrderId must be unique',
  });
  await sandbox.control.addFault({ place: 'before-commit', kind: 'reset' });
  const other = { ...validLink, merchantOrderId: 'order-2' };
  await expect(postLink(sandbox, other)).rejects.toThrow('fetch failed');
  expect((await postLink(sandbox, other)).status).toBe(201);
});

test('latency delays a call and changes nothing else', async () => {
  const sandbox = await startForTest();
  await sandbox.control.addFault({ place: 'before-commit', kind: 'latency', latencyMs: 120 });
  const begun = performance.now();
  expect((await postLink(sandbox)).status).toBe(201);
  expect(performance.now() - begun).toBeGreaterThanOrEqual(110);
});

test('the requests list can be narrowed to an operation and an order', async () => {
  const sandbox = await startForTest();
  const { id } = await createLink(sandbox);
  await createLink(sandbox, { merchantOrderId: 'order-2' });
  await getStatus(sandbox, id);
  const entries = await sandbox.control.requests({
    operation: 'createPaymentLink',
    merchantOrderId: 'order-2',
  });
  expect(entries).toMatchObject([
    { operation: 'createPaymentLink', status: 201, merchantOrderId: 'order-2', tier: 'spec §4.1' },
  ]);
  expect((await sandbox.control.requests()).map(({ operation }) => operation)).toEqual([
    'createPaymentLink',
    'createPaymentLink',
    'retrieveStatus',
  ]);
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
