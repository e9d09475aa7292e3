import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { aLink, aSession, callOf, oddClientOf, errorOf } from '../../test-support/gateway-calls.ts';
import { askingInputs, changingInputs } from '../../test-support/operation-inputs.ts';
import { httpAnswer, RawServer } from '../../test-support/raw-server.ts';
import { statusAnswer, statusRow } from '../../test-support/scripted-gateway.ts';
import type { GatewayClient } from './gateway-client.ts';

const loggedIn = httpAnswer('200 OK', JSON.stringify({ accessToken: 'portal-token' }));
const goodLink = { id: aSession, redirectUrl: 'https://pay.example/?sessionId=1' };
const link = JSON.stringify(goodLink);
const inputs = { ...changingInputs, ...askingInputs };

let server: RawServer;
let client: GatewayClient;
/** What the gateway writes to each request that is no login. */
let wire: string | Buffer;

beforeEach(async () => {
  server = await new RawServer({
    onRequest: (socket, _count, request) =>
      socket.write(request.includes('/auth/login') ? loggedIn : wire),
  }).start();
  const portal = { username: 'noura', password: 'a password' };
  client = oddClientOf(server.origin, { timeoutMs: 20_000, portal });
});

afterEach(async () => {
  await client.close();
  await server.close();
});

const sent = () => server.requests.filter((request) => !request.includes('/auth/login'));
const call = (operation: string) => callOf(client, operation, inputs[operation]);
const create = () => client.createPaymentLink(aLink);
const retrieve = () => client.retrieveStatus({ sessionId: aSession });

function answer(status: string, body: unknown, headers: Record<string, string> = {}): void {
  const text = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  wire = httpAnswer(status, text, headers);
}

describe('what comes before and behind an answer', () => {
  it('word of an answer to come is passed over, however often it is given', async () => {
    const hint = 'HTTP/1.1 103 Early Hints\r\ncontent-encoding: gzip\r\n\r\n';
    const processing = 'HTTP/1.1 102 Processing\r\n\r\n';
    wire = Buffer.concat([Buffer.from(hint + processing + hint), httpAnswer('201 Created', link)]);
    await expect(create()).resolves.toEqual({
      sessionId: aSession,
      redirectUrl: goodLink.redirectUrl,
    });
  });

  it('word of an answer that never comes ends with the deadline', async () => {
    wire = 'HTTP/1.1 103 Early Hints\r\n\r\n';
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const asked = errorOf(client.createPaymentLink(aLink, { timeoutMs: 1_000 }));
    await vi.waitFor(() => expect(sent()).toHaveLength(1), { timeout: 1_000 });
    vi.advanceTimersByTime(1_000);
    const error = await asked;
    expect(error).toMatchObject({ code: 'timeout', outcome: 'unknown', httpStatus: undefined });
  });

  it.each(['100 Continue', '101 Switching Protocols'])(
    'HTTP %s, which nobody asked for, never makes a success',
    async (status) => {
      wire = `HTTP/1.1 ${status}\r\n${status.startsWith('101') ? 'upgrade: x\r\nconnection: upgrade\r\n' : ''}\r\n`;
      expect(await errorOf(create())).toMatchObject({
        code: 'connection_lost',
        outcome: 'unknown',
      });
      expect(sent()).toHaveLength(1);
    },
  );

  it('trailers are passed over', async () => {
    wire = `HTTP/1.1 201 Created\r\ntransfer-encoding: chunked\r\n\r\n${link.length.toString(16)}\r\n${link}\r\n0\r\nid: other\r\nx-api-key: other\r\n\r\n`;
    await expect(create()).resolves.toMatchObject({ sessionId: aSession });
  });

  it('two different lengths are no answer', async () => {
    answer('201 Created', link, { 'Content-Length': '5' });
    expect(await errorOf(create())).toMatchObject({ outcome: 'unknown' });
    expect(sent()).toHaveLength(1);
  });

  it('a length shorter than the body cuts it', async () => {
    answer('201 Created', link, { 'content-length': String(link.length - 1) });
    expect(await errorOf(create())).toMatchObject({
      code: 'unreadable_answer',
      outcome: 'unknown',
    });
  });
});

