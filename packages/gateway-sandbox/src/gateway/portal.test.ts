import { beforeEach, expect, test } from 'vitest';
import { PortalForTest, post } from '../testing/portal-for-test.ts';
import { refusalB, send, startForTest, told } from '../testing/sandbox-for-test.ts';
import { validLink, withCalls } from '../testing/sandbox-for-test.ts';
import type { SandboxForTest } from '../testing/sandbox-for-test.ts';

let sandbox: SandboxForTest;
let portal: PortalForTest;
beforeEach(async () => {
  sandbox = await startForTest();
  portal = await PortalForTest.logIn(sandbox);
});

// Pins: operation.logIn, field.LoginRequest.*, field.LoginAnswer.*
test('a login gives a bearer token, its life in seconds and a refresh token', async () => {
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
  await sandbox.control.freezeClock();
  portal = await PortalForTest.logIn(sandbox);
  await sandbox.control.advanceClock({ by: 'PT59M59.999S' });
  expect((await portal.call('GET', 'webhooks')).status).toBe(200);
  await sandbox.control.advanceClock({ by: 'PT0.001S' });
  const late = await portal.call('GET', 'webhooks');
  expect(told(late)).toEqual(refusalB(401, 'Invalid or expired token'));
  expect(late.headers.get('x-sandbox-decided-by')).toBe('bearer-token-expired');
});

test('a token outlives a reset; revoked it is refused, and a new login opens the portal again', async () => {
  await sandbox.control.reset();
  expect((await portal.call('GET', 'webhooks')).status).toBe(200);
  await sandbox.control.revokePortalTokens();
  const refused = await portal.call('GET', 'webhooks');
  expect(told(refused)).toEqual(refusalB(401, 'Invalid or expired token'));
  const again = await PortalForTest.logIn(sandbox);
  expect((await again.call('GET', 'webhooks')).status).toBe(200);
});

test.each([
  ['a wrong password', { password: 'wrong' }],
  ['a wrong password of the right length', { password: '0'.repeat(20) }],
  ['another name', { username: 'merchant-nobody@sandbox.example' }],
  ['a name of another form', { username: 'somebody' }],
])('%s is refused, without saying which half was wrong', async (_what, changes) => {
  const answer = await post(`${sandbox.baseUrl}/auth/login`, { ...sandbox.portal, ...changes });
  expect(told(answer)).toEqual(refusalB(401, 'Invalid username or password'));
});

const invalid = 'Invalid or expired token';
const keyOnPortal = 'An API key cannot be used for portal APIs';
const refusals: [string, (token: string) => Record<string, string>, string][] = [
  ['no credential', () => ({}), 'Authorization header is missing'],
  ['an empty header', () => ({ authorization: '' }), 'Authorization header is missing'],
  ['a made-up token', () => ({ authorization: 'Bearer abc' }), invalid],
  ['a token with another end', (token) => ({ authorization: `Bearer ${altered(token)}` }), invalid],
  ['another scheme', (token) => ({ authorization: `Basic ${token}` }), invalid],
  ['an API key in its own header', () => ({ 'x-api-key': sandbox.apiKey }), keyOnPortal],
  ['an API key as a token', () => ({ authorization: `Bearer ${sandbox.apiKey}` }), keyOnPortal],
];
const altered = (token: string) => token.slice(0, -4) + (token.endsWith('0000') ? '1111' : '0000');

// Pins: error.unauthorized.bearer-missing, error.unauthorized.bearer-invalid,
// error.unauthorized.wrong-type
test.each(refusals)('the portal refuses %s in its own words', async (_what, headers, message) => {
  const address = `${sandbox.baseUrl}/merchant/account/webhooks`;
  const answer = await send(address, { headers: headers(portal.token) });
  expect(told(answer)).toEqual(refusalB(401, message));
  expect(answer.headers.get('x-sandbox-hint')).toMatch(/^[ -~]+$/);
});

