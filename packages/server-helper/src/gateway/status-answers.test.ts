import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { statusVectors } from '../../../../contract/vectors.ts';
import { aSession, clientOf, errorOf } from '../../test-support/gateway-calls.ts';
import { anAttempt } from '../../test-support/records.ts';
import { inA, ScriptedGateway, sendJson } from '../../test-support/scripted-gateway.ts';
import { statusAnswer, statusRow } from '../../test-support/scripted-gateway.ts';
import { merchantOrderId, sessionId } from '../ids.ts';
import { money } from '../money.ts';
import { judge } from '../payments/judge.ts';
import type { GatewayClient } from './gateway-client.ts';
import { GatewayError } from './gateway-error.ts';
import type { GatewayProfile } from './profile.ts';
import { lackOf, type Transaction } from './status.ts';

let gateway: ScriptedGateway;
let client: GatewayClient;

beforeAll(async () => {
  gateway = await new ScriptedGateway().start();
  client = clientOf(gateway.origin);
});

afterAll(async () => {
  await client.close();
  await gateway.close();
});

function ask(body: unknown, status = 200) {
  gateway.script = (_request, response) => sendJson(response, status, body);
  return client.retrieveStatus({ sessionId: aSession });
}

const transactionsOf = async (row: unknown): Promise<readonly Transaction[]> =>
  (await ask(statusAnswer([row]))).transactions;

type Verdict = [outcome: Outcome, receipts: number];
type Outcome = 'paid' | 'review' | 'failed' | 'nothing' | 'unreadable';

/** What an answer comes to for an order of 115.00 SAR under the name 1001~1, and how many payments it shows. */
async function verdictOf(body: unknown, about = anAttempt(), status = 200): Promise<Verdict> {
  const answer = await ask(body, status).catch((error: unknown) => {
    expect(error).toBeInstanceOf(GatewayError);
    return null;
  });
  if (answer === null) return ['unreadable', 0];
  const rows = answer.transactions;
  const rest = { rows, isFull: true, ledger: [], boundElsewhere: new Map() };
  const verdict = judge({ attempt: about, ...rest });
  if (verdict.kind !== 'money') return [verdict.kind, 0];
  return [verdict.discrepancies.length > 0 ? 'review' : 'paid', verdict.receipts.length];
}

const outcomeOf = async (row: unknown) => (await verdictOf(statusAnswer([row])))[0];

const { asked, answers } = statusVectors;
const attempt = anAttempt({
  orderId: asked.orderId,
  merchantOrderId: merchantOrderId(asked.merchantOrderId),
  sessionId: sessionId(asked.sessionId),
  amount: money(asked.amount, asked.currency),
});

it.each(answers)('the answer $name means $verdict', async ({ status, body, verdict, also }) => {
  const [outcome, receipts] = await verdictOf(body, attempt, status);
  expect(outcome === 'unreadable' ? 'nothing' : outcome).toBe(verdict);
  if (verdict === 'paid') expect(receipts).toBe(also === undefined ? 1 : 2);
});

const paid = statusRow();
const { transactionId } = paid;
const declined = statusRow({ transactionStatus: 'FAILED', paymentStatus: 'DECLINED' });

/** The spellings of "no transaction" that are a whole answer. */
const nothing: readonly (readonly [string, unknown])[] = [
  ['data that is null, and nothing else', { data: null }],
  ['data that is null, beside a code of 0', { ...inA(null), code: 0 }],
  ['an empty list beside a code that is a text', { ...inA({ content: [] }), code: '200' }],
  ['an empty list beside an empty errorCode', { ...inA({ content: [] }), errorCode: '' }],
  ['data that is null, beside an errorCode of 0', { ...inA(null), errorCode: 0 }],
  ['no data beside a code and an errorCode', { code: 200, errorCode: null, message: 'Success' }],
  ['no data beside an errorCode', { errorCode: null }],
  ['an empty object', inA({})],
  ['a list that is null, counted by a text', inA({ content: null, totalElements: '0' })],
  ['an empty object in place of the list', inA({ content: {}, totalElements: 0 })],
  ['an empty text in place of the list', inA({ content: '' })],
];

