import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { callOf, clientOf, errorOf } from '../../test-support/gateway-calls.ts';
import { askingInputs, changingInputs } from '../../test-support/operation-inputs.ts';
import { httpAnswer, RawServer } from '../../test-support/raw-server.ts';
import type { GatewayClient } from './gateway-client.ts';
import { operations } from './operations.ts';

type Fault = (socket: Socket) => void;

const TIMEOUT_MS = 10_000;

let server: RawServer;
let client: GatewayClient;
let fault: Fault;
const login = httpAnswer('200 OK', JSON.stringify({ accessToken: 'portal-token' }));

beforeEach(async () => {
  server = await new RawServer({
    onRequest: (socket, _count, request) => {
      if (request.includes('/auth/login')) socket.write(login);
      else fault(socket);
    },
  }).start();
  client = clientOf(server.origin, {
    timeoutMs: TIMEOUT_MS,
    portal: { username: 'noura', password: 'a password' },
  });
});

afterEach(async () => {
  vi.useRealTimers();
  await client.close();
  await server.close();
});

/** Requests that reached the gateway, but for logins. */
const sent = () => server.requests.filter((request) => !request.includes('/auth/login'));

const json = (status: string, body: unknown): Fault => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return (socket) => void socket.write(httpAnswer(status, text));
};
const accepted = {
  result: 'accepted',
  refundId: 'r',
  referenceId: 'r',
  paymentId: '1',
  amount: '20.00',
};
const twice = `{"code":200,"message":"","errorCode":null,"data":{"result":"REFUSED","result":"accepted"}}`;

/** Time passes only as a fault lets it, so that a busy machine ends no call. */
const stopTime = (): void => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });

const silence: Fault = () => void vi.advanceTimersByTime(TIMEOUT_MS);

const faults: Readonly<Record<string, readonly [string, Fault]>> = {
  'a reset after the request was read': ['connection_lost', (socket) => socket.resetAndDestroy()],
  'an answer that is cut': [
    'connection_lost',
    (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"code":'),
  ],
  'silence until the deadline': ['timeout', silence],
  'HTTP 500': ['gateway_fault', json('500 Fault', { message: 'fault' })],
  'HTTP 503 with a success in it': ['gateway_fault', json('503 Busy', accepted)],
  'a redirect': ['redirected', json('302 Found', {})],
  HTML: ['unreadable_answer', json('200 OK', '<html></html>')],
  'truncated JSON': ['unreadable_answer', json('200 OK', '{"code":200,"data":{"resu')],
  'a field named twice': ['unreadable_answer', json('200 OK', twice)],
  'the gateway’s own fault inside a success': [
    'gateway_fault',
    json('200 OK', { code: 200, message: '', errorCode: '503', data: accepted }),
  ],
};

/** A time-out, a conflict, "too early" and "client closed request": the request may have been done. */
const lateStatuses = [408, 409, 425, 499];

const movingMoney: ReadonlySet<string> = new Set([
  'refund',
  'capture',
  'void',
  'chargeRecurring',
  'sale',
]);

// What a fault means depends on an operation only by whether it moves money; these are one that does
// and one that does not. Each other operation is tried below by the faults that tell them apart.
describe.each([
  ['refund', 'gateway_fault', 'unknown'],
  ['createWebhook', 'rejected', 'rejected'],
])('%s', (operation, late, lateOutcome) => {
  const input = changingInputs[operation];

  it.each(Object.entries(faults))('is unknown and never sent again after %s', async (_what, of) => {
    const [code, script] = of;
    fault = script;
    if (script === silence) stopTime();
    const error = await errorOf(callOf(client, operation, input));
    expect(error).toMatchObject({ code, outcome: 'unknown', operation });
    expect(sent()).toHaveLength(1);
  });

  it.each([
    ['400 Bad Request', 'invalid_request'],
    ['402 Payment Required', 'rejected'],
    ['403 Forbidden', 'rejected'],
    ['404 Not Found', 'not_found'],
    ['422 Unprocessable Content', 'rejected'],
    ['429 Too Many Requests', 'rate_limited'],
  ])('is rejected and never sent again after HTTP %s', async (status, code) => {
    fault = json(status, { message: 'No' });
    const error = await errorOf(callOf(client, operation, input));
    expect(error).toMatchObject({ code, outcome: 'rejected' });
    expect(sent()).toHaveLength(1);
  });

  it.each(lateStatuses)(`is ${lateOutcome} and never sent again after HTTP %i`, async (status) => {
    fault = json(`${status} Late`, { message: 'No' });
    const error = await errorOf(callOf(client, operation, input));
    expect(error).toMatchObject({ code: late, outcome: lateOutcome, httpStatus: status });
    expect(sent()).toHaveLength(1);
  });

  it.each(lateStatuses)(
    `is ${lateOutcome} after the error code %i in a success`,
    async (status) => {
      fault = json('200 OK', { code: 200, message: '', errorCode: String(status), data: accepted });
      const error = await errorOf(callOf(client, operation, input));
      expect(error).toMatchObject({ code: late, outcome: lateOutcome, httpStatus: 200 });
      expect(sent()).toHaveLength(1);
    },
  );

  it('is not sent when nobody listens', async () => {
    server.stopListening();
    const error = await errorOf(callOf(client, operation, input));
    expect(error).toMatchObject({ code: 'connection_failed', outcome: 'not-sent', operation });
  });

  it('is unknown when its caller gives up in flight, and not sent before', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    fault = () => controller.abort();
    const error = await errorOf(callOf(client, operation, input, { signal }));
    expect(error).toMatchObject({ code: 'aborted', outcome: 'unknown' });
    const later = await errorOf(callOf(client, operation, input, { signal }));
    expect(later).toMatchObject({ code: 'aborted', outcome: 'not-sent' });
    expect(sent()).toHaveLength(1);
  });
});

