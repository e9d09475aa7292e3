import { beforeEach, describe, expect, it } from 'vitest';
import { ContractDocument } from '../../../../contract/contract-document.ts';
import { linkVectors, phoneVectors, statusVectors } from '../../../../contract/vectors.ts';
import { anAttempt } from '../../test-support/records.ts';
import {
  aLink,
  aSession,
  oddClientOf,
  errorOf,
  startGateway,
} from '../../test-support/gateway-calls.ts';
import {
  type ScriptedGateway,
  sendJson,
  type SeenRequest,
} from '../../test-support/scripted-gateway.ts';
import { merchantOrderId, sessionId } from '../ids.ts';
import { money } from '../money.ts';
import { judge, type Verdict } from '../payments/judge.ts';
import type { GatewayClient } from './gateway-client.ts';
import { GatewayError } from './gateway-error.ts';
import { operations } from './operations.ts';
import { normalizePhone } from './fields.ts';

const contract = new ContractDocument();
let gateway: ScriptedGateway;
let client: GatewayClient;

beforeEach(async () => void ({ gateway, client } = await startGateway(oddClientOf)));

/** Where a request that the client sent departs from the contract. */
function faultsOf(operation: string, request: SeenRequest | undefined): readonly string[] {
  if (request === undefined) return ['nothing was sent'];
  return contract.requestFaults(operation, { ...request, path: request.path.replace(/^\/v1/, '') });
}

const play = (status: number, body: unknown): void => {
  gateway.script = (_request, response) => sendJson(response, status, body);
};

describe('the table of operations', () => {
  it('holds the specification’s operations, create-payment-link once', () => {
    expect(Object.keys(operations)).toHaveLength(17);
  });

  it.each(Object.entries(operations))('states %s as the contract does', (name, operation) => {
    const { method, path, credential } = operation;
    expect(contract.placeOf(name)).toMatchObject({
      method: method.toLowerCase(),
      path,
      credential,
    });
  });
});

describe('createPaymentLink sends what the contract allows', () => {
  it.each([
    ['every field', aLink],
    ['required fields only', { ...aLink, customer: { phone: '0501234567' } }],
    ['the smallest amount', { ...aLink, amount: '0.01' }],
    ['the largest amount', { ...aLink, amount: '9999999999999.99' }],
    ['another currency', { ...aLink, currency: 'USD' }],
    ['an e-mail and a name in Arabic', { ...aLink, customer: { ...aLink.customer, name: 'نورة' } }],
  ])('in a request with %s', async (_what, input) => {
    await client.createPaymentLink(input);
    expect(faultsOf('createPaymentLink', gateway.creates[0])).toEqual([]);
  });

  it('amount and currency always, absent fields never', async () => {
    await client.createPaymentLink({ ...aLink, customer: { phone: '501234567' } });
    expect(gateway.creates[0]?.body).toEqual({
      merchantOrderId: '1001~1',
      amount: 115,
      currency: 'SAR',
      customerPhone: '0501234567',
      successUrl: aLink.successUrl,
      failureUrl: aLink.failureUrl,
    });
  });

  it.each([
    ['an empty merchantOrderId', { ...aLink, merchantOrderId: ' ' }],
    ['an amount of zero', { ...aLink, amount: '0.00' }],
    ['an amount without decimals', { ...aLink, amount: '115' }],
    ['a currency of three decimals', { ...aLink, currency: 'KWD' }],
    ['an empty success address', { ...aLink, successUrl: '' }],
    ['a failure address that runs a script', { ...aLink, failureUrl: 'javascript:alert(1)' }],
    ['no phone', { ...aLink, customer: { phone: '' } }],
  ])('and nothing for %s', async (_what, input) => {
    const error = await errorOf(client.createPaymentLink(input));
    expect(error).toMatchObject({ code: 'invalid_input', outcome: 'not-sent' });
    expect(gateway.seen).toHaveLength(0);
  });

  it('a phone in Persian digits as one in ASCII digits', () => {
    expect(normalizePhone('+۹۶۶ ۵۰ ۱۲۳ ۴۵۶۷')).toBe('0501234567');
  });

  it.each(phoneVectors.phones)('the phone $given as $sent', async ({ given, sent }) => {
    expect(normalizePhone(given) ?? null).toBe(sent);
    const call = client.createPaymentLink({ ...aLink, customer: { phone: given } });
    await call.catch(() => undefined);
    const body = gateway.creates[0]?.body as { customerPhone?: string } | undefined;
    expect(body?.customerPhone ?? null).toBe(sent);
  });
});

