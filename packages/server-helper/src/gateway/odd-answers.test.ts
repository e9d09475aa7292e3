import { createServer } from 'node:http';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { aLink, aSession, errorOf } from '../../test-support/gateway-calls.ts';
import { httpAnswer } from '../../test-support/raw-server.ts';
import { hostOf } from '../../test-support/shop-host.ts';
import { WiredGateway } from '../../test-support/wired-gateway.ts';
import { inputs } from '../../test-support/operation-inputs.ts';
import { GatewayError } from './gateway-error.ts';

const goodLink = { id: aSession, redirectUrl: 'https://pay.example/?sessionId=1' };
const link = JSON.stringify(goodLink);
const nested = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;

let gateway: WiredGateway;
beforeEach(async () => {
  gateway = await WiredGateway.start({ timeoutMs: 20_000, breaker: false });
});
afterEach(() => gateway.close());

const create = () => gateway.client.createPaymentLink(aLink);
const made = { sessionId: aSession, redirectUrl: goodLink.redirectUrl };
const unreadable = { code: 'unreadable_answer', outcome: 'unknown' };

describe('what comes before and behind an answer', () => {
  it('word of an answer to come is passed over, however often it is given', async () => {
    const hint = 'HTTP/1.1 103 Early Hints\r\ncontent-encoding: gzip\r\n\r\n';
    const processing = 'HTTP/1.1 102 Processing\r\n\r\n';
    const words = Buffer.from(hint + processing + hint);
    gateway.wire = Buffer.concat([words, httpAnswer('201 Created', link)]);
    await expect(create()).resolves.toEqual(made);
  });

  it('word of an answer that never comes ends with the deadline', async () => {
    gateway.wire = 'HTTP/1.1 103 Early Hints\r\n\r\n';
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const asked = errorOf(gateway.client.createPaymentLink(aLink, { timeoutMs: 1_000 }));
    await vi.waitFor(() => expect(gateway.sent).toHaveLength(1), { timeout: 1_000 });
    vi.advanceTimersByTime(1_000);
    const expected = { code: 'timeout', outcome: 'unknown', httpStatus: undefined };
    expect(await asked).toMatchObject(expected);
  });

  const unasked = ['100 Continue', '101 Switching\r\nupgrade: x\r\nconnection: upgrade'];
  it.each(unasked)('HTTP %s, for which nobody asked, never makes a success', async (head) => {
    gateway.wire = `HTTP/1.1 ${head}\r\n\r\n`;
    expect(await errorOf(create())).toMatchObject({ code: 'connection_lost', outcome: 'unknown' });
    expect(gateway.sent).toHaveLength(1);
  });

  it('trailers are passed over', async () => {
    const chunk = `${link.length.toString(16)}\r\n${link}\r\n0\r\nid: other\r\nx-api-key: other\r\n\r\n`;
    gateway.wire = `HTTP/1.1 201 Created\r\ntransfer-encoding: chunked\r\n\r\n${chunk}`;
    await expect(create()).resolves.toEqual(made);
  });

  it('two different lengths are no answer, and a length shorter than the body cuts it', async () => {
    gateway.answer('201 Created', link, { 'Content-Length': '5' });
    expect(await errorOf(create())).toMatchObject({ outcome: 'unknown' });
    expect(gateway.sent).toHaveLength(1);
    gateway.answer('201 Created', link, { 'content-length': String(link.length - 1) });
    expect(await errorOf(create())).toMatchObject(unreadable);
  });
});

it.each([301, 302, 303, 307, 308])('a redirect of HTTP %i is never followed', async (status) => {
  let visits = 0;
  const server = createServer().on('connection', () => (visits += 1));
  const elsewhere = await hostOf(server.listen(0, '127.0.0.1'));
  onTestFinished(() => elsewhere.close());
  const location = `http://127.0.0.1:${elsewhere.port}/v1/`;
  gateway.answer(`${status} Moved`, {}, { location });
  for (const operation of ['createPaymentLink', 'retrieveStatus']) {
    const redirected = { code: 'redirected', outcome: 'unknown' };
    expect(await errorOf(gateway.call(operation))).toMatchObject(redirected);
  }
  expect([gateway.sent.length, visits]).toEqual([2, 0]);
});

describe('the body of a created link', () => {
  it('is read with a byte order mark, and whatever its declared type', async () => {
    gateway.answer('201 Created', `\uFEFF${link}`, { 'content-type': 'text/html' });
    await expect(create()).resolves.toEqual(made);
  });

  it('has its address written in ASCII, as it will stand in a header', async () => {
    gateway.answer('201 Created', { ...goodLink, redirectUrl: 'https://pay.example/دفع?id=1' });
    const redirectUrl = 'https://pay.example/%D8%AF%D9%81%D8%B9?id=1';
    expect(await create()).toMatchObject({ redirectUrl });
  });

  it.each<[string, unknown]>([
    ['with such a field', `{"x":${nested}}`],
    ['with the id on the prototype', `{"__proto__":${link}}`],
  ])('cannot be read, and the create is unknown: %s', async (_what, body) => {
    gateway.answer('201 Created', body);
    expect(await errorOf(create())).toMatchObject({ ...unreadable, httpStatus: 201 });
    expect(gateway.sent).toHaveLength(1);
    expect(Object.prototype).not.toHaveProperty('id');
  });
});

/** The operations whose answer decides nothing, with the results of a success without a body. */
const emptyResults: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['deleteWebhook', undefined],
  ['updateWebhook', { id: 'wh-1', url: '' }],
  ['updateSdkToken', { id: 'sdk-1' }],
]);

