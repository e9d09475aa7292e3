import { expect, test } from 'vitest';
import type { Sandbox } from '../start-sandbox.ts';
import { postLink, send, startForTest, validLink } from '../testing/sandbox-for-test.ts';

const refusals: [string, (sandbox: Sandbox) => [string, Record<string, string>], string][] = [
  ['no key', ({ baseUrl }) => [baseUrl, {}], 'API key is missing'],
  ['an empty key', ({ baseUrl }) => [baseUrl, { 'x-api-key': '' }], 'API key is missing'],
  ['a wrong key', ({ baseUrl }) => [baseUrl, { 'x-api-key': 'nonsense' }], 'Invalid API key'],
  [
    'the production key on staging',
    ({ baseUrl, productionApiKey }) => [baseUrl, { 'x-api-key': productionApiKey }],
    'API key does not belong to the staging environment',
  ],
  [
    'the staging key on production',
    ({ productionBaseUrl, apiKey }) => [productionBaseUrl, { 'x-api-key': apiKey }],
    'API key does not belong to the production environment',
  ],
  [
    'a portal token instead of a key',
    ({ baseUrl }) => [baseUrl, { authorization: 'Bearer abc' }],
    'A portal token cannot be used for payment APIs; send the API key in x-api-key',
  ],
  [
    'a portal token in the place of a key',
    ({ baseUrl }) => [baseUrl, { 'x-api-key': 'sandbox_portal_default.a.b' }],
    'A portal token cannot be used for payment APIs; send the API key in x-api-key',
  ],
];

test.each(refusals)('%s is 401 with its own message', async (_what, call, message) => {
  const sandbox = await startForTest();
  const [base, headers] = call(sandbox);
  const create = await send(`${base}/payment/checkout/intiate`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(validLink),
  });
  const status = await send(`${base}/payment/checkout/status?id=x`, { headers });
  for (const answer of [create, status]) {
    expect([answer.status, answer.body]).toEqual([
      401,
      { statusCode: 401, message, error: 'Unauthorized' },
    ]);
  }
});

test('the key is asked for before the body is read', async () => {
  const sandbox = await startForTest();
  const { status } = await send(`${sandbox.baseUrl}/payment/checkout/intiate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{',
  });
  expect(status).toBe(401);
});

test('a merchant whose record is missing gets its 401, until it is found again', async () => {
  const sandbox = await startForTest();
  await sandbox.control.switchMerchant('not-found');
  expect((await postLink(sandbox)).body).toEqual({
    statusCode: 401,
    message: 'Merchant not found',
    error: 'Unauthorized',
  });
  expect((await sandbox.control.info()).merchant).toBe('not-found');
  await sandbox.control.switchMerchant('found');
  expect((await postLink(sandbox)).status).toBe(201);
});