describe.each(Object.entries(changingInputs))('%s', (operation, input) => {
  it('is unknown and sent once where its answer is lost', async () => {
    fault = (socket) => socket.resetAndDestroy();
    const error = await errorOf(callOf(client, operation, input));
    expect(error).toMatchObject({ code: 'connection_lost', outcome: 'unknown', operation });
    expect(sent()).toHaveLength(1);
  });

  const outcome = movingMoney.has(operation) ? 'unknown' : 'rejected';
  it(`is ${outcome} and sent once after HTTP 409`, async () => {
    fault = json('409 Late', { message: 'No' });
    const error = await errorOf(callOf(client, operation, input));
    expect(error).toMatchObject({ outcome, httpStatus: 409, operation });
    expect(sent()).toHaveLength(1);
  });
});

describe.each(Object.entries(askingInputs))('%s', (operation, input) => {
  it.each(lateStatuses)('is rejected and not sent again after HTTP %i', async (status) => {
    fault = json(`${status} Late`, { message: 'No' });
    const error = await errorOf(callOf(client, operation, input));
    expect(error).toMatchObject({ code: 'rejected', outcome: 'rejected' });
    expect(sent()).toHaveLength(1);
  });

  it('is sent again after a lost connection, but not for ever', async () => {
    fault = (socket) => socket.resetAndDestroy();
    const error = await errorOf(callOf(client, operation, input));
    expect(error).toMatchObject({ code: 'connection_lost', operation });
    expect(sent()).toHaveLength(3);
  });

  it('is sent again after HTTP 503', async () => {
    fault = json('503 Busy', {});
    await errorOf(callOf(client, operation, input));
    expect(sent()).toHaveLength(3);
  });
});

it('every operation of the table is tried here', () => {
  const tried = [...Object.keys(changingInputs), ...Object.keys(askingInputs)];
  expect(tried.toSorted()).toEqual(Object.keys(operations).toSorted());
});

it('a clock that jumps neither shortens nor lengthens the deadline', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
  let error: unknown;
  let atTheEnd: unknown;
  const leap = async (): Promise<void> => {
    vi.setSystemTime(Date.now() + 86_400_000);
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS - 1);
    atTheEnd = error;
    vi.setSystemTime(Date.now() - 2 * 86_400_000);
    vi.advanceTimersByTime(1);
  };
  fault = () => void leap();
  error = await errorOf(callOf(client, 'refund', changingInputs['refund']));
  expect(atTheEnd).toBeUndefined();
  expect(error).toMatchObject({ code: 'timeout', outcome: 'unknown' });
});