/** What is no answer about the session, or not a whole one. */
const unreadable: readonly (readonly [string, unknown])[] = [
  ['an object without an envelope', {}],
  ['a message alone', { message: 'Success' }],
  ['the number of an error', { ...inA(null), statusCode: 404 }],
  ['the code of an error', { ...inA(null), code: 404 }],
  ['a code that is none of HTTP', { ...inA(null), code: 1001 }],
  ['an error beside an empty list', inA({ content: [], errors: [{ code: 7 }] })],
  ['an error as status beside no data', { data: null, status: 'error', message: 'timed out' }],
  ['a failed status beside no data', { ...inA(null), status: 500 }],
  ['a failure beside an empty list', { ...statusAnswer([]), success: false }],
  ['data that is false', inA(false)],
  ['data with other fields', inA({ sessionId: aSession, status: 'EXPIRED' })],
  ['a list that is null, counted by a word', inA({ content: null, totalElements: 'none' })],
  ['rows beside the envelope’s data', { ...inA(null), content: [declined], totalElements: 1 }],
  ['rows under another name', inA({ content: null, totalElements: 0, rows: [declined] })],
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
    ['000-1', 'rejected'],
  ])('is the error %s, not nothing', async (errorCode, code) => {
    for (const data of [null, {}, { content: null, totalElements: 0 }]) {
      expect((await errorOf(ask({ ...inA(data), errorCode }))).code).toBe(code);
    }
  });

  it.each([null, undefined])('lacks the rows it counts where its list is %s', async (content) => {
    for (const totalElements of [3, '3']) {
      const error = await errorOf(ask(inA({ content, totalElements })));
      expect([error.code, lackOf(error)?.missing]).toEqual(['unreadable_answer', 3]);
    }
    const status = await ask(inA({ content: [], totalElements: '3' }));
    expect(lackOf(status)?.missing).toBe(3);
  });

  const noErrors = ['000', '00', '0', 'null', 'NULL', 'none', 'OK', 'Success', '200', ' 000 '];
  it.each(noErrors)('is a success under "%s", also without a row', async (errorCode) => {
    expect((await ask({ ...statusAnswer([paid]), errorCode })).transactions).toHaveLength(1);
    expect(await ask({ ...inA(null), errorCode })).toEqual({ transactions: [] });
  });

  it('is read where its one row stands without a list', async () => {
    const { transactions } = await ask(inA({ content: paid, totalElements: 1 }));
    expect(transactions).toMatchObject([{ transactionId, amount: '115.00' }]);
  });

  it.each<[string, unknown]>([
    ['beside an unknown errorCode', { ...statusAnswer([paid]), errorCode: 'E00' }],
    ['beside the code of an error', { ...statusAnswer([paid]), code: 500 }],
    ['as the data itself', inA(paid)],
    ['under another name', inA({ transactions: [paid] })],
    ['beside an empty list', inA({ content: [], totalElements: 0, last: paid })],
    ['in no data', { code: 200, errorCode: null, content: [paid] }],
  ])('may be money that cannot be read: a paid row %s', async (_what, body) => {
    expect(lackOf(await errorOf(ask(body)))?.unreadable).toEqual([transactionId]);
  });

  it('may be money of no transaction: a paid row without its list and its transaction', async () => {
    const error = await errorOf(ask(inA({ content: statusRow({ transactionId: 1 }) })));
    expect(lackOf(error)?.unreadable).toEqual([null]);
  });
});

/** A value of every type of JSON, and none at all. */
const values = [null, true, 0, 1.5, '', [], {}, undefined] as const;

const always = (outcome: Outcome): readonly Outcome[] => values.map(() => outcome);

const outcomes: Readonly<Record<string, readonly Outcome[]>> = {
  transactionId: always('unreadable'),
  amount: values.map((value) => (value === '' ? 'review' : 'unreadable')),
  transactionStatus: values.map((value) => (value === '' ? 'nothing' : 'unreadable')),
  paymentStatus: always('nothing'),
  refundStatus: ['paid', 'review', 'review', 'review', 'paid', 'review', 'review', 'paid'],
  totalRefundAmount: ['paid', 'review', 'paid', 'review', 'paid', 'review', 'review', 'paid'],
  currencyCode: values.map((value) => (value === 0 ? 'review' : 'paid')),
  currency: values.map((value) => (value === 0 ? 'review' : 'paid')),
  merchantOrderId: always('paid'),
  orderId: always('paid'),
  pan: always('paid'),
  cardScheme: always('paid'),
  recurringToken: always('paid'),
  declineReason: always('paid'),
  rrn: always('paid'),
};

const cases = Object.entries(outcomes).flatMap(([field, expected]) =>
  values.map((value, at) => [field, value, expected[at]] as const),
);

it.each(cases)('a row that says paid with %s: %j is %s', async (field, value, expected) => {
  expect(await outcomeOf(statusRow({ [field]: value }))).toBe(expected);
});

describe('a refunded total', () => {
  it.each([
    [0, '0.00'],
    [4.35, '4.35'],
    [1_234_567_890_123.45, '1234567890123.45'],
    ['20', '20.00'],
    ['20.5', '20.50'],
  ])('of %j is read to the last halala', async (totalRefundAmount, read) => {
    const row = statusRow({ refundStatus: 'PARTIAL', totalRefundAmount });
    const [transaction] = await transactionsOf(row);
    expect(transaction?.totalRefundAmount).toBe(read);
  });

  const inexact = [19.999, 1e21, -20, '19.999', '2e1', '٢٠', 'all', ' 20.00', {}, [[20]], true];
  it.each(inexact)('of %j is for a person where it decides', async (totalRefundAmount) => {
    for (const refundStatus of ['NONE', 'PARTIAL', 'FULL']) {
      expect(await outcomeOf(statusRow({ refundStatus, totalRefundAmount }))).toBe('review');
    }
  });
});

