import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { aLink, aSession } from '../../test-support/gateway-calls.ts';
import { httpAnswer } from '../../test-support/raw-server.ts';
import { inA, statusAnswer, statusRow } from '../../test-support/scripted-gateway.ts';
import { WiredGateway } from '../../test-support/wired-gateway.ts';
import { observeCall } from './diagnostics.ts';
import { GatewayError } from './gateway-error.ts';
import type { GatewayProfile } from './profile.ts';

let gateway: WiredGateway;
/** The warnings that the client logged, but for failed calls. */
let lines: { readonly fields: object; readonly message: string }[];

async function start(profile?: GatewayProfile): Promise<void> {
  lines = [];
  const silent = (): void => undefined;
  const warn = (fields: object, message: string): void => {
    if (message !== 'a call to the gateway failed') lines.push({ fields, message });
  };
  const logger = { info: silent, error: silent, warn };
  const started = await WiredGateway.start({ profile, logger });
  gateway = started;
  onTestFinished(() => started.close());
}
beforeEach(() => start());

/** What was counted, each as `operation kind field count`. */
const seen = (): readonly string[] =>
  gateway.client
    .drift()
    .map(({ operation, kind, field, count }) => `${operation} ${kind} ${field} ${count}`);

/** Calls an operation that is answered so. @returns the code of its error, `null` where it succeeds. */
async function ask(operation: string, status: number, body: unknown): Promise<string | null> {
  gateway.answer(`${status} Answer`, body ?? '');
  try {
    await gateway.call(operation);
    return null;
  } catch (error) {
    if (error instanceof GatewayError) return error.code;
    throw error;
  }
}

/** What is counted of an operation whose call is answered so. */
async function seenOf(operation: string, status: number, body: unknown) {
  await ask(operation, status, body);
  return seen();
}

describe('a call is told', () => {
  const names = ['start', 'send', 'answer', 'end'] as const;
  let events: { readonly channel: string; readonly event: Record<string, unknown> }[];
  const listener = (event: unknown, name: string | symbol): void => {
    const channel = String(name).replace('pay-button:gateway:', '');
    events.push({ channel, event: event as Record<string, unknown> });
  };
  const stopListening = (): void => {
    for (const name of names) unsubscribe(`pay-button:gateway:${name}`, listener);
  };
  beforeEach(() => {
    events = [];
    for (const name of names) subscribe(`pay-button:gateway:${name}`, listener);
    onTestFinished(stopListening);
  });

  /** The events without what differs from run to run. */
  const told = () =>
    events.map(({ channel, event: { callId: _id, durationMs: _time, ...rest } }) => {
      return { [channel]: rest };
    });

  it('with each of its sends, from its start to its end', async () => {
    gateway.wire = (socket, count) =>
      count === 1 ? socket.destroy() : socket.write(httpAnswer('404 No', '{"message":"canary"}'));
    await expect(gateway.call('retrieveStatus')).rejects.toThrow(GatewayError);
    const operation = 'retrieveStatus';
    expect(told()).toEqual([
      { start: { operation } },
      { send: { operation, send: 1 } },
      { send: { operation, send: 2 } },
      { answer: { operation, send: 2, httpStatus: 404 } },
      { end: { operation, outcome: 'rejected', code: 'not_found', httpStatus: 404, sends: 2 } },
    ]);
    for (const { event } of events.slice(3)) expect(event['durationMs']).toBeGreaterThan(0);
  });

  it('apart from the login that it needs', async () => {
    await ask('listWebhooks', 200, { webhooks: [] });
    expect(told().slice(1, 5)).toEqual([
      { start: { operation: 'logIn' } },
      { send: { operation: 'logIn', send: 1 } },
      { answer: { operation: 'logIn', send: 1, httpStatus: 200 } },
      { end: { operation: 'logIn', outcome: 'success', sends: 1 } },
    ]);
    const ids = new Set(events.map(({ event }) => event['callId']));
    expect(ids.size).toBe(2);
  });

  it('to nobody, and costs nothing, where nobody listens', async () => {
    stopListening();
    expect(await observeCall('refund', async (trace) => trace)).toBeUndefined();
  });
});

/** A status answer with one row that is changed. */
const answerWith = (changes: object): object => statusAnswer([statusRow({ ...changes })]);

const link = { id: aSession, redirectUrl: 'https://a.example/' };