// Pins: error.unauthorized.wrong-environment
test('a staging token does not open production, nor the reverse', async () => {
  const production = await PortalForTest.logIn(sandbox, sandbox.productionBaseUrl);
  const ask = (base: string, { token }: PortalForTest) =>
    send(`${base}/merchant/account/webhooks`, { headers: { authorization: `Bearer ${token}` } });
  const foreignTo = (environment: string) =>
    refusalB(401, `Portal token does not belong to the ${environment} environment`);
  expect(told(await ask(sandbox.productionBaseUrl, portal))).toEqual(foreignTo('production'));
  expect(told(await ask(sandbox.baseUrl, production))).toEqual(foreignTo('staging'));
  expect((await ask(sandbox.productionBaseUrl, production)).status).toBe(200);
});

test('a merchant that the gateway does not find can neither log in nor use its token', async () => {
  await sandbox.control.switchMerchant('not-found');
  const login = await post(`${sandbox.baseUrl}/auth/login`, sandbox.portal);
  for (const answer of [login, await portal.call('GET', 'credentials')]) {
    expect(told(answer)).toEqual(refusalB(401, 'Merchant not found'));
  }
});

const url = 'https://shop.example/pay/webhook?token=abc';
const allTypes = ['Purchase', 'Authorization', 'Capture', 'Refund', 'Void'];

interface KeyRecord {
  readonly id: string;
  readonly apiKey: string;
  readonly status: string;
}

// Pins: field.CreatedWebhook.secret
test('a webhook is created with a secret that no later answer shows', async () => {
  const created = await portal.call('POST', 'webhooks', { url });
  const { secret, ...webhook } = created.body as Record<string, unknown>;
  expect([created.status, secret]).toEqual([201, expect.stringMatching(/^whsec_[0-9a-f]{48}$/)]);
  expect(webhook).toEqual({ id: expect.any(String), url, active: true, events: allTypes });
  expect((await portal.call('GET', 'webhooks')).body).toEqual({ webhooks: [webhook] });
});

test('a change of a webhook changes what it names, and a deleted one is gone', async () => {
  const { id } = await portal.answerOf<{ id: string }>('POST', 'webhooks', { url, events: [] });
  const changes = { events: ['refund', 'Purchase'], active: false };
  const changed = await portal.call('PATCH', `webhooks/${id}`, changes);
  const webhook = { id, url, active: false, events: ['Purchase', 'Refund'] };
  expect([changed.status, changed.body]).toEqual([200, webhook]);
  const moved = { ...webhook, url: 'http://127.0.0.1:9/' };
  expect((await portal.call('PATCH', `webhooks/${id}`, { url: moved.url })).body).toEqual(moved);
  const deleted = await portal.call('DELETE', `webhooks/${id}`);
  expect([deleted.status, deleted.text]).toEqual([204, '']);
  expect((await portal.call('GET', 'webhooks')).body).toEqual({ webhooks: [] });
  expect((await portal.call('DELETE', `webhooks/${id}`)).status).toBe(404);
});

const empty = 'should not be empty';
const oneOf = 'must be one of the following values:';
const ofTypes = `${oneOf} ${allTypes.join(', ')}`;

test.each<[string, string, unknown, string[]]>([
  ['POST', 'webhooks', {}, ['url must be a URL address']],
  [
    'POST',
    'webhooks',
    { url: 'ftp://shop.example', events: 'all', active: 'yes' },
    ['url must be a URL address', 'events must be an array', 'active must be a boolean value'],
  ],
  ['POST', 'webhooks', { url, events: ['Purchase', 'Sold'] }, [`each value in events ${ofTypes}`]],
  ['PATCH', 'webhooks/x', {}, ['at least one of url, events and active should be given']],
  ['POST', 'webhooks', [], ['the request body must be a JSON object', 'url must be a URL address']],
  ['POST', 'sdk-tokens', {}, ['name should not be empty']],
  [
    'POST',
    'sdk-tokens',
    { name: 7, type: 'FRIDGE', terminalId: '' },
    ['name must be a string', `type ${oneOf} SOFTPOS, SMARTPOS, MOBILE`, `terminalId ${empty}`],
  ],
  ['PATCH', 'sdk-tokens/x', { status: 'OFF' }, [`status ${oneOf} ACTIVE, DISABLED`]],
])('%s %s with %j gets a message for each mistake', async (method, path, body, message) => {
  expect(told(await portal.call(method, path, body))).toEqual(refusalB(400, message));
});

