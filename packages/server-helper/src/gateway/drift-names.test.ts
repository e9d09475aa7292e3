import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answerWith, CountedGateway } from '../../test-support/counted-gateway.ts';
import { aLink, aSession } from '../../test-support/gateway-calls.ts';
import { sendJson, type Script } from '../../test-support/scripted-gateway.ts';

let counted: CountedGateway;
beforeEach(async () => {
  counted = await CountedGateway.start();
});
afterEach(() => counted.close());

describe('no text of the gateway is kept', () => {
  const secrets = [
    '4111111111111111',
    'card4111111111111111',
    '+966501234567',
    'm0501234567',
    'key-1',
    'sk_live_51H8xQ2eZvKYlo2C',
    'noura@example.com',
    'a password',
    'portal-token-1',
    'Noura Q',
    'f2d5b7c0-0000-4000-8000-000000000001',
    '',
    '0',
    '<b>',
  ];

  it.each(secrets)('as the name of a field: %j', async (secret) => {
    counted.answer(200, { webhooks: [] });
    await counted.call('listWebhooks');
    for (const body of [answerWith({ [secret]: 1 }), { ...answerWith({}), [secret]: 1 }]) {
      counted.answer(200, body);
      await counted.call('retrieveStatus');
    }
    counted.answer(400, { statusCode: 400, message: 'no', [secret]: 1 });
    await counted.call('retrieveStatus');
    await counted.call('listWebhooks');
    const reported = JSON.stringify([counted.client.drift(), counted.lines]);
    expect(counted.seen().filter((one) => one.includes('unknown_field'))).toEqual([
      expect.stringContaining('(others)'),
      expect.stringContaining('(others)'),
      expect.stringContaining('(others)'),
      expect.stringContaining('(others)'),
    ]);
    if (secret.length > 3) expect(reported).not.toContain(secret);
  });

  it.each(secrets.slice(0, 9))('as a value: %j', async (secret) => {
    counted.answer(
      200,
      answerWith({ transactionStatus: secret, refundStatus: secret, unknown: secret }),
    );
    await counted.call('retrieveStatus');
    counted.answer(400, {
      statusCode: 400,
      message: secret,
      error: secret,
      more: { [secret]: secret },
    });
    await counted.call('retrieveStatus');
    expect(counted.seen()).toHaveLength(4);
    expect(JSON.stringify([counted.client.drift(), counted.lines])).not.toContain(secret);
  });

  it('of the customer of a call', async () => {
    counted.answer(201, {
      id: aSession,
      redirectUrl: 'https://a.example/',
      [aLink.customer.name]: 1,
    });
    await counted.client.createPaymentLink(aLink);
    expect(counted.seen()).toEqual(['createPaymentLink unknown_field /(others) 1']);
  });

  it('below a field that is unknown, such as the keys of a map', async () => {
    counted.answer(200, answerWith({ byCustomer: { Fatima: { tokens: 1 } } }));
    await counted.call('retrieveStatus');
    expect(counted.seen()).toEqual(['retrieveStatus unknown_field /data/content/*/byCustomer 1']);
  });

  it('with control characters, or without an end', async () => {
    counted.answer(200, { ...answerWith({ [`a${'b'.repeat(500)}`]: 1 }), 'x\u0000\u001By\n': 1 });
    await counted.call('retrieveStatus');
    expect(counted.client.drift().map(({ field }) => field)).toEqual([
      `/data/content/*/a${'b'.repeat(39)}`,
      '/xy',
    ]);
  });
});

it('10,000 names of unknown fields are counted in bounded memory', async () => {
  let name = 0;
  const letters = (index: number): string =>
    Array.from(String(index), (digit) => 'abcdefghij'[Number(digit)]).join('');
  const script: Script = (_request, response) => {
    const more = Object.fromEntries(
      Array.from({ length: 500 }, () => [`field_${letters((name += 1))}`, 1]),
    );
    sendJson(response, 200, answerWith(more));
  };
  counted.gateway.script = script;
  for (let calls = 0; calls < 20; calls += 1) await counted.call('retrieveStatus');
  expect(name).toBe(10_000);
  expect(counted.client.drift()).toHaveLength(21);
  expect(counted.lines).toHaveLength(21);
  expect(counted.seen()[0]).toBe('retrieveStatus unknown_field /data/content/*/(others) 20');
});

it('a field called as an object’s own method is a field like others', async () => {
  counted.gateway.script = (_request, response) => {
    const text = JSON.stringify(answerWith({})).replace(
      '"pan"',
      '"constructor":{},"__proto__":{},"pan"',
    );
    response.writeHead(200, { 'content-type': 'application/json' }).end(text);
  };
  await counted.call('retrieveStatus');
  expect(counted.seen()).toEqual([
    'retrieveStatus unknown_field /data/content/*/__proto__ 1',
    'retrieveStatus unknown_field /data/content/*/constructor 1',
  ]);
});