describe('createPaymentLink reads the contract’s answers', () => {
  it.each(linkVectors.answers)(
    'after $name the link is $outcome',
    async ({ status, body, outcome }) => {
      play(status, body);
      const result = await client.createPaymentLink(aLink).then(
        ({ redirectUrl }) => ({ outcome: 'created', redirectUrl }),
        (error: unknown) => {
          expect(error).toBeInstanceOf(GatewayError);
          return { outcome: (error as GatewayError).outcome };
        },
      );
      expect(result.outcome).toBe(outcome);
      expect(gateway.creates).toHaveLength(1);
      expect(faultsOf('createPaymentLink', gateway.creates[0])).toEqual([]);
    },
  );
});

describe('retrieveStatus', () => {
  it.each([
    ['a session id', { sessionId: aSession }],
    ['a transaction id', { transactionId: 'f2d5b7c0-0000-4000-8000-000000000001' }],
  ])('sends %s as the contract allows', async (_what, id) => {
    await client.retrieveStatus(id);
    expect(faultsOf('retrieveStatus', gateway.statusCalls[0])).toEqual([]);
    expect([...(gateway.statusCalls[0]?.query ?? [])]).toEqual([['id', Object.values(id)[0]]]);
  });

  it('percent-encodes an id, so that it cannot add to the query', async () => {
    await client.retrieveStatus({ sessionId: 'a&sessionId=b#c/../d?e=%00é' });
    expect([...(gateway.statusCalls[0]?.query ?? [])]).toEqual([
      ['id', 'a&sessionId=b#c/../d?e=%00é'],
    ]);
  });

  it.each(['', '  '])('sends nothing for an empty id', async (id) => {
    const error = await errorOf(client.retrieveStatus({ sessionId: id }));
    expect(error).toMatchObject({ code: 'invalid_input', outcome: 'not-sent' });
    expect(gateway.seen).toHaveLength(0);
  });
});

describe('a status answer means, for an order of the amount asked,', () => {
  const { asked } = statusVectors;
  const attempt = anAttempt({
    orderId: asked.orderId,
    merchantOrderId: merchantOrderId(asked.merchantOrderId),
    sessionId: sessionId(asked.sessionId),
    amount: money(asked.amount, asked.currency),
  });

  /** The verdict in the words of the vectors; an error is no evidence. */
  async function verdict(): Promise<{ word: string; receipts: number }> {
    const answer = await client.retrieveStatus({ sessionId: asked.sessionId }).catch((error) => {
      expect(error).toBeInstanceOf(GatewayError);
      return null;
    });
    if (answer === null) return { word: 'nothing', receipts: 0 };
    return wordOf(
      judge({
        attempt,
        rows: answer.transactions,
        isFull: true,
        ledger: [],
        boundElsewhere: new Map(),
      }),
    );
  }

  function wordOf(judged: Verdict): { word: string; receipts: number } {
    if (judged.kind !== 'money') return { word: judged.kind, receipts: 0 };
    const word = judged.discrepancies.length > 0 ? 'review' : 'paid';
    return { word, receipts: judged.receipts.length };
  }

  it.each(statusVectors.answers)('the verdict $verdict: $name', async (vector) => {
    play(vector.status, vector.body);
    const { word, receipts } = await verdict();
    expect(word).toBe(vector.verdict);
    if (vector.verdict === 'paid') expect(receipts).toBe(vector.also === undefined ? 1 : 2);
    for (const call of gateway.statusCalls) expect(faultsOf('retrieveStatus', call)).toEqual([]);
  });
});