// Pins: transition.key.rotated, field.Credential.apiKey
test('keys are listed masked; a rotated one is shown once, and the old one lives until it is revoked', async () => {
  const list = async () =>
    (await portal.answerOf<{ credentials: KeyRecord[] }>('GET', 'credentials')).credentials;
  expect(await list()).toEqual([
    {
      id: expect.any(String),
      apiKey: `************${sandbox.apiKey.slice(-4)}`,
      environment: 'staging',
      status: 'ACTIVE',
      createdAt: expect.stringMatching(/Z$/),
      expiresAt: null,
    },
  ]);
  const rotated = await portal.call('POST', 'credentials/rotate');
  const { apiKey, id } = rotated.body as KeyRecord;
  expect(rotated.status).toBe(201);
  expect(apiKey).toMatch(/^sandbox_staging_[0-9a-f]{32}$/);
  const statusOf = async (key: string, merchantOrderId: string) => {
    const holder = withCalls({ ...sandbox, apiKey: key });
    return (await holder.postLink({ ...validLink, merchantOrderId })).status;
  };
  expect([await statusOf(sandbox.apiKey, '1'), await statusOf(apiKey, '2')]).toEqual([201, 201]);
  const [first] = await list();
  expect((await portal.call('DELETE', `credentials/${first?.id}`)).status).toBe(204);
  expect((await list()).map(({ status }) => status)).toEqual(['REVOKED', 'ACTIVE']);
  expect((await portal.call('DELETE', 'credentials/unknown')).status).toBe(404);
  expect([await statusOf(sandbox.apiKey, '3'), await statusOf(apiKey, '4')]).toEqual([401, 201]);
  await sandbox.control.reset();
  expect([await statusOf(sandbox.apiKey, '5'), await statusOf(apiKey, '6')]).toEqual([201, 201]);
  expect((await list()).map((key) => key.id)).toEqual([first?.id, id]);
});

// Pins: field.CreatedSdkToken.token, field.SdkToken.status
test('an SDK token is shown once, and is switched off and on', async () => {
  await sandbox.control.freezeClock();
  await sandbox.control.advanceClock({ to: '2030-01-01T00:00:00Z' });
  portal = await PortalForTest.logIn(sandbox);
  const till = { name: 'Till 4201 3201 1111 1010', type: 'softpos', terminalId: 'T-1' };
  const created = await portal.call('POST', 'sdk-tokens', till);
  const record = {
    id: expect.any(String),
    name: 'Till 420132******1010',
    type: 'SOFTPOS',
    terminalId: 'T-1',
    status: 'ACTIVE',
    createdAt: '2030-01-01T00:00:00.000Z',
    expiresAt: '2031-01-01T00:00:00.000Z',
  };
  const token = expect.stringMatching(/^sandbox_sdk_[0-9a-f]{48}$/) as string;
  expect([created.status, created.body]).toEqual([201, { ...record, token }]);
  expect((await portal.call('GET', 'sdk-tokens')).body).toEqual({ sdkTokens: [record] });
  const { id } = created.body as { id: string };
  const disabled = await portal.call('PATCH', `sdk-tokens/${id}`, { status: 'DISABLED' });
  expect([disabled.status, disabled.body]).toEqual([200, { ...record, status: 'DISABLED' }]);
});

test('each environment has records of its own', async () => {
  const production = await PortalForTest.logIn(sandbox, sandbox.productionBaseUrl);
  const { id } = await portal.answerOf<{ id: string }>('POST', 'webhooks', { url });
  await portal.answerOf('POST', 'sdk-tokens', { name: 'Till' });
  expect((await production.call('GET', 'webhooks')).body).toEqual({ webhooks: [] });
  expect((await production.call('GET', 'sdk-tokens')).body).toEqual({ sdkTokens: [] });
  expect((await production.call('DELETE', `webhooks/${id}`)).status).toBe(404);
  const credentials = [{ environment: 'production' }];
  expect(await production.answerOf('GET', 'credentials')).toMatchObject({ credentials });
});