describe('an answer that is not expected is counted by its kind and its place', () => {
  const inRow = (one: string) => `retrieveStatus ${one.replace(' ', ' /data/content/*/')} 1`;

  it.each<[object, ...string[]]>([
    [{ tid: 1 }, 'unknown_field tid'],
    [{ byCustomer: { Fatima: { tokens: 1 } } }, 'unknown_field byCustomer'],
    [{ constructor: {} }, 'unknown_field constructor'],
    [{ transactionStatus: 'DONE' }, 'unknown_word transactionStatus'],
    [{ transactionStatus: undefined }, 'unreadable_answer transactionStatus'],
    [{ paymentStatus: 'Approved' }, 'unknown_word paymentStatus'],
    [{ refundStatus: 'HALF' }, 'unknown_word refundStatus'],
    [{ totalRefundAmount: 0 }, 'other_type totalRefundAmount'],
    [{ amount: 115 }, 'other_type amount', 'unreadable_answer amount'],
  ])('in a row of a status: %j', async (changes, ...expected) => {
    expect(await seenOf('retrieveStatus', 200, answerWith(changes))).toEqual(expected.map(inRow));
  });

  const rows = '/data/content/*';
  const charged = { statusCode: 200, responseBody: { result: 'OK', status: 'SUCCESS' } };
  const refused = { statusCode: 403, message: 'no' };

  it.each<[string, number, unknown, ...string[]]>([
    ['retrieveStatus', 200, inA({ content: [], page: 1 }), 'unknown_field /data/page'],
    ['retrieveStatus', 200, statusAnswer([1]), `other_type ${rows}`, `unreadable_answer ${rows}`],
    ['retrieveStatus', 200, { content: [] }, 'other_envelope ', 'unreadable_answer '],
    ['retrieveStatus', 200, undefined, 'unreadable_answer '],
    ['retrieveStatus', 302, {}, 'unexpected_status 302'],
    ['retrieveStatus', 400, { fault: 'no' }, 'other_envelope /error'],
    ['retrieveStatus', 400, { ...refused, at: 1 }, 'unknown_field /error/at'],
    ['chargeRecurring', 200, charged, 'unknown_word /responseBody/result'],
    ['createPaymentLink', 201, inA(link), 'other_envelope ', 'unreadable_answer /id'],
    ['listWebhooks', 404, refused, 'unexpected_status 404'],
  ])('of %s: HTTP %i %j', async (operation, status, body, ...expected) => {
    const found = await seenOf(operation, status, body);
    expect(found).toEqual(expected.map((one) => `${operation} ${one} 1`));
  });

  it.each([
    [201, { token: 'portal-1', scope: 'all' }, ['unexpected_status 201', 'unknown_field /scope']],
    [200, { data: { jwt: 'x' }, code: 200 }, ['other_envelope ', 'unreadable_answer ']],
  ])('of the portal’s login: HTTP %i %j', async (status, body, expected) => {
    gateway.login = httpAnswer(`${status} Answer`, JSON.stringify(body));
    const found = await seenOf('listWebhooks', 200, { webhooks: [] });
    expect(found).toEqual(expected.map((one) => `logIn ${one} 1`));
  });
});

it('each thing is counted by answers and sorted, logged once and published each time', async () => {
  const events: unknown[] = [];
  const listener = (event: unknown): void => void events.push(event);
  subscribe('pay-button:gateway:drift', listener);
  const rows = [statusRow({ zone: 1, area: 1 }), statusRow({ zone: 1 })];
  await ask('retrieveStatus', 200, statusAnswer(rows));
  await ask('retrieveStatus', 200, statusAnswer(rows));
  await ask('createPaymentLink', 200, link);
  unsubscribe('pay-button:gateway:drift', listener);
  expect(seen()).toEqual([
    'createPaymentLink unexpected_status 200 1',
    'retrieveStatus unknown_field /data/content/*/area 2',
    'retrieveStatus unknown_field /data/content/*/zone 2',
  ]);
  for (const { lastSeenAt } of gateway.client.drift()) {
    expect(Date.now() - lastSeenAt).toBeLessThan(60_000);
  }
  const field = '/data/content/*/zone';
  const zone = { operation: 'retrieveStatus', kind: 'unknown_field', field };
  expect([events.length, lines.length]).toEqual([5, 3]);
  expect(events[0]).toEqual(zone);
  const message = 'the gateway answered otherwise than expected';
  expect(lines[0]).toEqual({ fields: zone, message });
});

