import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aSession, errorOf, oddClientOf } from '../../test-support/gateway-calls.ts';
import {
  ScriptedGateway,
  sendJson,
  statusAnswer,
  statusRow,
} from '../../test-support/scripted-gateway.ts';
import type { GatewayClient } from './gateway-client.ts';
import { lackOf } from './status.ts';

let gateway: ScriptedGateway;
let client: GatewayClient;

beforeAll(async () => {
  gateway = await new ScriptedGateway().start();
  client = oddClientOf(gateway.origin);
});

afterAll(async () => {
  await client.close();
  await gateway.close();
});

function ask(body: unknown) {
  gateway.script = (_request, response) => sendJson(response, 200, body);
  return client.retrieveStatus({ sessionId: aSession });
}

const around = (data: unknown) => ({ code: 200, message: 'Success', errorCode: null, data });
const paid = statusRow();
const { transactionId } = paid;
const declined = statusRow({ transactionStatus: 'FAILED', paymentStatus: 'DECLINED' });

/** The spellings of "no transaction" that are a whole answer. */
const nothing: readonly (readonly [string, unknown])[] = [
  ['an empty list', around({ content: [], totalElements: 0 })],
  ['an empty list without a count', around({ content: [] })],
  ['data that is null', around(null)],
  ['data that is null, and nothing else', { data: null }],
  ['data that is null, beside a code of 0', { ...around(null), code: 0 }],
  ['data that is null, beside scalars and an empty error', { ...around(null), at: 1, error: null }],
  ['data that is null, beside details of the call', { ...around(null), meta: { trace: 'a' } }],
  ['data that is null, beside no errors', { ...around(null), errors: [], errorMessage: 'Success' }],
  ['data that is null, beside a success', { ...around(null), success: true, status: 'OK' }],
  ['an empty list beside a code that is a text', { ...around({ content: [] }), code: '200' }],
  ['data that is null, beside a code of zeros', { ...around(null), code: '000' }],
  ['an empty list beside an empty errorCode', { ...around({ content: [] }), errorCode: '' }],
  ['data that is null, beside an errorCode of 0', { ...around(null), errorCode: 0 }],
  ['no data beside a code and an errorCode', { code: 200, errorCode: null, message: 'Success' }],
  ['no data beside a code', { code: 200 }],
  ['no data beside an errorCode', { errorCode: null }],
  ['an empty object', around({})],
  ['an empty list in place of the object', around([])],
  ['a list that is null', around({ content: null })],
  ['a list that is null, counted', around({ content: null, totalElements: 0 })],
  ['a list that is null, counted by null', around({ content: null, totalElements: null })],
  ['a list that is null, counted by a text', around({ content: null, totalElements: '0' })],
  ['no list, counted', around({ totalElements: 0 })],
  ['no list, counted beside a page', around({ totalElements: 0, totalPages: 0, size: 20 })],
  ['a count that is null', around({ totalElements: null })],
];

/** What is no answer about the session, or not a whole one. */
const unreadable: readonly (readonly [string, unknown])[] = [
  ['an object without an envelope', {}],
  ['null', null],
  ['an empty list', []],
  ['a text', 'nothing'],
  ['a message alone', { message: 'Success' }],
  ['another object', { status: 'UP' }],
  ['a list under another name', { transactions: [] }],
  ['the error of envelope B', { ...around(null), error: 'Not Found' }],
  ['the number of an error', { ...around(null), statusCode: 404 }],
  ['the code of an error', { ...around(null), code: 404 }],
  ['a code that is none of HTTP', { ...around(null), code: 1001 }],
  ['the code of an error as a text', { ...around({ content: [] }), code: '404' }],
  ['a code that is a word', { ...around(null), code: 'OK' }],
  ['an errorCode that is a blank', { ...around(null), errorCode: ' ' }],
  ['an errorCode that is a number', { ...around({ content: [] }), errorCode: 404 }],
  ['an error inside empty data', around({ content: null, error: 'timed out' })],
  ['an error beside a count of 0', around({ totalElements: 0, errorMessage: 'timed out' })],
  ['an error beside an empty list', around({ content: [], errors: [{ code: 7 }] })],
  ['a list of errors beside no data', { ...around(null), errors: ['timed out'] }],
  ['a failure beside no data', { ...around(null), success: false }],
  ['an error as status beside no data', { data: null, status: 'error', message: 'timed out' }],
  ['a failed status beside no data', { ...around(null), status: 500 }],
  ['data that is a text', around('')],
  ['data that is false', around(false)],
  ['data with other fields', around({ sessionId: aSession, status: 'EXPIRED' })],
  ['data with a list under another name', around({ transactions: [] })],
  ['a list that is an empty object', around({ content: {}, totalElements: 0 })],
  ['a list that is a text', around({ content: '', totalElements: 0 })],
  ['a list that is null, counted by a word', around({ content: null, totalElements: 'none' })],
  ['a list of null', around({ content: [null], totalElements: 0 })],
  ['rows beside the envelope’s data', { ...around(null), content: [declined], totalElements: 1 }],
  ['rows in place of data', { code: 200, errorCode: null, content: [declined], totalElements: 1 }],
  ['rows under another name', around({ content: null, totalElements: 0, rows: [declined] })],
  ['rows beside an empty list', around({ content: [], totalElements: 0, rows: [declined] })],
];