describe.each(Object.keys(inputs))('%s', (operation) => {
  it.each([
    ['an errorCode of a number', { errorCode: 400, data: null }],
    ['an errorCode that is empty', { errorCode: '', data: null }],
    ['an error’s number and no more', { statusCode: 400, message: ['No'], error: 'Bad Request' }],
    ['a list', []],
    ['HTML', '<html></html>'],
    ['truncated JSON', '{"code":200,"data":{"resu'],
  ])('is unknown after HTTP 200 with %s', async (_what, body) => {
    gateway.answer('200 OK', body);
    expect(await errorOf(gateway.call(operation))).toMatchObject({ ...unreadable, operation });
    expect(gateway.sent).toHaveLength(1);
  });

  it.each([
    ['200 OK', ''],
    ['204 No Content', link],
  ])('is unknown after HTTP %s without a body, where the body decides', async (...answer) => {
    gateway.answer(...answer);
    const result = gateway.call(operation);
    if (emptyResults.has(operation)) expect(await result).toEqual(emptyResults.get(operation));
    else expect(await errorOf(result)).toMatchObject({ outcome: 'unknown' });
  });
});

describe('what an error says', () => {
  const inC = (responseBody: unknown) => ({ statusCode: 400, responseBody });
  const messagesAfter = async (status: string, body: unknown): Promise<readonly string[]> => {
    gateway.answer(status, body);
    return (await errorOf(gateway.call('chargeRecurring'))).gatewayMessages;
  };

  it.each<[string, unknown, readonly string[]]>([
    ['A', { code: 400, message: 'No', errorCode: '400', data: null }, ['No']],
    ['B, several', { statusCode: 400, message: ['No', 'never'], error: 'Bad' }, ['No', 'never']],
    ['C, several', inC({ message: ['No', 'never'] }), ['No', 'never']],
    ['C, all three', inC({ message: 'A', decline_reason: 'B', error: 'C' }), ['A', 'B', 'C']],
    ['C, one thing twice', inC({ message: 'A', error: 'A' }), ['A']],
  ])('is read from the places of envelope %s', async (_envelope, body, messages) => {
    for (const status of ['400 No', '402 No', '500 No']) {
      expect(await messagesAfter(status, body)).toEqual(messages);
    }
  });

  const silent = [null, [], 17, '', {}, { message: null }, { message: {} }, { message: ' ' }, [[]]];
  it.each(silent)('is nothing after %j', async (body) => {
    expect(await messagesAfter('400 No', { responseBody: body })).toEqual([]);
    expect(await messagesAfter('400 No', body)).toEqual([]);
  });

  it('has the gateway’s id of the request', async () => {
    gateway.answer('500 Fault', {}, { 'x-request-id': 'req-17' });
    expect(await errorOf(create())).toMatchObject({ requestId: 'req-17' });
  });
});

/** Records that operations read, each in its answer. */
const records: Readonly<Record<string, (record: object) => object>> = {
  retrieveCredentials: (record) => ({ credentials: [{ apiKey: '****1', ...record }] }),
  listSdkTokens: (record) => ({ sdkTokens: [record] }),
  rotateApiKey: (record) => ({ apiKey: 'sk-1', ...record }),
  createSdkToken: (record) => ({ token: 'sdk-token-1', ...record }),
  createWebhook: (record) => ({ url: 'https://shop.example/w', secret: 'whsec-1', ...record }),
};

it.each(Object.entries(records))('a record of %s is read whatever only informs', async (...row) => {
  const [operation, answerWith] = row;
  const names = 'environment status createdAt expiresAt name type terminalId active events';
  for (const value of [null, true, 0, 1.5, '', [], {}, undefined]) {
    const odd = Object.fromEntries(names.split(' ').map((name) => [name, value]));
    gateway.answer('200 OK', answerWith({ id: 17, ...odd }));
    expect(await gateway.call(operation)).toMatchObject(answerWith({ id: '17' }));
  }
});

const anOperation = fc.constantFrom(...Object.keys(inputs));

/** What a call returns; an error is about this operation and never claims that nothing was sent. */
async function valueOf(operation: string): Promise<readonly unknown[]> {
  try {
    return [await gateway.call(operation)];
  } catch (error) {
    expect(error).toBeInstanceOf(GatewayError);
    const outcome = expect.stringMatching(/rejected|unknown/);
    expect(error).toMatchObject({ operation, outcome });
    return [];
  }
}

const bytes = fc.uint8Array({ minLength: 1, maxLength: 1_000 }).map((some) => Buffer.from(some));
const status = fc.constantFrom('200 OK', '201 Created', '204 No Content', '400 Bad', '401 No');
const body = fc.oneof(bytes, fc.json({ maxDepth: 4 }));
const answer = fc.tuple(status, body).map((parts) => httpAnswer(...parts));

it('a call ends with a value or a GatewayError whatever bytes or JSON are the body, or the whole answer', async () => {
  const wire = fc.oneof(bytes, answer);
  const property = fc.asyncProperty(anOperation, wire, async (operation, written) => {
    gateway.wire = (socket) => socket.end(written);
    for (const value of await valueOf(operation)) {
      expect([...emptyResults]).toContainEqual([operation, value]);
    }
  });
  const interruptAfterTimeLimit = 5_000;
  await fc.assert(property, { numRuns: 400, interruptAfterTimeLimit });
});