describe('no text of the gateway is kept', () => {
  const secrets = [
    ['4111111111111111', 'card4111111111111111', '+966501234567', 'm0501234567', 'key-1'],
    ['sk_live_51H8xQ2eZvKYlo2C', 'noura@example.com', 'a password', 'portal-token-1', 'Noura Q'],
    ['f2d5b7c0-0000-4000-8000-000000000001', '', '0', '<b>'],
  ].flat();
  const reported = () => JSON.stringify([gateway.client.drift(), lines]);

  it.each(secrets)('as the name of a field: %j', async (secret) => {
    await seenOf('listWebhooks', 200, { webhooks: [] });
    await seenOf('retrieveStatus', 200, answerWith({ [secret]: 1 }));
    await seenOf('retrieveStatus', 200, { ...answerWith({}), [secret]: 1 });
    await seenOf('retrieveStatus', 400, { statusCode: 400, message: 'no', [secret]: 1 });
    await seenOf('listWebhooks', 400, { statusCode: 400, message: 'no', [secret]: 1 });
    const unknown = seen().filter((one) => one.includes('unknown_field'));
    expect(unknown.filter((one) => one.includes('(others)'))).toHaveLength(4);
    expect(unknown).toHaveLength(4);
    if (secret.length > 3) expect(reported()).not.toContain(secret);
  });

  it.each(secrets.slice(0, 9))('as a value: %j', async (secret) => {
    const words = { transactionStatus: secret, refundStatus: secret, unknown: secret };
    await seenOf('retrieveStatus', 200, answerWith(words));
    const error = { statusCode: 400, message: secret, error: secret, more: { [secret]: secret } };
    expect(await seenOf('retrieveStatus', 400, error)).toHaveLength(4);
    expect(reported()).not.toContain(secret);
  });

  it('of the customer of a call', async () => {
    const answer = { ...link, [aLink.customer.name]: 1 };
    const found = await seenOf('createPaymentLink', 201, answer);
    expect(found).toEqual(['createPaymentLink unknown_field /(others) 1']);
  });

  it('with control characters, or without an end', async () => {
    const body = { ...answerWith({ [`a${'b'.repeat(500)}`]: 1 }), 'x\u0000\u001By\n': 1 };
    await seenOf('retrieveStatus', 200, body);
    const fields = gateway.client.drift().map(({ field }) => field);
    expect(fields).toEqual([`/data/content/*/a${'b'.repeat(39)}`, '/xy']);
  });

  it('of 10,000 names of fields, which are counted in bounded memory', async () => {
    const letters = (index: number): string =>
      Array.from(String(index), (digit) => 'abcdefghij'[Number(digit)]).join('');
    for (let name = 0; name < 10_000; name += 500) {
      const fields = Array.from({ length: 500 }, (_, index) => `field_${letters(name + index)}`);
      const row = Object.fromEntries(fields.map((field) => [field, 1]));
      await seenOf('retrieveStatus', 200, answerWith(row));
    }
    expect(gateway.client.drift()).toHaveLength(21);
    expect(lines).toHaveLength(21);
    expect(seen()[0]).toBe('retrieveStatus unknown_field /data/content/*/(others) 20');
  });
});

// The vectors of the contract, which count nothing either, are in operations.test.ts.
describe('an answer as it is expected counts nothing', () => {
  /** The further fields of a row (N6), and those of a notification in a row (N13). */
  const further = {
    orderId: 17,
    merchantOrderId: '1001~1',
    currencyCode: '682',
    rrn: '1',
    createdAt: 'now',
    finishedAt: null,
    declineReason: null,
    recurringToken: 'rt',
    cardNumber: '420132******1010',
    status: 'Approved',
    type: 'Purchase',
    reason: null,
  };

  it.each([
    ['retrieveStatus', 200, answerWith(further)],
    ['retrieveStatus', 200, statusAnswer([])],
    ['capture', 503, 'down', 'gateway_fault'],
    ['capture', 429, {}, 'rate_limited'],
  ])('of %s: HTTP %i %j', async (operation, status, body, code?: string) => {
    expect(await ask(operation, status, body)).toBe(code ?? null);
    expect([seen(), lines]).toEqual([[], []]);
  });

  it('nor one that follows the profile', async () => {
    await start({
      status: { orderName: 'bill' },
      operations: {
        createSdkToken: { answer: { token: '/data/sdkToken' } },
        retrieveCredentials: { answer: { credentials: '/data/keys', apiKey: '/value' } },
      },
      login: { token: '/data/jwt' },
    });
    const login = { code: 200, message: 'ok', data: { jwt: 'portal-1' } };
    gateway.login = httpAnswer('200 OK', JSON.stringify(login));
    const keys = { code: 200, data: { keys: [{ id: '1', value: 'k' }] } };
    expect(await ask('retrieveCredentials', 200, keys)).toBeNull();
    const token = { id: '1', data: { sdkToken: 'sdk-token-1' } };
    expect(await ask('createSdkToken', 201, token)).toBeNull();
    expect(await ask('retrieveStatus', 200, answerWith({ bill: '1001~1' }))).toBeNull();
    expect(seen()).toEqual([]);
  });
});
