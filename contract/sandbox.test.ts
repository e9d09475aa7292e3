import { startSandbox, type Sandbox } from '@pay-button/gateway-sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ContractDocument } from './contract-document.ts';
import { linkVectors, phoneVectors, statusVectors } from './vectors.ts';

const contract = new ContractDocument();
const CREATE = '/payment/checkout/intiate';
const STATUS = '/payment/checkout/status';
const APPROVED = '4201320111111010';
const INSUFFICIENT = '4201320000311101';
const CHALLENGED = '4508750015741019';

let sandbox: Sandbox;
let orders = 0;
beforeAll(async () => void (sandbox = await startSandbox({ port: 0 })));
afterAll(() => sandbox.close());

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

async function send(path: string, init: RequestInit = {}, base = sandbox.baseUrl): Promise<Answer> {
  const headers = { 'x-api-key': sandbox.apiKey, ...(init.headers as object) };
  const response = await fetch(base + path, { ...init, headers, redirect: 'error' });
  expect(response.headers.get('content-type')).toContain('application/json');
  return { status: response.status, body: await response.json() };
}

const create = (body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  send(CREATE, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

const retrieve = (query: Record<string, string>, base?: string): Promise<Answer> =>
  send(`${STATUS}?${new URLSearchParams(query)}`, {}, base);

/** A create body of the vectors, with a merchantOrderId of its own where it has one. */
function fresh(body: unknown, changes: object = {}): object {
  const hasId = typeof body === 'object' && body !== null && 'merchantOrderId' in body;
  const id = hasId ? { merchantOrderId: `order-${(orders += 1)}` } : {};
  return { ...(body as object), ...id, ...changes };
}

const aRequest = (changes: object = {}) => fresh(linkVectors.requests[0]?.body, changes);

async function aSession(): Promise<string> {
  const { body } = await create(aRequest());
  return (body as { id: string }).id;
}

const expectContract = (operation: string, { status, body }: Answer): void => {
  expect(contract.answerFaults(operation, status, body)).toEqual([]);
};

/** The rows of a status answer that keeps to the contract and names no field beyond it. */
async function rowsOf(query: Record<string, string>): Promise<Record<string, string>[]> {
  const answer = await retrieve(query);
  expect(answer.status).toBe(200);
  expectContract('retrieveStatus', answer);
  const { data } = answer.body as { data: { content: Record<string, string>[] } };
  const known = contract.fieldsOf('Transaction');
  for (const row of data.content) {
    expect(Object.keys(row).filter((name) => !known.includes(name))).toEqual([]);
  }
  return data.content;
}

describe('the sandbox answers create-payment-link as the contract says', () => {
  // Pins: operation.createPaymentLink, error.createPaymentLink.400, field.PaymentLinkRequest.*,
  // field.PaymentLink.*, field.ValidationErrorEnvelopeB.*, field.EnvelopeB.*
  it.each(linkVectors.requests)('for $name (allowed: $conforms)', async ({ conforms, body }) => {
    const answer = await create(fresh(body));
    expectContract('createPaymentLink', answer);
    const isUnknownField = typeof body === 'object' && body !== null && 'orderId' in body;
    expect(answer.status).toBe(conforms || isUnknownField ? 201 : 400);
  });

  // Pins: error.createPaymentLink.phone, field.PaymentLinkRequest.customerPhone
  it.each(phoneVectors.phones)('for the phone $given', async ({ given, sent }) => {
    const answer = await create(aRequest({ customerPhone: sent ?? given }));
    expectContract('createPaymentLink', answer);
    expect(answer.status).toBe(sent === null ? 400 : 201);
  });

  it('for a merchantOrderId that was used before', async () => {
    const request = aRequest();
    await create(request);
    const again = await create(request);
    expectContract('createPaymentLink', again);
    expect(again.status).toBe(400);
  });

  it('for a body that is no JSON', async () => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":' };
    const answer = await send(CREATE, init);
    expectContract('createPaymentLink', answer);
    expect(answer.status).toBe(400);
  });
});

describe('the sandbox refuses credentials as §7 says', () => {
  // Pins: error.createPaymentLink.401, error.retrieveStatus.401, field.UnauthorizedEnvelopeB.*
  it.each([
    ['no key', () => ({ 'x-api-key': '' })],
    ['a wrong key', () => ({ 'x-api-key': 'wrong' })],
    ['the other environment’s key', () => ({ 'x-api-key': sandbox.productionApiKey })],
    ['a portal token', () => ({ 'x-api-key': '', authorization: 'Bearer token' })],
  ])('on both operations for %s', async (_what, headers) => {
    const created = await create(aRequest(), headers());
    expectContract('createPaymentLink', created);
    const asked = await send(`${STATUS}?id=${await aSession()}`, { headers: headers() });
    expectContract('retrieveStatus', asked);
    expect([created.status, asked.status]).toEqual([401, 401]);
  });

  it('and staging’s key in production', async () => {
    const answer = await retrieve({ id: await aSession() }, sandbox.productionBaseUrl);
    expectContract('retrieveStatus', answer);
    expect(answer.status).toBe(401);
  });
});

describe('the sandbox answers retrieve-status as the contract says', () => {
  it('while nobody has paid', async () => {
    expect(await rowsOf({ id: await aSession() })).toEqual([]);
  });

  // Pins: operation.retrieveStatus, field.StatusAnswer.*, field.StatusData.*, field.EnvelopeA.*,
  // transition.session.declined
  it('after a decline, and after a success in the same session', async () => {
    const id = await aSession();
    await sandbox.control.pay(id, { card: { number: INSUFFICIENT } });
    expect(await rowsOf({ id })).toEqual([
      expect.objectContaining({ transactionStatus: 'FAILED', paymentStatus: 'DECLINED' }),
    ]);
    await sandbox.control.pay(id, { card: { number: APPROVED } });
    const rows = await rowsOf({ id });
    expect(rows.map(({ transactionStatus }) => transactionStatus)).toEqual(['FAILED', 'SUCCESS']);
    expect(rows[1]).toMatchObject({
      paymentStatus: 'APPROVED',
      amount: statusVectors.asked.amount,
    });
    expect(rows[1]?.['transactionId']).not.toBe(id);
  });

  it('while a challenge is open', async () => {
    const id = await aSession();
    await sandbox.control.pay(id, { card: { number: CHALLENGED } });
    expect(await rowsOf({ id })).toEqual([
      expect.objectContaining({ transactionStatus: 'PENDING', paymentStatus: 'PENDING' }),
    ]);
  });

  // Pins: field.retrieveStatus.*, operation.pollStatus
  it('by the other name (X1) and by the transaction’s id (X2) alike', async () => {
    const id = await aSession();
    const { transaction } = await sandbox.control.pay(id, { card: { number: APPROVED } });
    const rows = await rowsOf({ id });
    expect(await rowsOf({ sessionId: id })).toEqual(rows);
    expect(await rowsOf({ id: transaction.transactionId })).toEqual(rows);
  });

  // Pins: error.retrieveStatus.400, error.retrieveStatus.404, field.ErrorEnvelopeA.*
  it.each([
    ['an unknown id', { id: '00000000-0000-4000-8000-000000000000' }, 404],
    ['an empty id', { id: '' }, 400],
    ['no id', {}, 400],
  ])('to a question with %s', async (_what, query, status) => {
    const answer = await retrieve(query);
    expectContract('retrieveStatus', answer);
    expect(answer.status).toBe(status);
  });
});

// Pins: error.createPaymentLink.spelling
it('the sandbox answers the corrected spelling of the create path as an unknown route, in envelope B', async () => {
  const answer = await send('/payment/checkout/initiate', { method: 'POST' });
  expect(answer.status).toBe(404);
  expect(contract.schemaFaults('EnvelopeB', answer.body)).toEqual([]);
});

// Pins: field.Transaction.transactionId
it('a sandbox of the policy sameId repeats the session’s id, which the contract allows too', async () => {
  const other = await startSandbox({ port: 0, policy: ['sameId'] });
  const usual = sandbox;
  sandbox = other;
  try {
    const id = await aSession();
    await other.control.pay(id, { card: { number: APPROVED } });
    expect(await rowsOf({ id })).toEqual([expect.objectContaining({ transactionId: id })]);
  } finally {
    sandbox = usual;
    await other.close();
  }
});
