import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorOf } from '../../test-support/gateway-calls.ts';
import { inA } from '../../test-support/scripted-gateway.ts';
import { WiredGateway } from '../../test-support/wired-gateway.ts';

let gateway: WiredGateway;
beforeAll(async () => void (gateway = await WiredGateway.start()));
afterAll(() => gateway.close());

/** Calls an operation that is answered with this inside its envelope. */
function call(operation: string, data: unknown): Promise<unknown> {
  const isInC = operation === 'chargeRecurring';
  gateway.answer('200 OK', isInC ? { statusCode: 200, responseBody: data } : inA(data));
  return gateway.call(operation);
}

async function expectUnreadable(operation: string, data: unknown): Promise<void> {
  const error = await errorOf(call(operation, data));
  expect(error).toMatchObject({ code: 'unreadable_answer', outcome: 'unknown' });
}

/** A value of every type of JSON that is no word and no whole number, one that no text can be made of, and none. */
const values = [null, true, 1.5, [], {}, { toString: 0 }, undefined] as const;

interface Answer {
  readonly operation: string;
  /** An answer inside its envelope. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly result: string;
  readonly deciding: readonly string[];
  /** Fields that inform, with the names that the client's result gives them, where it has them. */
  readonly informing: Readonly<Record<string, string | null>>;
  /** What the result gives for a field that says nothing. */
  readonly none: string | null;
}

const move = {
  result: 'accepted',
  deciding: ['result'],
  informing: { rrn: 'rrn', order_id: 'orderId', trans_id: 'paymentId', card_brand: 'cardBrand' },
  none: null,
};
const ofSale = { order_id: 'orderId', payment_id: 'paymentId', recurringToken: null, rrn: null };
const sold = { result: 'SUCCESS', status: 'SUCCESS', transactionId: 't-1', decline_reason: null };
const ids = ['result', 'transactionId'];
const sale = { operation: 'sale', result: 'success', deciding: ids, informing: ofSale, none: null };

const answers: readonly Answer[] = [
  {
    operation: 'refund',
    data: { result: 'accepted', refundId: 'r', referenceId: 're', paymentId: '7', amount: '20.00' },
    result: 'accepted',
    deciding: ['result', 'refundId', 'amount'],
    informing: { referenceId: 'referenceId', paymentId: 'paymentId' },
    none: '',
  },
  { ...move, operation: 'capture', data: { result: 'ACCEPTED', action: 'CAPTURE', rrn: '1' } },
  { ...move, operation: 'void', data: { result: 'ACCEPTED', action: 'CREDITVOID', rrn: '1' } },
  {
    operation: 'chargeRecurring',
    data: { result: 'SUCCESS', status: 'SUCCESS', payment_id: '7' },
    result: 'success',
    deciding: ['result', 'status'],
    informing: { payment_id: 'paymentId' },
    none: null,
  },
  { ...sale, data: sold },
  {
    ...sale,
    data: { ...sold, result: 'REDIRECT', html: '<form>' },
    result: 'redirect',
    deciding: ['result', 'transactionId', 'html'],
    informing: { ...ofSale, status: null },
  },
  {
    ...sale,
    data: { result: 'DECLINED', status: 'FAILED' },
    result: 'declined',
    deciding: ['result'],
    informing: { ...ofSale, transactionId: 'transactionId', decline_reason: 'declineReason' },
  },
];

describe.each(answers)('the answer to a $operation', (answer) => {
  const { operation, data, result, deciding, informing, none } = answer;

  it(`is ${result} whatever its fields are that inform`, async () => {
    for (const [field, ours] of Object.entries(informing)) {
      for (const value of values) {
        const read = await call(operation, { ...data, [field]: value });
        expect(read).toMatchObject(ours === null ? { result } : { result, [ours]: none });
      }
    }
  });

  it(`gives a number as its digits where it is ${result}`, async () => {
    const [[field, ours] = []] = Object.entries(informing);
    const read = await call(operation, { ...data, [String(field)]: 42_017 });
    expect(read).toHaveProperty(String(ours), '42017');
  });

  it(`is unknown where what decides that it is ${result} says nothing`, async () => {
    for (const field of deciding) {
      for (const value of operation === 'sale' ? [...values, 0, ''] : values) {
        await expectUnreadable(operation, { ...data, [field]: value });
      }
    }
  });
});