describe('what a row says of its card and its currency', () => {
  const noPans = [4_201_320_111_111_010, 1010, true, { number: '4201320111111010' }];
  it.each(noPans)('is no card number where that is %j', async (pan) => {
    const [transaction] = await transactionsOf(statusRow({ pan }));
    expect(transaction?.pan).toBeUndefined();
    expect(JSON.stringify(transaction)).not.toContain('1010');
  });

  it('is a number of three digits where the currency is one of fewer', async () => {
    const [transaction] = await transactionsOf(statusRow({ currencyCode: 36 }));
    expect(transaction?.currencyCode).toBe('036');
  });

  it.each(['SAR', 'USD'])('is that of both fields: 682 beside %s', async (currency) => {
    const outcome = currency === 'SAR' ? 'paid' : 'review';
    expect(await outcomeOf(statusRow({ currencyCode: '682', currency }))).toBe(outcome);
  });

  it('is left out where it says nothing', async () => {
    const empty = { pan: '', cardScheme: ' ', recurringToken: '', declineReason: ' ' };
    const [transaction] = await transactionsOf(statusRow({ ...empty, currencyCode: '' }));
    expect(transaction).toEqual({ ...statusRow(), pan: undefined, cardScheme: undefined });
  });
});

describe.each(['\u0000', '\n', '\uD800'])('the sign %j', (odd) => {
  it.each([
    ['refundStatus', `NO${odd}NE`],
    ['totalRefundAmount', `0.00${odd}`],
    ['pan', `420132******${odd}1010`],
    ['declineReason', odd],
  ])('is left out of the text %s, and changes nothing', async (field, value) => {
    expect(await outcomeOf(statusRow({ [field]: value }))).toBe('paid');
    const [transaction] = await transactionsOf(statusRow({ [field]: value }));
    expect(Object.values(transaction ?? {}).join('')).not.toMatch(/[\p{Cc}\p{Cs}]/u);
  });

  it.each<[string, string, Outcome]>([
    ['transactionId', 'f2d5b7c0-0000-4000-8000-00000000000', 'unreadable'],
    ['transactionStatus', 'SUCCESS', 'nothing'],
    ['paymentStatus', 'APPROVED', 'nothing'],
    ['amount', '115.00', 'review'],
    ['currencyCode', 'SAR', 'review'],
    ['merchantOrderId', '1001~1', 'review'],
  ])('makes of the deciding %s no other one', async (field, usual, outcome) => {
    expect(await outcomeOf(statusRow({ [field]: `${usual}${odd}` }))).toBe(outcome);
  });
});

it('unknown words pass unchanged, unknown fields not at all, and what is not stated may be a number', async () => {
  const odd = { paymentStatus: 'SETTLING', points: 3, currencyCode: 682, orderId: 1001 };
  const [transaction] = await transactionsOf(statusRow(odd));
  const read = { paymentStatus: 'SETTLING', currencyCode: '682', merchantOrderId: '1001' };
  expect(transaction).toMatchObject(read);
  expect(transaction).not.toHaveProperty('points');
});

it('a card number never shows whole, nor a key in a reason', async () => {
  const declineReason = 'key-1 refused the card';
  const [transaction] = await transactionsOf(statusRow({ pan: '4201320111111010', declineReason }));
  const shown = { pan: '420132******1010', declineReason: 'a message of 22 characters' };
  expect(transaction).toMatchObject(shown);
});

it.each<[string, GatewayProfile['status'], string | undefined]>([
  ['the field that has a name’s form', {}, '1001~1'],
  ['the profile’s field alone', { orderName: 'ref' }, '1002~1'],
  ['the profile’s field, whatever its form', { orderName: 'orderId' }, 'gw-1'],
  ['the digits of a number', { orderName: 'order_no' }, '42'],
  ['a field that is absent', { orderName: 'order' }, undefined],
  ['no field, where the gateway’s rows bear none', { orderName: null }, undefined],
])('our name for a payment is read from %s', async (_what, status, name) => {
  const names = { merchantOrderId: '1001~1', orderId: 'gw-1', ref: '1002~1', order_no: 42 };
  gateway.script = (_, response) => sendJson(response, 200, statusAnswer([statusRow(names)]));
  const reading = clientOf(gateway.origin, { profile: { status } });
  const { transactions } = await reading.retrieveStatus({ sessionId: aSession });
  expect(transactions[0]?.merchantOrderId).toBe(name);
  await reading.close();
});
