import { startSandbox, type Sandbox } from '@pay-button/gateway-sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ContractDocument } from './contract-document.ts';

const contract = new ContractDocument();
const APPROVED = '5123450000000008';
const DECLINED = '4201320000311101';
const CHALLENGED = '4508750015741019';

let sandbox: Sandbox;
let orders = 0;
beforeAll(async () => void (sandbox = await startSandbox({ port: 0 })));
afterAll(() => sandbox.close());

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

async function post(path: string, body: unknown, key = sandbox.apiKey): Promise<Answer> {
  const response = await fetch(sandbox.baseUrl + path, {
    method: 'POST',
    redirect: 'error',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

/** The answer, once it was seen to keep to the contract. */
async function expectContract(
  operation: string,
  body: object,
  path = contract.placeOf(operation).path,
): Promise<Answer> {
  const answer = await post(path, body);
  expect(contract.answerFaults(operation, answer.status, answer.body)).toEqual([]);
  return answer;
}

function saleOf(changes: object = {}): object {
  orders += 1;
  return {
    orderId: `sale-${orders}`,
    amount: 115,
    currency: 'SAR',
    paymentMethod: 'card',
    auth: 'N',
    recurringInit: 'N',
    card: {
      number: APPROVED,
      expiryMonth: '12',
      expiryYear: '2039',
      cvv: '123',
      holderName: 'Noura',
    },
    customerDetails: { name: 'Noura', email: 'payer@example.com', phone: '0501234567' },
    successUrl: 'https://shop.example/thanks',
    failureUrl: 'https://shop.example/retry',
    ...changes,
  };
}

async function sell(changes: object = {}): Promise<Record<string, string>> {
  const { body } = await expectContract('sale', saleOf(changes));
  return (body as { data: Record<string, string> }).data;
}

const card = (number: string): object => ({
  number,
  expiryMonth: '12',
  expiryYear: '2039',
  cvv: '123',
});

describe('the sandbox answers a sale as the contract says', () => {
  it.each([
    ['approved', APPROVED, 'SUCCESS'],
    ['declined', DECLINED, 'DECLINED'],
    ['challenged', CHALLENGED, 'REDIRECT'],
  ])('when it is %s', async (_what, number, result) => {
    expect(await sell({ card: card(number) })).toMatchObject({ result });
  });

  it('when its body is wrong, and when its number is no test card', async () => {
    const wrong = await expectContract('sale', {});
    const real = await expectContract('sale', saleOf({ card: card('4539578763621486') }));
    expect([wrong.status, real.status]).toEqual([400, 400]);
  });
});

it('the sandbox answers refunds as the contract says: taken on, above the balance, of an unknown id', async () => {
  const { transactionId } = await sell();
  const smallest = await expectContract('refund', { transactionId, amount: 0.01 });
  const above = await expectContract('refund', { transactionId, amount: 115 });
  const unknown = await expectContract('refund', { transactionId: crypto.randomUUID(), amount: 1 });
  expect([smallest.status, above.status, unknown.status]).toEqual([200, 400, 404]);
  expect(above.body).toMatchObject({ message: 'Refund amount more than sale amount' });
});

it('the sandbox answers captures and voids as the contract says, and refuses them so', async () => {
  const { transactionId } = await sell({ auth: 'Y' });
  const above = await expectContract('capture', { transactionId, amount: 115.01 });
  const captured = await expectContract('capture', { transactionId, amount: 100 });
  const late = await expectContract('void', { transactionId });
  const other = await sell({ auth: 'Y' });
  const voided = await expectContract('void', { transactionId: other['transactionId'] });
  const again = await expectContract('void', { transactionId: other['transactionId'] });
  const statuses = [above, captured, late, voided, again].map(({ status }) => status);
  expect(statuses).toEqual([400, 200, 400, 200, 400]);
});

it('the sandbox answers recurring charges on both paths as the contract says (X4), a decline included', async () => {
  const { transactionId, recurringToken } = await sell({ recurringInit: 'Y' });
  const order = { number: 'r-1', amount: 20, currency: 'SAR', description: 'May' };
  const charge = { transactionId, recurringToken, amount: 20, order };
  const { path } = contract.placeOf('chargeRecurring');
  for (const asked of [path, '/payment/s2s/recurring']) {
    const { body } = await expectContract('chargeRecurring', charge, asked);
    expect(body).toMatchObject({ responseBody: { result: 'SUCCESS', status: 'SUCCESS' } });
  }
  const declined = { ...charge, recurringToken: 'of-nobody' };
  const { status, body } = await expectContract('chargeRecurring', declined);
  expect([status, body]).toMatchObject([200, { responseBody: { result: 'DECLINED' } }]);
});

it.each(['refund', 'sale', 'capture', 'void', 'chargeRecurring'])(
  'the sandbox refuses %s without a good key as the contract says',
  async (operation) => {
    const { path } = contract.placeOf(operation);
    for (const key of ['', 'wrong', sandbox.productionApiKey]) {
      const { status, body } = await post(path, {}, key);
      expect([status, contract.answerFaults(operation, status, body)]).toEqual([401, []]);
    }
  },
);
