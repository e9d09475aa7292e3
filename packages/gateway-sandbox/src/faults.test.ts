import { connect } from 'node:net';
import { beforeEach, describe, expect, test } from 'vitest';
import { post } from './testing/portal-for-test.ts';
import type { ControlFault } from './control/shapes.ts';
import { profileNames } from './faults.ts';
import { cards, startForTest, submitCard, validLink } from './testing/sandbox-for-test.ts';
import type { SandboxForTest } from './testing/sandbox-for-test.ts';

let sandbox: SandboxForTest;
beforeEach(async () => void (sandbox = await startForTest()));

/** The answer on a client's socket: the bytes, and the end of the connection. */
interface RawAnswer {
  readonly head: string;
  readonly body: string;
  /** `open`: the answer is complete, or nothing more came in the time that was given. */
  readonly end: 'open' | 'closed' | 'reset';
}

/** Asks for a payment link over a socket of its own and watches what happens to it. */
function rawLink(link: object, waitMs = 10_000): Promise<RawAnswer> {
  const { hostname, port } = new URL(sandbox.url);
  const text = JSON.stringify(link);
  const socket = connect(Number(port), hostname);
  const head = [
    `POST ${new URL(sandbox.baseUrl).pathname}/payment/checkout/intiate HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    `x-api-key: ${sandbox.apiKey}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
  ];
  socket.write([...head, '', text].join('\r\n'));
  return new Promise((resolve) => {
    let seen = '';
    const finish = (end: RawAnswer['end']) => {
      clearTimeout(timer);
      socket.destroy();
      const [answerHead = '', body = ''] = seen.split('\r\n\r\n', 2);
      resolve({ head: answerHead, body, end });
    };
    const timer = setTimeout(() => finish('open'), waitMs);
    socket.on('data', (bytes) => {
      seen += bytes.toString('utf8');
      const [answerHead = '', body] = seen.split('\r\n\r\n', 2);
      const length = Number(/content-length: (\d+)/i.exec(answerHead)?.[1]);
      if (body !== undefined && Buffer.byteLength(body) >= length) finish('open');
    });
    socket.on('end', () => finish('closed'));
    socket.on('error', () => finish('reset'));
  });
}

/** What a client’s socket sees before there is an answer. */
const early: readonly [ControlFault['kind'], (seen: RawAnswer) => void][] = [
  ['stall', (seen) => expect(seen).toEqual({ head: '', body: '', end: 'open' })],
  ['reset', (seen) => expect(seen).toEqual({ head: '', body: '', end: 'reset' })],
  ['cut', (seen) => expect(seen).toEqual({ head: '', body: '', end: 'closed' })],
  ['status', (seen) => expect(seen.head).toMatch(/^HTTP\/1.1 500 [^]*application\/json/i)],
  ['html', (seen) => expect(seen.head).toMatch(/^HTTP\/1.1 503 [^]*text\/html/i)],
  ['empty', (seen) => expect([seen.head.slice(9, 12), seen.body]).toEqual(['200', ''])],
  ['wrong-type', (seen) => expect(seen.head).toMatch(/^HTTP\/1.1 20[01] [^]*text\/plain/i)],
  ['redirect', (seen) => expect(seen.head).toMatch(/^HTTP\/1.1 302 [^]*location: https:/i)],
];
const places = ['before-validation', 'before-commit', 'after-commit'] as const;

test.each(early)('the fault %s ends a call before its answer, done or not', async (kind, holds) => {
  for (const place of places) {
    await sandbox.control.addFault({ operation: 'createPaymentLink', place, kind });
    const body = { ...validLink, merchantOrderId: place };
    const patienceMs = kind === 'stall' ? 150 : undefined;
    holds(await rawLink(body, patienceMs));
    const again = await sandbox.postLink(body);
    expect([place, again.status]).toEqual([place, place === 'after-commit' ? 400 : 201]);
  }
});

describe('what a client’s socket sees when the fault hits the body', () => {
  const endings: readonly [ControlFault['kind'], RawAnswer['end'], 'half' | 'whole'][] = [
    ['stall', 'open', 'half'],
    ['reset', 'reset', 'half'],
    ['cut', 'closed', 'half'],
    ['latency', 'open', 'whole'],
  ];
  test.each(endings)('%s: the connection ends %s after the %s body', async (kind, end, amount) => {
    await sandbox.control.addFault({ place: 'body', kind, latencyMs: 30 });
    const seen = await rawLink(validLink, kind === 'stall' ? 1500 : undefined);
    expect(seen.head).toMatch(/^HTTP\/1.1 201 /);
    expect(seen.end).toBe(end);
    const promised = Number(/content-length: (\d+)/i.exec(seen.head)?.[1]);
    const whole = Buffer.byteLength(seen.body);
    expect(whole).toBe(amount === 'whole' ? promised : Math.floor(promised / 2));
    expect((await sandbox.postLink()).status).toBe(400);
  });

  test('wrong-type keeps the body and changes the content type; wrong-fields the reverse', async () => {
    const { id } = await sandbox.createLink();
    const right = await sandbox.getStatus(id);
    await sandbox.control.addFault({ place: 'body', kind: 'wrong-type' });
    const typed = await sandbox.getStatus(id);
    expect(typed.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(typed.text).toBe(right.text);
    await sandbox.control.addFault({ place: 'body', kind: 'wrong-fields' });
    const fields = await sandbox.getStatus(id);
    expect(fields.headers.get('content-type')).toMatch(/^application\/json/);
    expect(fields.body).toMatchObject({ code: '200', message: 7, data: { totalElements: '0' } });
  });
});

test('latency delays a call and changes nothing else', async () => {
  await sandbox.control.addFault({ place: 'before-commit', kind: 'latency', latencyMs: 120 });
  const begun = performance.now();
  expect((await sandbox.postLink()).status).toBe(201);
  expect(performance.now() - begun).toBeGreaterThanOrEqual(110);
});

test('429 and 503 may say when to come back', async () => {
  const fault = { place: 'before-validation', kind: 'status', status: 429 } as const;
  await sandbox.control.addFault({ ...fault, retryAfterSeconds: 7 });
  const answer = await sandbox.postLink();
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '7']);
  expect(answer.body).toMatchObject({ statusCode: 429, error: 'Too Many Requests' });
});

