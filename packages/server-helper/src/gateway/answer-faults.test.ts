import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  aLink,
  aSession,
  clientOf,
  errorOf,
  oddClientOf,
  startGateway,
} from '../../test-support/gateway-calls.ts';
import {
  type ScriptedGateway,
  sendJson,
  statusAnswer,
  statusRow,
} from '../../test-support/scripted-gateway.ts';
import type { GatewayClient } from './gateway-client.ts';

let gateway: ScriptedGateway;
let client: GatewayClient;

beforeEach(async () => void ({ gateway, client } = await startGateway(clientOf)));

const create = () => errorOf(client.createPaymentLink(aLink));
const retrieve = () => errorOf(client.retrieveStatus({ sessionId: aSession }));

function answer(status: number, body: unknown, headers: Record<string, string> = {}): void {
  gateway.script = (_request, response) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
  };
}

const goodLink = { id: aSession, redirectUrl: 'https://pay.example/checkout?sessionId=1' };
const HTML = '<!doctype html><title>Maintenance</title>';

describe('an answer to create-payment-link that is not as specified', () => {
  it.each([
    ['HTML', HTML],
    ['nothing', ''],
    ['truncated JSON', '{"id":"5e55'],
    ['null', null],
    ['a list', [goodLink]],
    ['an empty object', {}],
    ['no session id', { redirectUrl: goodLink.redirectUrl }],
    ['an empty session id', { ...goodLink, id: '' }],
    ['a number as session id', { ...goodLink, id: 17 }],
    ['a number as address', { ...goodLink, redirectUrl: 17 }],
    ['a number as error code', { ...goodLink, errorCode: 400 }],
    ['an address that runs a script', { ...goodLink, redirectUrl: 'javascript:alert(1)' }],
    ['an address of data', { ...goodLink, redirectUrl: 'data:text/html,hi' }],
    ['an address without an origin', { ...goodLink, redirectUrl: '/checkout' }],
    ['an address with credentials', { ...goodLink, redirectUrl: 'https://a:b@pay.example/' }],
    ['an address with a line break', { ...goodLink, redirectUrl: 'https://pay.example/\r\nX: y' }],
    ['an address with a backslash', { ...goodLink, redirectUrl: 'https:\\\\pay.example/' }],
  ])('is unreadable and unknown, and not asked for again: %s', async (_what, body) => {
    answer(201, body);
    const error = await create();
    expect(error).toMatchObject({
      code: 'unreadable_answer',
      outcome: 'unknown',
      httpStatus: 201,
      operation: 'createPaymentLink',
    });
    expect(gateway.creates).toHaveLength(1);
  });

  it('is a refusal when it bears an error code, even beside a link', async () => {
    answer(201, { ...goodLink, errorCode: '400', message: 'Refused', data: null });
    expect(await create()).toMatchObject({
      code: 'invalid_request',
      outcome: 'rejected',
      gatewayMessages: ['Refused'],
    });
  });

  it('writes a hosted page’s address in ASCII, as it will stand in a header', async () => {
    answer(201, { ...goodLink, redirectUrl: 'https://pay.example/دفع?sessionId=1' });
    await client.close();
    client = oddClientOf(gateway.origin);
    const { redirectUrl } = await client.createPaymentLink(aLink);
    expect(redirectUrl).toBe('https://pay.example/%D8%AF%D9%81%D8%B9?sessionId=1');
  });
});

describe('an answer to retrieve-status that is not as specified', () => {
  const inside = (data: unknown) => ({ code: 200, message: 'Success', errorCode: null, data });
  it.each([
    ['HTML', HTML],
    ['truncated JSON', '{"code":200,"data":{"content":['],
    ['content: {}', inside({ content: {}, totalElements: 0 })],
    ['a number as amount', statusAnswer([statusRow({ amount: 115 })])],
    ['a number as transaction id', statusAnswer([statusRow({ transactionId: 17 })])],
    ['a boolean as status', statusAnswer([statusRow({ transactionStatus: true })])],
    ['one bad row among good ones', statusAnswer([statusRow(), statusRow({ amount: null })])],
    ['a row that is null', statusAnswer([null])],
  ])('tells nothing of the money: %s', async (_what, body) => {
    answer(200, body);
    expect(await retrieve()).toMatchObject({ code: 'unreadable_answer', outcome: 'unknown' });
    expect(gateway.statusCalls).toHaveLength(1);
  });

  it.each([
    ['without data', null],
    ['with money in its data', statusAnswer([statusRow()]).data],
  ])('is an error when errorCode is set inside HTTP 200, %s', async (_what, data) => {
    answer(200, { code: 200, message: 'Try later', errorCode: '500', data });
    const error = await retrieve();
    expect(error).toMatchObject({
      code: 'rejected',
      outcome: 'rejected',
      httpStatus: 200,
      gatewayMessages: ['Try later'],
    });
  });
});