describe('a body', () => {
  it('with a byte order mark is read', async () => {
    answer('201 Created', `\uFEFF${link}`);
    await expect(create()).resolves.toMatchObject({ sessionId: aSession });
  });

  it.each<[string, unknown]>([
    ['that is no UTF-8', Buffer.from(link.replace('5e55', '5e\u00FF5'), 'latin1')],
    ['that ends inside a character', Buffer.from(`${link} \u062F`).subarray(0, -1)],
    ['in UTF-16', Buffer.from(link, 'utf16le')],
    ['with a NUL inside its text', link.replace('5e55', '5e\u00005')],
    ['with NULs behind it', `${link}\u0000\u0000`],
    ['of two values', `${link}${link}`],
    ['with a comment', `${link}// ok`],
    ['nested deeper than anything is read', '['.repeat(30_000) + ']'.repeat(30_000)],
    ['with a control character in the id', link.replace('5e55', String.raw`5e\u00005`)],
    ['with half of a character in the id', link.replace('5e55', String.raw`5e\ud8005`)],
    ['with a blank id', link.replace(aSession, '   ')],
    ['with the id on the prototype', `{"__proto__":${link}}`],
    ['with the id on a constructor', `{"constructor":{"prototype":${link}}}`],
    ['nested as deep as it can be', `${'['.repeat(30_000)}${']'.repeat(30_000)}`],
    ['with such a field', `{"x":${'['.repeat(30_000)}${']'.repeat(30_000)}}`],
    ['with an error’s number inside a success', { ...goodLink, statusCode: 400 }],
  ])('%s is unreadable, and the create unknown', async (_what, body) => {
    answer('201 Created', body);
    const error = await errorOf(create());
    expect(error).toMatchObject({ code: 'unreadable_answer', outcome: 'unknown', httpStatus: 201 });
    expect(sent()).toHaveLength(1);
    expect(Object.prototype).not.toHaveProperty('id');
  });

  it.each([
    ['of a number', { ...statusAnswer([statusRow()]), errorCode: 0 }],
    ['of an empty text', { ...statusAnswer([statusRow()]), errorCode: '' }],
    ['of a blank', { ...statusAnswer([statusRow()]), errorCode: ' ' }],
    ['that is false', { ...statusAnswer([statusRow()]), errorCode: false }],
    ['of an object', { ...statusAnswer([statusRow()]), errorCode: {} }],
    ['null but a code of HTTP 500', { ...statusAnswer([statusRow()]), code: 500 }],
    ['null but a code that is text', { ...statusAnswer([statusRow()]), code: '200' }],
  ])('with an error code %s beside money tells nothing', async (_what, body) => {
    answer('200 OK', body);
    expect(await errorOf(retrieve())).toMatchObject({ code: 'unreadable_answer' });
  });

  it('may bear as numbers what no specification states', async () => {
    answer('200 OK', statusAnswer([statusRow({ currencyCode: 682, orderId: 1001 })]));
    const { transactions } = await retrieve();
    expect(transactions).toMatchObject([{ currencyCode: '682', merchantOrderId: '1001' }]);
  });

  it('never shows a card number whole, nor a key in a reason', async () => {
    const declineReason = 'key-1 refused the card';
    answer('200 OK', statusAnswer([statusRow({ pan: '4201320111111010', declineReason })]));
    const { transactions } = await retrieve();
    expect(transactions).toMatchObject([
      { pan: '420132******1010', declineReason: 'a message of 22 characters' },
    ]);
  });
});

const gzipped = gzipSync('{"message":"No"}');
const huge = 'x'.repeat(5_000_000);

/** Operations whose answer decides nothing, with the results of a success without a body. */
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
    ['a text', 'done'],
  ])('is unknown after HTTP 200 with %s', async (_what, body) => {
    answer('200 OK', JSON.stringify(body));
    const error = await errorOf(call(operation));
    expect(error).toMatchObject({ code: 'unreadable_answer', outcome: 'unknown', operation });
    expect(sent()).toHaveLength(1);
  });

  it('is unknown after HTTP 200 without a body, where the body decides', async () => {
    answer('200 OK', '');
    const result = call(operation);
    if (emptyResults.has(operation))
      await expect(result).resolves.toEqual(emptyResults.get(operation));
    else expect(await errorOf(result)).toMatchObject({ code: 'unreadable_answer' });
  });

  it('reads no body that stands behind HTTP 204', async () => {
    answer('204 No Content', link);
    const result = call(operation);
    if (emptyResults.has(operation))
      await expect(result).resolves.toEqual(emptyResults.get(operation));
    else expect(await errorOf(result)).toMatchObject({ outcome: 'unknown', httpStatus: 204 });
  });
});

describe.each(['retrieveStatus', 'listWebhooks', 'refund', 'updateWebhook', 'deleteWebhook'])(
  '%s',
  (operation) => {
    const isQuestion = Object.hasOwn(askingInputs, operation);

    it.each([
      ['compressed', gzipped, { 'content-encoding': 'gzip' }],
      ['5 MB large', huge, {}],
      ['no UTF-8', Buffer.from([0xff, 0xfe, 0x7b]), {}],
    ])('is judged by its status where the error’s body is %s', async (_what, body, headers) => {
      answer('400 Bad Request', body, headers);
      const refused = await errorOf(call(operation));
      expect(refused).toMatchObject({ code: 'invalid_request', outcome: 'rejected' });
      expect(refused.gatewayMessages).toEqual([]);
      answer('503 Busy', body, { ...headers, 'retry-after': '0' });
      const before = sent().length;
      expect(await errorOf(call(operation))).toMatchObject({
        code: 'gateway_fault',
        outcome: 'unknown',
      });
      expect(sent()).toHaveLength(before + (isQuestion ? 3 : 1));
    });
  },
);

const informing = ['environment', 'status', 'createdAt', 'expiresAt', 'name', 'type', 'terminalId'];

describe.each([
  ['retrieveCredentials', 'credentials', { id: 'c-1', apiKey: '****1' }],
  ['listSdkTokens', 'sdkTokens', { id: 'sdk-1' }],
])('a record of %s', (operation, list, record) => {
  const readRecord = async (changes: object): Promise<unknown> => {
    answer('200 OK', { [list]: [{ ...record, ...changes }] });
    return ((await call(operation)) as Record<string, readonly unknown[]>)[list]?.[0];
  };

  it.each(informing)('is read whatever its %s is', async (field) => {
    for (const value of [null, true, 0, 1.5, '', [], {}, undefined]) {
      expect(await readRecord({ [field]: value })).toMatchObject(record);
    }
  });

  it('has an id of digits where the gateway gives a number, and an empty one where it has none', async () => {
    expect(await readRecord({ id: 17 })).toMatchObject({ ...record, id: '17' });
    expect(await readRecord({ id: null })).toMatchObject({ ...record, id: '' });
  });
});