test('a stale answer is the one of some time ago, and the next is true again', async () => {
  const { id } = await sandbox.createLink();
  await sandbox.control.advanceClock({ by: 'PT10M' });
  await sandbox.control.pay(id, { card: { number: cards.mada } });
  for (const latencyMs of [60_000, 3_600_000]) {
    const operation = 'retrieveStatus';
    await sandbox.control.addFault({ operation, place: 'before-commit', kind: 'stale', latencyMs });
    expect(await sandbox.statusContent(id)).toEqual([]);
    expect(await sandbox.statusesOf(id)).toBe('SUCCESS');
  }
});

test('retrieveStatus and pollStatus are one HTTP call, so a fault or a count may go by either name', async () => {
  const { id } = await sandbox.createLink();
  for (const operation of ['pollStatus', 'retrieveStatus'] as const) {
    const fault = { operation, place: 'before-validation', kind: 'status' } as const;
    expect((await sandbox.control.addFault(fault)).operation).toBe('retrieveStatus');
    expect((await sandbox.getStatus(id)).status).toBe(500);
  }
  for (const operation of ['pollStatus', 'retrieveStatus'] as const) {
    expect(await sandbox.control.requests({ operation })).toHaveLength(2);
    expect(await sandbox.control.verify({ operation, count: 2 })).toMatchObject({ ok: true });
  }
});

test('a fault can wait for one order, by whatever id the call names it', async () => {
  const { id } = await sandbox.createLink({ merchantOrderId: 'one' });
  const two = await sandbox.payLink({ merchantOrderId: 'two' });
  const fault = { merchantOrderId: 'two', place: 'before-validation', kind: 'status' } as const;
  await sandbox.control.addFault({ ...fault, count: 2 });
  const statuses = [];
  for (const asked of [id, two.sessionId, two.transactionId, two.sessionId]) {
    statuses.push((await sandbox.getStatus(asked)).status);
  }
  expect(statuses).toEqual([200, 500, 500, 200]);
});

test('faults queue: two of a kind hit two calls, and every second call can be spared', async () => {
  const { id } = await sandbox.createLink();
  const statuses = async (calls: number) => {
    const seen = [];
    for (let call = 0; call < calls; call += 1) seen.push((await sandbox.getStatus(id)).status);
    return seen;
  };
  const fault = { place: 'before-validation', kind: 'status' } as const;
  await sandbox.control.addFault({ ...fault, status: 503 });
  await sandbox.control.addFault({ ...fault, status: 502 });
  expect(await statuses(3)).toEqual([503, 502, 200]);
  await sandbox.control.addFault({ ...fault, status: 504, every: 2, count: null });
  expect(await statuses(5)).toEqual([200, 504, 200, 504, 200]);
  await sandbox.control.liftFaults();
  expect(await statuses(2)).toEqual([200, 200]);
});

test('the faults that wait are listed with what is left of them, and lifted one by one', async () => {
  const { control } = sandbox;
  const first = await control.addFault({ place: 'body', kind: 'cut', count: 2 });
  await control.addFault({ place: 'delivery', kind: 'duplicate', times: 3 });
  await expect(sandbox.postLink()).rejects.toThrow();
  const cut = { id: first.id, kind: 'cut', count: 1 };
  const duplicate = { place: 'delivery', kind: 'duplicate', count: 1, times: 3 };
  expect(await control.faults()).toMatchObject({ profile: 'healthy', faults: [cut, duplicate] });
  await control.liftFaults(first.id);
  expect((await control.faults()).faults).toMatchObject([{ kind: 'duplicate' }]);
  const [request] = await control.requests();
  expect(request).toMatchObject({ status: 201, decidedBy: 'fault', faults: ['body cut'] });
});