describe('an answer that is fine but odd', () => {
  it('is read by its body when its declared type is another', async () => {
    answer(201, goodLink, { 'content-type': 'text/html' });
    await expect(client.createPaymentLink(aLink)).resolves.toMatchObject({ sessionId: aSession });
  });

  it('may hold unknown fields and unknown words, which pass unchanged', async () => {
    answer(200, statusAnswer([statusRow({ paymentStatus: 'SETTLING', points: 3 })]));
    const { transactions } = await client.retrieveStatus({ sessionId: aSession });
    expect(transactions).toEqual([expect.objectContaining({ paymentStatus: 'SETTLING' })]);
    expect(transactions[0]).not.toHaveProperty('points');
  });

  it('may hold no transaction at all', async () => {
    answer(200, statusAnswer([]));
    await expect(client.retrieveStatus({ sessionId: aSession })).resolves.toEqual({
      transactions: [],
    });
  });
});

describe('a refusal', () => {
  it.each([
    [400, 'invalid_request', 'rejected'],
    [401, 'unauthorized', 'rejected'],
    [403, 'rejected', 'rejected'],
    [404, 'not_found', 'rejected'],
    [409, 'rejected', 'rejected'],
    [429, 'rate_limited', 'rejected'],
    [500, 'gateway_fault', 'unknown'],
    [502, 'gateway_fault', 'unknown'],
    [503, 'gateway_fault', 'unknown'],
  ])('of HTTP %i to a create is %s, %s, after one send', async (status, code, outcome) => {
    answer(status, { statusCode: status, message: 'No', error: 'No' }, { 'retry-after': '0' });
    expect(await create()).toMatchObject({ code, outcome, httpStatus: status });
    expect(gateway.creates).toHaveLength(1);
  });

  it('keeps every message of a validation, in order', async () => {
    const message = ['customerPhone should not be empty', 'amount must not be less than 0.01'];
    answer(400, { statusCode: 400, message, error: 'Bad Request' });
    expect((await create()).gatewayMessages).toEqual(message);
  });

  it.each([HTML, '', 'null', '[]', '{"message":{"a":1}}'])(
    'without readable messages has none: %s',
    async (body) => {
      answer(400, body);
      expect(await create()).toMatchObject({ code: 'invalid_request', gatewayMessages: [] });
    },
  );

  it('tells the gateway’s id of the request', async () => {
    answer(500, {}, { 'x-request-id': 'req-17' });
    expect(await create()).toMatchObject({ requestId: 'req-17' });
  });
});

describe('a redirect', () => {
  let elsewhere: Server;
  let visits: number;

  beforeEach(async () => {
    visits = 0;
    elsewhere = createServer((_request, response) => {
      visits += 1;
      sendJson(response, 200, statusAnswer([statusRow()]));
    }).listen(0, '127.0.0.1');
    elsewhere.on('connection', () => (visits += 1));
    await once(elsewhere, 'listening');
  });

  afterEach(() => elsewhere.close());

  it.each([301, 302, 303, 307, 308])('of HTTP %i is never followed', async (status) => {
    const location = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/v1/`;
    answer(status, {}, { location });
    expect(await create()).toMatchObject({ code: 'redirected', outcome: 'unknown' });
    expect(await retrieve()).toMatchObject({ code: 'redirected', outcome: 'unknown' });
    expect(gateway.seen).toHaveLength(2);
    expect(visits).toBe(0);
  });
});
