import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callOf, oddClientOf, errorOf } from '../../test-support/gateway-calls.ts';
import { changingInputs } from '../../test-support/operation-inputs.ts';
import { ScriptedGateway, sendJson } from '../../test-support/scripted-gateway.ts';
import type { GatewayClient } from './gateway-client.ts';

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

interface Move {
  /** An answer that says yes, inside its envelope. */
  readonly yes: Readonly<Record<string, unknown>>;
  /** Fields that inform, by the names that the client's result gives them. */
  readonly informing: Readonly<Record<string, string>>;
  /** What the result gives for a field that says nothing. */
  readonly none: string | null;
  readonly deciding: readonly string[];
}

const move = {
  informing: { rrn: 'rrn', order_id: 'orderId', trans_id: 'paymentId', card_brand: 'cardBrand' },
  none: null,
  deciding: ['result'],
};

const moves: Readonly<Record<string, Move>> = {
  refund: {
    yes: { result: 'accepted', refundId: 'rf', referenceId: 're', paymentId: '7', amount: '20.00' },
    informing: { referenceId: 'referenceId', paymentId: 'paymentId' },
    none: '',
    deciding: ['result', 'refundId', 'amount'],
  },
  capture: {
    ...move,
    yes: { result: 'ACCEPTED', action: 'CAPTURE', rrn: '1', order_id: 'o', trans_id: '7' },
  },
  void: {
    ...move,
    yes: { result: 'ACCEPTED', action: 'CREDITVOID', rrn: '1', order_id: 'o', trans_id: '7' },
  },
  chargeRecurring: {
    yes: { result: 'SUCCESS', status: 'SUCCESS', payment_id: '7' },
    informing: { payment_id: 'paymentId' },
    none: null,
    deciding: ['result', 'status'],
  },
};

function call(operation: string, data: unknown): Promise<unknown> {
  const body =
    operation === 'chargeRecurring'
      ? { statusCode: 200, responseBody: data }
      : { code: 200, message: 'ok', errorCode: null, data };
  gateway.script = (_request, response) => sendJson(response, 200, body);
  return callOf(client, operation, changingInputs[operation]);
}

describe.each(Object.entries(moves))('%s', (operation, { yes, informing, none, deciding }) => {
  it.each(Object.entries(informing))('gives a number as %s by its digits', async (field, ours) => {
    expect(await call(operation, { ...yes, [field]: 42_017 })).toHaveProperty(ours, '42017');
  });

  it.each(Object.entries(informing))('counts whatever its %s is', async (field, ours) => {
    for (const value of [null, true, 1.5, 2 ** 53, [], {}, undefined]) {
      expect(await call(operation, { ...yes, [field]: value })).toHaveProperty(ours, none);
    }
  });

  it.each(deciding)('is unreadable where its %s says nothing', async (field) => {
    for (const value of [null, true, 1.5, [], {}, undefined]) {
      const error = await errorOf(call(operation, { ...yes, [field]: value }));
      expect(error).toMatchObject({ code: 'unreadable_answer', outcome: 'unknown' });
    }
  });
});

it('gives a refund’s own id of a number by its digits', async () => {
  const answer = { ...moves['refund']?.yes, refundId: 9_001 };
  expect(await call('refund', answer)).toHaveProperty('refundId', '9001');
});

it.each([
  { result: 'SUCCESS', status: 'SUCCESS', decline_reason: 'No funds' },
  { result: 'DECLINED', status: 'APPROVED' },
  { result: 'DECLINED', status: 'Success' },
])(
  'does not know the outcome of a charge whose words contradict each other: $status',
  async (words) => {
    expect(await call('chargeRecurring', words)).toMatchObject({ result: 'unknown' });
  },
);

it('gives no reason where a declined charge has none that is text', async () => {
  const declined = { result: 'DECLINED', status: 'FAILED', payment_id: null };
  for (const reason of [{}, true, [51]]) {
    const charge = await call('chargeRecurring', { ...declined, decline_reason: reason });
    expect(charge).toMatchObject({ result: 'declined', declineReason: null });
  }
});
