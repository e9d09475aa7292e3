import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aLink, callOf, errorOf, oddClientOf } from '../../test-support/gateway-calls.ts';
import { changingInputs } from '../../test-support/operation-inputs.ts';
import { ScriptedGateway, sendJson } from '../../test-support/scripted-gateway.ts';
import type { GatewayClient, GatewayClientOptions } from './gateway-client.ts';
import type { SaleInput } from './sale.ts';

let gateway: ScriptedGateway;
let client: GatewayClient | undefined;
/** The answer to each request. */
let answer: readonly [status: number, body: unknown];

beforeEach(async () => {
  gateway = await new ScriptedGateway().start();
  gateway.script = (_request, response) => sendJson(response, ...answer);
});

afterEach(async () => {
  await client?.close();
  await gateway.close();
});

function clientWith(options: Partial<GatewayClientOptions> = {}): GatewayClient {
  client = oddClientOf(gateway.origin, options);
  return client;
}

const aSale = changingInputs['sale'] as SaleInput;
const aTransaction = 'f2d5b7c0-0000-4000-8000-000000000001';
const sold = { result: 'SUCCESS', transactionId: aTransaction };
const inEnvelope = (data: unknown) => ({ code: 200, message: 'ok', errorCode: null, data });
const bodyOfLast = () => gateway.seen.at(-1)?.body;

describe('a hash function', () => {
  it('gets the whole sale, as it is sent', async () => {
    answer = [200, inEnvelope(sold)];
    const signed: unknown[] = [];
    const saleHash: GatewayClientOptions['saleHash'] = (sale) => {
      signed.push(sale);
      const { email, cardNumber, orderId, amount, currency } = sale;
      return [email, cardNumber, orderId, amount, currency].join();
    };
    await clientWith({ saleHash }).sale(aSale);
    expect(bodyOfLast()).toMatchObject({
      hash: 'noura@example.com,5123450000000008,1001,115.00,SAR',
    });
    const { card, ...rest } = aSale;
    expect(signed).toEqual([
      { ...rest, email: 'noura@example.com', cardNumber: card.number, currency: 'SAR' },
    ]);
  });
});

/** A value of every type of JSON, and none at all. */
const values = [null, true, 0, 1.5, '', [], {}, undefined] as const;
const results = {
  success: { ...sold, status: 'SUCCESS', decline_reason: null },
  redirect: { ...sold, result: 'REDIRECT', html: '<form>' },
  declined: { result: 'DECLINED', status: 'FAILED' },
} as const;
const informing = ['order_id', 'payment_id', 'trans_id', 'recurringToken', 'rrn', 'card_brand'];
const fieldsOf = {
  success: { informing, deciding: ['result', 'transactionId'] },
  redirect: { informing: [...informing, 'status'], deciding: ['result', 'transactionId', 'html'] },
  declined: { informing: [...informing, 'transactionId', 'decline_reason'], deciding: ['result'] },
} as const;

describe.each(['success', 'redirect', 'declined'] as const)(
  'the answer of a sale: %s',
  (result) => {
    const saleWith = (field: string, value: unknown) => {
      answer = [200, inEnvelope({ ...results[result], [field]: value })];
      return clientWith().sale(aSale);
    };

    it.each(fieldsOf[result].informing)('is read whatever its %s is', async (field) => {
      for (const value of values) expect((await saleWith(field, value)).result).toBe(result);
    });

    it.each(fieldsOf[result].deciding)('is unknown with another %s', async (field) => {
      for (const value of values) {
        expect(await errorOf(saleWith(field, value))).toMatchObject({
          code: 'unreadable_answer',
          outcome: 'unknown',
        });
      }
    });

    it('gives a number as its digits', async () => {
      expect((await saleWith('payment_id', 100_200)).paymentId).toBe('100200');
    });
  },
);

it.each(['Success', 'APPROVED', 'accepted', 'pending'])(
  'a sale that is declined with the status %s is unknown',
  async (status) => {
    answer = [200, inEnvelope({ ...results.declined, status })];
    const error = await errorOf(clientWith().sale(aSale));
    expect(error).toMatchObject({ code: 'unreadable_answer', outcome: 'unknown' });
  },
);

describe('a refund', () => {
  it.each(['100200', ' 100200 ', '7'])(
    'of the payment id %j is not sent',
    async (transactionId) => {
      const error = await errorOf(clientWith().refund({ transactionId, amount: '1.00' }));
      expect(error).toMatchObject({ code: 'invalid_input', outcome: 'not-sent' });
      expect(error.message).toMatch(/UUID \(§4\.3\)/);
      expect(gateway.seen).toEqual([]);
    },
  );
});

describe.each([
  ['capture', 'CAPTURE', 'CREDITVOID'],
  ['void', 'CREDITVOID', 'CAPTURE'],
] as const)('the answer to a %s', (operation, action, other) => {
  const move = () => callOf(clientWith(), operation, changingInputs[operation]);
  const accepted = { result: 'ACCEPTED', rrn: '1', decline_reason: null };

  it.each([action, action.toLowerCase(), null, undefined])(
    'may have the action %j',
    async (word) => {
      answer = [200, inEnvelope({ ...accepted, action: word })];
      expect(await move()).toMatchObject({ result: 'accepted' });
    },
  );

  it.each([other, 'REFUND', '', 17, {}])('is unknown with the action %j', async (word) => {
    answer = [200, inEnvelope({ ...accepted, action: word })];
    const error = await errorOf(move());
    expect(error).toMatchObject({ code: 'unreadable_answer', outcome: 'unknown' });
    expect(error.message).toContain('action');
  });
});

/** Codes of ISO 4217 of which the gateway's amounts carry, or cannot carry, the decimals. */
const carried = 'SAR AED EGP USD EUR GBP SEK NOK DKK PLN BRL MXN THB HKD KES NGN YER SYP SDG ZWG';
const refused = 'KWD BHD OMR JOD TND IQD LYD JPY KRW ISK VND XAF XOF CLF UYW XAU XDR HRK sar SA';

describe('a payment link', () => {
  it.each(carried.split(' '))('may be in %s', async (currency) => {
    gateway.script = undefined;
    await clientWith().createPaymentLink({ ...aLink, currency });
    expect(bodyOfLast()).toMatchObject({ currency });
  });

  it.each(refused.split(' '))('is not sent in %s', async (currency) => {
    const error = await errorOf(clientWith().createPaymentLink({ ...aLink, currency }));
    expect(error).toMatchObject({ code: 'invalid_input', outcome: 'not-sent' });
    expect(gateway.seen).toEqual([]);
  });
});
