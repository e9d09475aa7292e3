import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callOf, oddClientOf, errorOf } from '../../test-support/gateway-calls.ts';
import { askingInputs, changingInputs } from '../../test-support/operation-inputs.ts';
import { ScriptedGateway, sendJson } from '../../test-support/scripted-gateway.ts';
import { ConfigurationError } from '../errors.ts';
import type { GatewayClientOptions } from './gateway-client.ts';
import { operations } from './operations.ts';

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
const inputs = { ...changingInputs, ...askingInputs };
const open = Object.entries(operations).filter(([, { tier }]) => tier !== 'spec');
const firm = Object.entries(operations).filter(([, { tier }]) => tier === 'spec');

function codeOf(overrides: unknown): string {
  try {
    oddClientOf(gateway.origin, { overrides: overrides as GatewayClientOptions['overrides'] });
  } catch (error) {
    if (error instanceof ConfigurationError) return error.code;
    throw error;
  }
  return 'none';
}

describe('an override', () => {
  it.each(open)('moves %s to another path', async (operation, { path }) => {
    const hasId = path.includes('{id}');
    const paths = { [operation]: hasId ? '/other/{id}/place' : '/other/place' };
    const client = oddClientOf(gateway.origin, { portal, overrides: { paths } });
    await errorOf(callOf(client, operation, inputs[operation]));
    const { id } = (inputs[operation] ?? {}) as { id?: string };
    expect(gateway.seen.at(-1)?.path).toBe(hasId ? `/v1/other/${id}/place` : '/v1/other/place');
    await client.close();
  });

  it.each(firm)('of %s, which the specification states plainly, is refused', (operation) => {
    expect(codeOf({ paths: { [operation]: '/other' } })).toBe('invalid_override');
  });

  it.each<object>([
    { paths: { refund: 'payment/refund' } },
    { paths: { refund: '/payment/../refund' } },
    { paths: { refund: '/payment/./refund' } },
    { paths: { refund: '//other.example/refund' } },
    { paths: { refund: '/payment/refund?x=1' } },
    { paths: { refund: '/payment/%2e%2e/refund' } },
    { paths: { refund: '/payment/{id}' } },
    { paths: { refund: '' } },
    { paths: { refund: 17 } },
    { paths: { updateWebhook: '/webhooks' } },
    { paths: { deleteWebhook: '/webhooks/{id}/{id}' } },
    { paths: { noSuch: '/x' } },
    { paths: { toString: '/x' } },
    { loginPath: 'login' },
    { loginPath: '/login/{id}' },
    { statusQuery: 'transaction' },
    { path: '/x' },
  ])('that is none is refused at start: %j', (overrides) => {
    expect(codeOf(overrides)).toBe('invalid_override');
  });

  it('renames the status query', async () => {
    const client = oddClientOf(gateway.origin, { overrides: { statusQuery: 'sessionId' } });
    await errorOf(client.retrieveStatus({ sessionId: 's-1' }));
    await errorOf(client.pollStatus({ transactionId: 't-1' }));
    expect(gateway.seen.map(({ query }) => query.toString())).toEqual([
      'sessionId=s-1',
      'sessionId=t-1',
    ]);
    await client.close();
  });
});

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
