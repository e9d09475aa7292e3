import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { aSession, callOf, clientOf, errorOf } from '../../test-support/gateway-calls.ts';
import { askingInputs, inputs } from '../../test-support/operation-inputs.ts';
import { httpAnswer } from '../../test-support/raw-server.ts';
import { WiredGateway } from '../../test-support/wired-gateway.ts';
import { operations } from './profile.ts';

const TIMEOUT_MS = 10_000;
const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

let gateway: WiredGateway;
beforeEach(async () => void (gateway = await WiredGateway.start({ timeoutMs: TIMEOUT_MS })));
afterEach(() => gateway.close());

/** Time passes only as a fault lets it, so that a busy machine ends no call. */
function stopTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}

const endTime = (): void => void vi.advanceTimersByTime(TIMEOUT_MS);

type Fault = (socket: Socket) => unknown;

const writes =
  (status: string, body: unknown): Fault =>
  (socket) =>
    socket.write(httpAnswer(status, typeof body === 'string' ? body : JSON.stringify(body)));

async function trickle(socket: Socket): Promise<void> {
  socket.write(`${HEAD}content-length: 1000\r\n\r\n`);
  for (let tenth = 0; tenth < 10; tenth += 1) {
    socket.write(' ');
    await setImmediate();
    vi.advanceTimersByTime(TIMEOUT_MS / 10);
  }
}