describe('a status answer in HTTP 200', () => {
  it.each(nothing)('says that nothing was tried: %s', async (_what, body) => {
    const status = await ask(body);
    expect([status, lackOf(status)]).toEqual([{ transactions: [] }, undefined]);
  });

  it.each(unreadable)('cannot be read: %s', async (_what, body) => {
    const error = await errorOf(ask(body));
    expect([error.code, lackOf(error)?.unreadable ?? []]).toEqual(['unreadable_answer', []]);
  });

  it.each([
    ['404', 'not_found'],
    ['500', 'rejected'],
    ['SESSION_EXPIRED', 'rejected'],
    ['1', 'rejected'],
    ['000-1', 'rejected'],
  ])('is the error %s, not nothing', async (errorCode, code) => {
    for (const data of [null, {}, { content: null, totalElements: 0 }]) {
      expect((await errorOf(ask({ ...around(data), errorCode }))).code).toBe(code);
    }
  });

  it.each([null, undefined])(
    'lacks the rows that it counts where its list is %s',
    async (content) => {
      for (const totalElements of [3, '3']) {
        const error = await errorOf(ask(around({ content, totalElements })));
        expect([error.code, lackOf(error)?.missing]).toEqual(['unreadable_answer', 3]);
      }
      const status = await ask(around({ content: [], totalElements: '3' }));
      expect(lackOf(status)?.missing).toBe(3);
    },
  );

  it.each(['000', '00', '0', 'null', 'NULL', 'none', 'OK', 'Success', '200', ' 000 '])(
    'is a success under the errorCode "%s", also without a row',
    async (errorCode) => {
      expect((await ask({ ...statusAnswer([paid]), errorCode })).transactions).toHaveLength(1);
      expect(await ask({ ...around(null), errorCode })).toEqual({ transactions: [] });
    },
  );

  it('is read where its one row stands without a list', async () => {
    const { transactions } = await ask(around({ content: paid, totalElements: 1 }));
    expect(transactions).toMatchObject([{ transactionId, amount: '115.00' }]);
  });

  it.each<[string, unknown, readonly (string | null)[]]>([
    ['beside an unknown errorCode', { ...statusAnswer([paid]), errorCode: 'E00' }, [transactionId]],
    [
      'beside the errorCode of an error',
      { ...statusAnswer([paid]), errorCode: '500' },
      [transactionId],
    ],
    ['beside an errorCode of 0', { ...statusAnswer([paid]), errorCode: 0 }, [transactionId]],
    ['as the data itself', around(paid), [transactionId]],
    ['in a list that is the data', around([paid]), [transactionId]],
    ['under another name', around({ transactions: [paid] }), [transactionId]],
    [
      'beside an empty list',
      around({ content: [], totalElements: 0, last: paid }),
      [transactionId],
    ],
    ['one list deeper', around({ content: [[paid]], totalElements: 1 }), [transactionId]],
    [
      'by numbers',
      around({ content: { 0: paid, 1: declined }, totalElements: 2 }),
      [transactionId],
    ],
    ['in an envelope inside', around({ data: { content: [paid] } }), [transactionId]],
    ['in no envelope', [paid], [transactionId]],
    ['in no data', { code: 200, errorCode: null, content: [paid] }, [transactionId]],
    [
      'without its list and its transaction',
      around({ content: statusRow({ transactionId: 1 }) }),
      [null],
    ],
  ])('may be money that cannot be read: a paid row %s', async (_what, body, found) => {
    expect(lackOf(await errorOf(ask(body)))?.unreadable).toEqual(found);
  });
});
