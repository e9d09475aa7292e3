import { startSandbox, type Sandbox } from '@pay-button/gateway-sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ContractDocument } from './contract-document.ts';
import { operationVectors } from './vectors.ts';

const contract = new ContractDocument();

/** The operations that move money, and the schema of what they answer. */
const moneyOperations = {
  refund: 'RefundData',
  sale: 'SaleData',
  capture: 'CaptureData',
  void: 'VoidData',
  chargeRecurring: 'RecurringBody',
} as const;
type MoneyOperation = keyof typeof moneyOperations;

const card = {
  number: '5123450000000008',
  expiryMonth: '12',
  expiryYear: '2039',
  cvv: '123',
  holderName: 'Noura',
};
const saleBody = {
  orderId: '1001',
  amount: 115,
  currency: 'SAR',
  paymentMethod: 'card',
  auth: 'N',
  recurringInit: 'Y',
  card,
  customerDetails: { name: 'Noura', email: 'payer@example.com', phone: '0501234567' },
  successUrl: 'https://shop.example/s',
  failureUrl: 'https://shop.example/f',
};

let sandbox: Sandbox;
beforeAll(async () => void (sandbox = await startSandbox({ port: 0 })));
afterAll(() => sandbox.close());

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Sends a body and holds the answer against the contract, the names of its fields included. */
async function call(
  operation: MoneyOperation,
  body: unknown,
  { path = contract.placeOf(operation).path, headers = {} } = {},
): Promise<Answer> {
  const response = await fetch(sandbox.baseUrl + path, {
    method: 'POST',
    redirect: 'error',
    headers: { 'x-api-key': sandbox.apiKey, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const answer = { status: response.status, body: (await response.json()) as unknown };
  expect(contract.answerFaults(operation, answer.status, answer.body)).toEqual([]);
  const known = contract.fieldsOf(moneyOperations[operation]);
  const fields = Object.keys(answer.status === 200 ? dataOf(answer) : {});
  expect(fields.filter((name) => !known.includes(name))).toEqual([]);
  return answer;
}

function dataOf({ body }: Answer): Record<string, unknown> {
  const { data, responseBody } = body as Record<string, Record<string, unknown> | undefined>;
  return data ?? responseBody ?? {};
}

async function sold(changes: object = {}): Promise<{ id: string; token: string }> {
  const data = dataOf(await call('sale', { ...saleBody, ...changes }));
  return { id: String(data['transactionId']), token: String(data['recurringToken']) };
}

/** A vector's body, about a transaction that this sandbox has and that the operation fits. */
async function fitted(operation: MoneyOperation, body: unknown): Promise<unknown> {
  if (operation === 'sale') return body;
  const isHold = operation === 'capture' || operation === 'void';
  const { id, token } = await sold(isHold ? { auth: 'Y' } : {});
  const fields = body as Record<string, unknown>;
  return {
    ...fields,
    ...('transactionId' in fields ? { transactionId: id } : {}),
    ...('recurringToken' in fields ? { recurringToken: token } : {}),
  };
}

const requests = operationVectors
  .filter(({ operation }) => operation in moneyOperations)
  .flatMap(({ operation, requests: all }) =>
    all.map((request) => ({ ...request, operation: operation as MoneyOperation })),
  );

describe('the sandbox answers the operations on money as the contract says', () => {
  it.each(requests)('$operation, for $name (allowed: $conforms)', async (request) => {
    const { operation, conforms, body, name } = request;
    const answer = await call(operation, await fitted(operation, body));
    // A field that the table does not name is ignored by the gateway, and not sent by the client.
    const isIgnored = /does not name|an amount$/.test(name) && answer.status === 200;
    expect(answer.status).toBe(conforms || isIgnored ? 200 : 400);
  });

  // Pins: error.refund.401, error.sale.401, error.capture.401, error.void.401,
  // error.chargeRecurring.401
  it.each(Object.keys(moneyOperations) as MoneyOperation[])('%s, without its key', async (name) => {
    for (const key of ['', 'wrong', sandbox.productionApiKey]) {
      expect((await call(name, {}, { headers: { 'x-api-key': key } })).status).toBe(401);
    }
  });

  it.each(['refund', 'capture', 'void', 'chargeRecurring'] as const)(
    '%s, for an id that no transaction has',
    async (operation) => {
      const vectors = requests.find((one) => one.operation === operation);
      const body = { ...(vectors?.body as object), transactionId: 'unknown' };
      expect((await call(operation, body)).status).toBe(404);
    },
  );

  // Pins: operation.sale, field.SaleData.*, error.sale.400
  it('sales that are approved, declined, challenged, authorized, unlisted and wrong', async () => {
    const results: unknown[] = [];
    const challenged = ['4508750015741019', '9682990600000002'];
    for (const number of [card.number, '4201320000311101', ...challenged]) {
      const answer = await call('sale', { ...saleBody, card: { ...card, number } });
      results.push(dataOf(answer)['result']);
    }
    const authorized = await call('sale', { ...saleBody, auth: 'Y' });
    results.push(dataOf(authorized)['result'], dataOf(authorized)['status']);
    expect(results).toEqual(['SUCCESS', 'DECLINED', 'REDIRECT', 'REDIRECT', 'SUCCESS', 'PENDING']);
    const unlisted = { ...saleBody, card: { ...card, number: '4539578763621486' } };
    expect((await call('sale', unlisted)).body).toMatchObject({ errorCode: '400', data: null });
    for (const wrong of [[], {}]) expect((await call('sale', wrong)).status).toBe(400);
  });

  // Pins: error.refund.smallest, error.refund.above-balance, field.RefundAnswer.*,
  // field.RefundData.*
  it('refunds up to the balance, beyond it, and of what was never taken', async () => {
    const { id: transactionId } = await sold();
    const statuses: number[] = [];
    for (const amount of [0.01, 115, 114.99, 0.01]) {
      statuses.push((await call('refund', { transactionId, amount })).status);
    }
    const { id } = await sold({ auth: 'Y' });
    statuses.push((await call('refund', { transactionId: id, amount: 1 })).status);
    expect(statuses).toEqual([200, 400, 200, 400, 400]);
  });

  // Pins: operation.capture, operation.void, field.CaptureData.*, field.VoidData.*
  it('captures and voids in every order', async () => {
    const statuses: string[] = [];
    for (const order of ['capture capture void', 'void void capture']) {
      const { id: transactionId } = await sold({ auth: 'Y' });
      for (const operation of order.split(' ') as ('capture' | 'void')[]) {
        const body = operation === 'capture' ? { transactionId, amount: 80 } : { transactionId };
        statuses.push(`${operation} ${(await call(operation, body)).status}`);
      }
    }
    expect(statuses.join()).toBe('capture 200,capture 400,void 400,void 200,void 400,capture 400');
    const { id: transactionId } = await sold({ auth: 'Y' });
    const above = await call('capture', { transactionId, amount: 115.01 });
    expect(above.body).toMatchObject({ message: 'Capture amount exceeds the authorized amount' });
  });

  // Pins: operation.chargeRecurring, field.RecurringAnswer.*, field.RecurringBody.*
  it('recurring charges that succeed, and those that decline with HTTP 200', async () => {
    const { id: transactionId, token: recurringToken } = await sold();
    const other = await sold();
    const order = { number: '2001', amount: 50, currency: 'SAR', description: 'November' };
    const charge = { transactionId, recurringToken, amount: 50, order };
    const good = await call('chargeRecurring', charge);
    const strange = await call('chargeRecurring', { ...charge, recurringToken: other.token });
    await sandbox.control.next({ outcome: 'decline:51' });
    const poor = await call('chargeRecurring', charge);
    expect([good, strange, poor].map((answer) => dataOf(answer)['result'])).toEqual([
      'SUCCESS',
      'DECLINED',
      'DECLINED',
    ]);
    expect(dataOf(good)).not.toHaveProperty('decline_reason');
  });

  // Pins: error.chargeRecurring.other-path
  it('the same on the paths of the flow diagrams (X3, X4)', async () => {
    const { id: transactionId, token: recurringToken } = await sold();
    const refund = { transactionId, amount: 20 };
    expect((await call('refund', refund, { path: '/payment/refund' })).status).toBe(200);
    const order = { number: '2001', amount: 50, currency: 'SAR', description: 'November' };
    const charge = { transactionId, recurringToken, amount: 50, order };
    const path = '/payment/s2s/recurring';
    expect(dataOf(await call('chargeRecurring', charge, { path }))['result']).toBe('SUCCESS');
  });

  it('status rows of all that happened to a transaction', async () => {
    await sandbox.control.freezeClock();
    const { id: transactionId } = await sold({ auth: 'Y' });
    const seen: string[] = [];
    const look = async () => {
      const address = `${sandbox.baseUrl}/payment/checkout/status?id=${transactionId}`;
      const response = await fetch(address, { headers: { 'x-api-key': sandbox.apiKey } });
      const body = (await response.json()) as { data: { content: Record<string, string>[] } };
      expect(contract.answerFaults('pollStatus', response.status, body)).toEqual([]);
      const [row = {}] = body.data.content;
      const known = contract.fieldsOf('Transaction');
      expect(Object.keys(row).filter((name) => !known.includes(name))).toEqual([]);
      seen.push(`${row['transactionStatus']} ${row['amount']} ${row['refundStatus']}`);
    };
    await look();
    await call('capture', { transactionId, amount: 80 });
    await look();
    for (const amount of [30, 50]) {
      await call('refund', { transactionId, amount });
      await sandbox.control.advanceClock({ by: 'PT10S' });
      await look();
    }
    await sandbox.control.resumeClock();
    expect(seen).toEqual([
      'PENDING 115.00 NONE',
      'SUCCESS 80.00 NONE',
      'SUCCESS 80.00 PARTIAL',
      'SUCCESS 80.00 FULL',
    ]);
  });

  it('a refused refund in the envelope of the policy B (X7)', async () => {
    const usual = sandbox;
    sandbox = await startSandbox({ port: 0, policy: ['B'] });
    try {
      const { id: transactionId } = await sold();
      const { body } = await call('refund', { transactionId, amount: 116 });
      expect(contract.schemaFaults('ValidationErrorEnvelopeB', body)).toEqual([]);
    } finally {
      await sandbox.close();
      sandbox = usual;
    }
  });
});