test.each([
  [{ place: 'somewhere', kind: 'reset' }, '"place" is one of before-validation'],
  [{ place: 'body', kind: 'drop' }, '"kind" at body is one of latency'],
  [{ place: 'delivery', kind: 'reset' }, '"kind" at delivery is one of drop'],
  [{ place: 'before-commit', kind: 'wrong-fields' }, '"kind" at before-commit is one of'],
  [{ place: 'body', kind: 'cut', operation: 'steal' }, '"operation" is one of createPaymentLink'],
  [{ place: 'delivery', kind: 'drop', operation: 'sale' }, 'A delivery belongs to no operation'],
  [{ place: 'body', kind: 'stale', operation: 'sale' }, 'Only retrieveStatus and pollStatus'],
  [{ place: 'body', kind: 'cut', merchantOrderId: 7 }, '"merchantOrderId" is a string'],
  [{ place: 'body', kind: 'cut', count: 0 }, '"count" is a whole number from 1'],
  [{ place: 'body', kind: 'status', status: 200 }, '"status" is a whole number from 400'],
  [{ place: 'body', kind: 'latency', latencyMs: -1 }, '"latencyMs" is a whole number from 0'],
  [{ place: 'body', kind: 'redirect', location: 'javascript:1' }, '"location" is an http'],
])('the fault %j is refused, and the answer says why', async (fault, detail) => {
  const { status, body } = await post(`${sandbox.url}/_sandbox/v1/faults`, fault);
  expect(status).toBe(400);
  expect(body).toMatchObject({ code: 'invalid_fault', detail: expect.stringContaining(detail) });
});

test.each([
  ['maintenance-html', '503 text/html; charset=utf-8', 201],
  ['ghost-success', 'lost', 400],
  ['ghost-failure', 'lost', 201],
] as const)('under %s each call is %s; a healthy gateway then says %i', async (...given) => {
  const [profile, expected, again] = given;
  await sandbox.control.setProfile(profile);
  const body = { ...validLink, merchantOrderId: profile };
  for (let call = 0; call < 2; call += 1) {
    const answer = await sandbox.postLink(body).catch(() => null);
    const type = answer?.headers.get('content-type');
    expect(answer === null ? 'lost' : `${answer.status} ${type}`).toBe(expected);
  }
  await sandbox.control.setProfile('healthy');
  expect((await sandbox.postLink(body)).status).toBe(again);
});

test('in a bank-outage every payment is declined with 91, unless a test armed something else', async () => {
  const { id } = await sandbox.createLink();
  const card = { number: cards.mada };
  await sandbox.control.setProfile('bank-outage');
  await sandbox.control.next({ outcome: 'decline:51' });
  const reasons = [];
  for (let attempt = 0; attempt < 3; attempt += 1) {
    reasons.push((await sandbox.control.pay(id, { card })).transaction.declineReason);
  }
  expect(reasons).toEqual(['Insufficient funds', 'Issuer unavailable', 'Issuer unavailable']);
  await sandbox.control.setProfile('healthy');
  expect((await sandbox.control.pay(id, { card })).session.state).toBe('PAID');
});

test('under status-lag an answer is ten seconds behind', async () => {
  await sandbox.control.freezeClock();
  const { id } = await sandbox.createLink();
  await sandbox.control.setProfile('status-lag');
  await sandbox.control.pay(id, { card: { number: cards.mada } });
  await sandbox.control.advanceClock({ by: 'PT9.999S' });
  expect(await sandbox.statusContent(id)).toEqual([]);
  await sandbox.control.advanceClock({ by: 'PT0.001S' });
  expect(await sandbox.statusesOf(id)).toBe('SUCCESS');
});

test('on a friday night things go wrong in the same rhythm every time', async () => {
  const [first, second] = [await startForTest(), await startForTest()];
  const night = async (one: typeof first) => {
    const { id } = await one.createLink();
    await one.control.setProfile('friday-night');
    for (const { id: fault, kind } of (await one.control.faults()).faults) {
      if (kind === 'latency') await one.control.liftFaults(fault);
    }
    const seen = [];
    for (let call = 0; call < 12; call += 1) {
      const answer = await one.getStatus(id).catch(() => null);
      seen.push(answer?.status ?? 'lost');
    }
    return seen;
  };
  const rhythm = await night(first);
  expect(new Set(rhythm)).toEqual(new Set([200, 429, 'lost']));
  expect(await night(second)).toEqual(rhythm);
});

test('every profile can be set, named and lifted again', async () => {
  const { control } = sandbox;
  for (const name of profileNames) expect((await control.setProfile(name)).profile).toBe(name);
  await control.reset();
  expect(await control.faults()).toEqual({ profile: 'healthy', faults: [] });
});

test('the redirect of a paid page can be lost: the payment is made, and the shopper never returns', async () => {
  const link = await sandbox.createLink();
  const fault = { operation: 'hostedPage', kind: 'reset' } as const;
  await sandbox.control.addFault({ ...fault, place: 'before-commit' });
  await expect(submitCard(link)).rejects.toThrow('fetch failed');
  expect(await sandbox.statusContent(link.id)).toEqual([]);
  await sandbox.control.addFault({ ...fault, place: 'after-commit' });
  await expect(submitCard(link)).rejects.toThrow('fetch failed');
  expect(await sandbox.statusesOf(link.id)).toBe('SUCCESS');
});
