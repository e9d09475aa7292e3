import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anAttempt } from '../../test-support/records.ts';
import { aSession, oddClientOf } from '../../test-support/gateway-calls.ts';
import {
  ScriptedGateway,
  sendJson,
  statusAnswer,
  statusRow,
} from '../../test-support/scripted-gateway.ts';
import { judge } from '../payments/judge.ts';
import type { GatewayClient } from './gateway-client.ts';
import { GatewayError } from './gateway-error.ts';
import type { Transaction } from './status.ts';

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

async function transactionsOf(row: unknown): Promise<readonly Transaction[]> {
  gateway.script = (_request, response) => sendJson(response, 200, statusAnswer([row]));
  return (await client.retrieveStatus({ sessionId: aSession })).transactions;
}

type Outcome = 'paid' | 'review' | 'failed' | 'nothing' | 'unreadable';

/** What a row comes to for an order of 115.00 SAR under the name 1001~1. */
async function outcomeOf(row: unknown): Promise<Outcome> {
  try {
    const rows = await transactionsOf(row);
    const verdict = judge({
      attempt: anAttempt(),
      rows,
      isFull: true,
      ledger: [],
      boundElsewhere: new Map(),
    });
    if (verdict.kind !== 'money') return verdict.kind;
    return verdict.discrepancies.length > 0 ? 'review' : 'paid';
  } catch (error) {
    expect(error).toBeInstanceOf(GatewayError);
    return 'unreadable';
  }
}

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

describe('a row that says paid', () => {
  it.each(cases)('with %s: %j is %s', async (field, value, expected) => {
    expect(await outcomeOf(statusRow({ [field]: value }))).toBe(expected);
  });
});

describe('a row that says failed', () => {
  const failed = { transactionStatus: 'FAILED', paymentStatus: 'DECLINED' };
  const deciding = new Set(['transactionId', 'amount', 'transactionStatus']);

  it.each(cases.filter(([field]) => !deciding.has(field)))(
    'says so whatever its %s is: %j',
    async (field, value) => {
      expect(await outcomeOf(statusRow({ ...failed, [field]: value }))).toBe('failed');
    },
  );
});

it.each([null, 200, true, {}, []])('an answer with the message %j is read', async (message) => {
  gateway.script = (_request, response) =>
    sendJson(response, 200, { ...statusAnswer([statusRow()]), message });
  const { transactions } = await client.retrieveStatus({ sessionId: aSession });
  expect(transactions).toHaveLength(1);
});

describe('a refunded total', () => {
  it.each([
    [0, '0.00'],
    ['0', '0.00'],
    ['0.0', '0.00'],
    [20, '20.00'],
    [19.99, '19.99'],
    [0.07, '0.07'],
    [4.35, '4.35'],
    [1_234_567_890_123.45, '1234567890123.45'],
    ['20', '20.00'],
    ['20.5', '20.50'],
    ['20.00', '20.00'],
  ])('of %j is read to the last halala', async (totalRefundAmount, read) => {
    const [transaction] = await transactionsOf(statusRow({ totalRefundAmount }));
    expect(transaction?.totalRefundAmount).toBe(read);
  });

  it.each([20, 19.99, '20', '20.5'])('of %j proves a refund in part', async (total) => {
    const row = statusRow({ refundStatus: 'PARTIAL', totalRefundAmount: total });
    expect(await outcomeOf(row)).toBe('paid');
  });

  it.each([19.999, 1e21, -20, '19.999', '2e1', '٢٠', 'all', ' 20.00', {}, [[20]], true])(
    'of %j is a matter for a person where it decides',
    async (totalRefundAmount) => {
      for (const refundStatus of ['NONE', 'PARTIAL', 'FULL']) {
        expect(await outcomeOf(statusRow({ refundStatus, totalRefundAmount }))).toBe('review');
      }
    },
  );
});

describe('what a row says of its card and its currency', () => {
  it.each([4_201_320_111_111_010, 1010, true, { number: '4201320111111010' }])(
    'is no card number where the number of the card is %j',
    async (pan) => {
      const [transaction] = await transactionsOf(statusRow({ pan }));
      expect(transaction?.pan).toBeUndefined();
      expect(JSON.stringify(transaction)).not.toContain('1010');
    },
  );

  it('is a number of three digits where the currency is one of fewer', async () => {
    const [transaction] = await transactionsOf(statusRow({ currencyCode: 36 }));
    expect(transaction?.currencyCode).toBe('036');
  });

  it('is left out where it says nothing', async () => {
    const nothing = { pan: '', cardScheme: ' ', recurringToken: '', declineReason: ' ' };
    const [transaction] = await transactionsOf(statusRow({ ...nothing, currencyCode: '' }));
    expect(transaction).toEqual({
      transactionId: statusRow().transactionId,
      amount: '115.00',
      transactionStatus: 'SUCCESS',
      paymentStatus: 'APPROVED',
      refundStatus: 'NONE',
      totalRefundAmount: '0.00',
    });
  });
});
