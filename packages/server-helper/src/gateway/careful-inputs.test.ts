import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callOf, oddClientOf, errorOf } from '../../test-support/gateway-calls.ts';
import { changingInputs } from '../../test-support/operation-inputs.ts';
import { ScriptedGateway, sendJson } from '../../test-support/scripted-gateway.ts';

let gateway: ScriptedGateway;

beforeEach(async () => {
  gateway = await new ScriptedGateway().start();
  gateway.script = (request, response) => {
    if (request.path.endsWith('/auth/login')) gateway.answerUsually(request, response);
    else sendJson(response, 400, {});
  };
});

afterEach(() => gateway.close());

const portal = { username: 'noura', password: 'a password' };

describe('an id in a path', () => {
  it.each([
    ['a/../b', 'a%2F..%2Fb'],
    ['...', '...'],
    ['%2e%2e', '%252e%252e'],
    ['a?b#c', 'a%3Fb%23c'],
    ['معرف', '%D9%85%D8%B9%D8%B1%D9%81'],
    ['$&', '%24%26'],
  ])('is percent-encoded: %s', async (id, encoded) => {
    const client = oddClientOf(gateway.origin, { portal });
    await errorOf(client.deleteWebhook({ id }));
    expect(gateway.seen.at(-1)?.path).toBe(`/v1/merchant/account/webhooks/${encoded}`);
    await client.close();
  });

  it.each(['.', '..', '', ' ', '\uD800', 'x'.repeat(501)])('is refused: %j', async (id) => {
    const client = oddClientOf(gateway.origin, { portal });
    for (const call of [
      client.deleteWebhook({ id }),
      client.updateWebhook({ id, active: true }),
      client.updateSdkToken({ id, status: 'ACTIVE' }),
    ]) {
      expect(await errorOf(call)).toMatchObject({ code: 'invalid_input', outcome: 'not-sent' });
    }
    expect(gateway.seen).toHaveLength(0);
    await client.close();
  });
});

describe('an amount', () => {
  const transactionId = 't-1';

  it.each([
    '20',
    '0.00',
    '-1.00',
    '1e2',
    '20.005',
    '99999999999999.99',
    20,
    null,
    { minorUnits: 0, currency: 'SAR' },
    { minorUnits: 1.5, currency: 'SAR' },
    { minorUnits: 1e15, currency: 'SAR' },
    { minorUnits: 100, currency: 'KWD' },
    { minorUnits: '100', currency: 'SAR' },
    { minorUnits: 100 },
    { minorUnits: 100, currency: 'SAR', scale: 3 },
  ])('that cannot be exact is refused: %j', async (amount) => {
    const client = oddClientOf(gateway.origin);
    for (const operation of ['refund', 'capture']) {
      const error = await errorOf(callOf(client, operation, { transactionId, amount }));
      expect(error).toMatchObject({ code: 'invalid_input', outcome: 'not-sent' });
    }
    expect(gateway.seen).toHaveLength(0);
    await client.close();
  });

  it('of another currency than the one beside it is refused', async () => {
    const client = oddClientOf(gateway.origin);
    const input = {
      ...(changingInputs['createPaymentLink'] as object),
      amount: { minorUnits: 100, currency: 'USD' },
    };
    const call = callOf(client, 'createPaymentLink', { ...input, currency: 'SAR' });
    expect(await errorOf(call)).toMatchObject({ code: 'invalid_input' });
    await errorOf(callOf(client, 'createPaymentLink', input));
    expect(gateway.seen.at(-1)?.body).toMatchObject({ amount: 1, currency: 'USD' });
    await client.close();
  });
});
