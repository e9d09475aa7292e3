import { expect, test } from 'vitest';
import type { Sandbox } from '../start-sandbox.ts';
import { PortalForTest } from '../testing/portal-for-test.ts';
import { post } from '../testing/portal-for-test.ts';
import { send, startForTest } from '../testing/sandbox-for-test.ts';

const unauthorized = (message: string) => ({ statusCode: 401, message, error: 'Unauthorized' });

test('a login gives a bearer token, its life in seconds and a refresh token', async () => {
  const sandbox = await startForTest();
  const { status, body } = await post(`${sandbox.baseUrl}/auth/login`, sandbox.portal);
  expect([status, body]).toEqual([
    200,
    {
      accessToken: expect.stringMatching(/^sandbox_portal_default\.[0-9a-f-]{36}\.[0-9a-f]{32}$/),
      tokenType: 'Bearer',
      expiresIn: 3600,
      refreshToken: expect.stringMatching(/^sandbox_refresh_[0-9a-f]{64}$/),
    },
  ]);
});

test('the token is good until its last millisecond on the clock of the sandbox', async () => {
  const sandbox = await startForTest();
  await sandbox.control.freezeClock();
  const portal = await PortalForTest.logIn(sandbox);
  await sandbox.control.advanceClock({ by: 'PT59M59.999S' });
  expect((await portal.call('GET', 'webhooks')).status).toBe(200);
  await sandbox.control.advanceClock({ by: 'PT0.001S' });
  const late = await portal.call('GET', 'webhooks');
  expect(late.body).toEqual(unauthorized('Invalid or expired token'));
  expect(late.headers.get('x-sandbox-decided-by')).toBe('bearer-token-expired');
});

test('a revoked token is refused, and a new login opens the portal again', async () => {
  const sandbox = await startForTest();
  const portal = await PortalForTest.logIn(sandbox);
  await sandbox.control.revokePortalTokens();
  expect((await portal.call('GET', 'webhooks')).body).toEqual(
    unauthorized('Invalid or expired token'),
  );
  const again = await PortalForTest.logIn(sandbox);
  expect((await again.call('GET', 'webhooks')).status).toBe(200);
});

test.each([
  ['a wrong password', { password: 'wrong' }],
  ['a wrong password of the right length', { password: '0'.repeat(20) }],
  ['another name', { username: 'merchant-nobody@sandbox.example' }],
  ['a name of another form', { username: 'somebody' }],
])('%s is refused, without saying which half was wrong', async (_what, changes) => {
  const sandbox = await startForTest();
  const answer = await post(`${sandbox.baseUrl}/auth/login`, { ...sandbox.portal, ...changes });
  expect([answer.status, answer.body]).toEqual([401, unauthorized('Invalid username or password')]);
});

const refusals: [string, (sandbox: Sandbox, token: string) => Record<string, string>, string][] = [
  ['no credential', () => ({}), 'Authorization header is missing'],
  ['an empty header', () => ({ authorization: '' }), 'Authorization header is missing'],
  ['a made-up token', () => ({ authorization: 'Bearer abc' }), 'Invalid or expired token'],
  [
    'a token with a changed end',
    (_sandbox, token) => ({
      authorization: `Bearer ${token.slice(0, -4)}${token.endsWith('0000') ? '1111' : '0000'}`,
    }),
    'Invalid or expired token',
  ],
  [
    'another scheme',
    (_sandbox, token) => ({ authorization: `Basic ${token}` }),
    'Invalid or expired token',
  ],
  [
    'an API key in its own header',
    ({ apiKey }) => ({ 'x-api-key': apiKey }),
    'An API key cannot be used for portal APIs',
  ],
  [
    'an API key as a token',
    ({ apiKey }) => ({ authorization: `Bearer ${apiKey}` }),
    'An API key cannot be used for portal APIs',
  ],
];

test.each(refusals)(
  'the portal refuses %s with its own message',
  async (_what, headers, message) => {
    const sandbox = await startForTest();
    const { token } = await PortalForTest.logIn(sandbox);
    const answer = await send(`${sandbox.baseUrl}/merchant/account/webhooks`, {
      headers: headers(sandbox, token),
    });
    expect([answer.status, answer.body]).toEqual([401, unauthorized(message)]);
    expect(answer.headers.get('x-sandbox-hint')).toMatch(/^[ -~]+$/);
  },
);

test('a staging token does not open production, nor the reverse', async () => {
  const sandbox = await startForTest();
  const staging = await PortalForTest.logIn(sandbox);
  const production = await PortalForTest.logIn(sandbox, sandbox.productionBaseUrl);
  const ask = (base: string, { token }: PortalForTest) =>
    send(`${base}/merchant/account/webhooks`, { headers: { authorization: `Bearer ${token}` } });
  expect((await ask(sandbox.productionBaseUrl, staging)).body).toEqual(
    unauthorized('Portal token does not belong to the production environment'),
  );
  expect((await ask(sandbox.baseUrl, production)).body).toEqual(
    unauthorized('Portal token does not belong to the staging environment'),
  );
  expect((await ask(sandbox.productionBaseUrl, production)).status).toBe(200);
});

test('a merchant that the gateway does not find can neither log in nor use its token', async () => {
  const sandbox = await startForTest();
  const portal = await PortalForTest.logIn(sandbox);
  await sandbox.control.switchMerchant('not-found');
  const login = await post(`${sandbox.baseUrl}/auth/login`, sandbox.portal);
  for (const { body } of [login, await portal.call('GET', 'credentials')]) {
    expect(body).toEqual(unauthorized('Merchant not found'));
  }
});

test('a reset leaves tokens as good as they were', async () => {
  const sandbox = await startForTest();
  const portal = await PortalForTest.logIn(sandbox);
  await sandbox.control.reset();
  expect((await portal.call('GET', 'webhooks')).status).toBe(200);
});