function writeChunks(socket: Socket): void {
  socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n`);
  const chunk = 'x'.repeat(50_000);
  for (let index = 0; index < 100; index += 1) socket.write(`c350\r\n${chunk}\r\n`);
}

const accepted = { result: 'accepted', refundId: 'r', amount: '20.00' };
const compressed = httpAnswer('200 OK', gzipSync('{}'), { 'content-encoding': 'gzip' });

/** Each by its code. */
const faults: Readonly<Record<string, Readonly<Record<string, Fault>>>> = {
  connection_lost: {
    'a reset': (socket) => socket.resetAndDestroy(),
    'an end without an answer': (socket) => socket.end(),
    'a cut body': (socket) => socket.end(`${HEAD}content-length: 99\r\n\r\n{`),
    'no HTTP': (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'),
    'endless headers': (socket) => socket.write(`${HEAD}x: ${'y'.repeat(40_000)}`),
  },
  timeout: {
    silence: endTime,
    'silence behind headers': (socket) => socket.write(`${HEAD}content-length: 9\r\n\r\n`, endTime),
    'a byte in each tenth of the time': trickle,
  },
  answer_too_large: { '5 MB': writes('200 OK', 'x'.repeat(5e6)), '5 MB in chunks': writeChunks },
  unreadable_answer: { 'a compressed answer': (socket) => socket.write(compressed) },
};
const everyFault = Object.entries(faults).flatMap(([code, ofCode]) =>
  Object.entries(ofCode).map(([what, fault]) => [what, code, fault] as const),
);

// What a fault means depends on an operation only by whether it moves money; these are one that does
// and one that does not. Each other operation is tried below by the faults that tell them apart.
describe.each(['refund', 'createWebhook', 'retrieveStatus'])('%s', (operation) => {
  it.each(everyFault)('is unknown after %s: %s', async (_what, code, fault) => {
    gateway.wire = fault;
    if (code === 'timeout') stopTime();
    const error = await errorOf(gateway.call(operation));
    expect(error).toMatchObject({ code, outcome: 'unknown', operation });
    // A question goes again where it may have got lost; what changes something never does.
    const isAgain = operation === 'retrieveStatus' && code === 'connection_lost';
    expect(gateway.sent).toHaveLength(isAgain ? 3 : 1);
  });

  it('is not sent when nobody listens', async () => {
    gateway.server.stopListening();
    const error = await errorOf(gateway.call(operation));
    const expected = { code: 'connection_failed', outcome: 'not-sent', retryable: true, operation };
    expect(error).toMatchObject(expected);
  });
});

type Meant = readonly [code: string, outcome: string];
const refused = (code = 'rejected'): Meant => [code, 'rejected'];
const inDoubt = (code = 'gateway_fault'): Meant => [code, 'unknown'];

/** The meaning of each status, how often a question is sent, and what it means where no money moves. */
const statuses: [number, Meant, sends: number, unmoved?: Meant][] = [
  [302, inDoubt('redirected'), 1],
  [400, refused('invalid_request'), 1],
  [403, refused(), 1],
  [404, refused('not_found'), 1],
  // The request may have been done: a time-out, a conflict, "too early", "client closed request".
  [408, inDoubt(), 1, refused()],
  [409, inDoubt(), 1, refused()],
  [425, inDoubt(), 1, refused()],
  [422, refused(), 1],
  [429, refused('rate_limited'), 3],
  [500, inDoubt(), 1],
  [502, inDoubt(), 3],
  [503, inDoubt(), 3],
];

/** A success, what says nothing, and what cannot be read, whose status is what counts. */
const bodies = [accepted, {}, gzipSync('{}'), 'x'.repeat(5_000_000), Buffer.from([0xff, 0xfe])];

it.each(statuses)('HTTP %i means one thing, whatever its body is', async (...row) => {
  const [status, meant, questions, unmoved = meant] = row;
  for (const operation of ['refund', 'createWebhook', 'retrieveStatus']) {
    for (const body of bodies) {
      const before = gateway.sent.length;
      const encoding = Buffer.isBuffer(body) && { 'content-encoding': 'gzip' };
      gateway.answer(`${status} Answer`, body, { 'retry-after': '0', ...encoding });
      const { code, outcome, httpStatus } = await errorOf(gateway.call(operation));
      const expected = operation === 'refund' ? meant : unmoved;
      expect([code, outcome, httpStatus]).toEqual([...expected, status]);
      const sends = operation === 'retrieveStatus' ? questions : 1;
      expect(gateway.sent).toHaveLength(before + sends);
    }
  }
});

const aborting = ['refund', 'createWebhook'];
it.each(aborting)('%s is unknown if left in flight, and not sent before', async (operation) => {
  const controller = new AbortController();
  const { signal } = controller;
  gateway.wire = () => controller.abort();
  const call = () => errorOf(callOf(gateway.client, operation, inputs[operation], { signal }));
  expect(await call()).toMatchObject({ code: 'aborted', outcome: 'unknown' });
  expect(await call()).toMatchObject({ code: 'aborted', outcome: 'not-sent' });
  expect(gateway.sent).toHaveLength(1);
});

const movingMoney = new Set(['refund', 'capture', 'void', 'chargeRecurring', 'sale']);

const every = Object.keys(inputs);
it.each(every)('%s goes again only if it asks; 409 is a doubt only of money', async (operation) => {
  gateway.wire = (socket) => socket.resetAndDestroy();
  const lost = { code: 'connection_lost', outcome: 'unknown', operation };
  expect(await errorOf(gateway.call(operation))).toMatchObject(lost);
  const sends = operation in askingInputs ? 3 : 1;
  expect(gateway.sent).toHaveLength(sends);
  gateway.answer('409 Late', { message: 'No' });
  const outcome = movingMoney.has(operation) ? 'unknown' : 'rejected';
  const late = { outcome, httpStatus: 409, operation };
  expect(await errorOf(gateway.call(operation))).toMatchObject(late);
  expect(gateway.sent).toHaveLength(sends + 1);
});

it('every operation of the table is tried here', () => {
  expect(every.toSorted()).toEqual(Object.keys(operations).toSorted());
});

it('a gateway that went away after it had read a question leaves the question unknown', async () => {
  gateway.wire = (socket) => {
    gateway.server.stopListening();
    socket.resetAndDestroy();
  };
  const error = await errorOf(gateway.call('retrieveStatus'));
  expect(error).toMatchObject({ code: 'connection_failed', outcome: 'unknown' });
  expect(gateway.sent).toHaveLength(1);
});

it('a gateway that went away after it had refused the first of two keys has rejected the call', async () => {
  const client = clientOf(gateway.server.origin, { apiKey: ['key-1', 'key-2'] });
  onTestFinished(() => client.close());
  gateway.wire = (socket) => {
    gateway.server.stopListening();
    socket.end(httpAnswer('401 Unauthorized', '{}', { connection: 'close' }));
  };
  const error = await errorOf(callOf(client, 'refund', inputs['refund']));
  expect(error).toMatchObject({ code: 'connection_failed', outcome: 'rejected' });
  expect(gateway.sent).toHaveLength(1);
});

it('a call that may take longer than the client’s usual deadline does', async () => {
  stopTime();
  const link = { id: aSession, redirectUrl: 'https://pay.example/?sessionId=1' };
  gateway.wire = (socket) => {
    endTime();
    writes('201 Created', link)(socket);
  };
  const options = { timeoutMs: TIMEOUT_MS + 1 };
  const call = callOf(gateway.client, 'createPaymentLink', inputs['createPaymentLink'], options);
  await expect(call).resolves.toMatchObject({ sessionId: aSession });
});

it('a clock that jumps neither shortens nor lengthens the deadline', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
  let error: unknown;
  let atTheEnd: unknown;
  gateway.wire = async () => {
    vi.setSystemTime(Date.now() + 86_400_000);
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS - 1);
    atTheEnd = error;
    vi.setSystemTime(Date.now() - 2 * 86_400_000);
    vi.advanceTimersByTime(1);
  };
  error = await errorOf(gateway.call('refund'));
  expect(atTheEnd).toBeUndefined();
  expect(error).toMatchObject({ code: 'timeout', outcome: 'unknown' });
});
