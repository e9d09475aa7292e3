import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errorOf, oddClientOf } from '../../test-support/gateway-calls.ts';
import { changingInputs } from '../../test-support/operation-inputs.ts';
import { ScriptedGateway, sendJson, statusAnswer } from '../../test-support/scripted-gateway.ts';
import type { GatewayClient, GatewayClientOptions } from './gateway-client.ts';
import type { GatewayProfile } from './profile.ts';
import type { SaleInput } from './sale.ts';

let gateway: ScriptedGateway;
let client: GatewayClient | undefined;
/** The answer to each request that is no login. */
let answer: readonly [status: number, body: unknown];

beforeEach(async () => {
  gateway = await new ScriptedGateway().start();
  gateway.script = (request, response) => {
    if (request.path.endsWith('/auth/login')) gateway.answerUsually(request, response);
    else sendJson(response, ...answer);
  };
});

afterEach(async () => {
  await client?.close();
  await gateway.close();
});

function clientWith(
  profile: GatewayProfile,
  options: Partial<GatewayClientOptions> = {},
): GatewayClient {
  const portal = { username: 'noura', password: 'a password' };
  client = oddClientOf(gateway.origin, { portal, profile, ...options });
  return client;
}

const ofOperations = (operations: GatewayProfile['operations']): GatewayClient =>
  clientWith({ operations });

const aSale = changingInputs['sale'] as SaleInput;
const aTransaction = 'f2d5b7c0-0000-4000-8000-000000000001';
const sold = { result: 'SUCCESS', transactionId: aTransaction };
const inEnvelope = (data: unknown) => ({ code: 200, message: 'ok', errorCode: null, data });
const bodyOfLast = () => gateway.seen.at(-1)?.body;

describe('a request under a profile', () => {
  it('bears the gateway’s names', async () => {
    const body = { active: 'enabled', url: 'endpoint', events: 'topics' };
    answer = [201, { id: 'wh-1', url: 'https://shop.example/w' }];
    const input = { url: 'https://shop.example/w', events: ['Refund'], active: true };
    await ofOperations({ createWebhook: { body } }).createWebhook(input);
    expect(bodyOfLast()).toEqual({
      endpoint: 'https://shop.example/w',
      topics: ['Refund'],
      enabled: true,
    });
  });

  it('bears fixed fields, which replace none of ours', async () => {
    answer = [200, inEnvelope(sold)];
    const sale = { body: { orderId: 'order_number' }, add: { channel: 'WEB', amount: 1 } };
    await ofOperations({ sale }).sale(aSale);
    expect(bodyOfLast()).toMatchObject({ order_number: '1001', channel: 'WEB', amount: 115 });
    expect(bodyOfLast()).not.toHaveProperty('orderId');
  });

  it('bears fixed fields where it has no others', async () => {
    answer = [201, { id: 'key-2', apiKey: 'sk-new' }];
    await ofOperations({ rotateApiKey: { add: { revokeOld: false } } }).rotateApiKey();
    expect(bodyOfLast()).toEqual({ revokeOld: false });
  });

  it.each([
    ['sale', { orderId: 'amount' }, 'orderId'],
    ['createWebhook', { url: 'events' }, 'url'],
    ['createWebhook', { url: 'target', events: 'target' }, 'url'],
    ['createSdkToken', { name: 'type' }, 'name'],
  ] as const)('cannot give two fields of %s one name: %j', (operation, body, name) => {
    expect(() => clientWith({ operations: { [operation]: { body } } })).toThrow(
      `gateway.profile.operations.${operation}.body.${name} must be no other field’s name`,
    );
  });

  it('polls by POST with a body instead of a query, once', async () => {
    answer = [200, statusAnswer([])];
    const pollStatus = {
      method: 'POST',
      path: '/payment/s2s/status',
      body: { transactionId: 'trans_id' },
    } as const;
    const asking = ofOperations({ pollStatus });
    await asking.pollStatus({ transactionId: aTransaction });
    expect(gateway.seen).toMatchObject([
      { method: 'POST', path: '/v1/payment/s2s/status', body: { trans_id: aTransaction } },
    ]);
    expect([...(gateway.seen[0]?.query ?? [])]).toEqual([]);
    answer = [503, {}];
    expect(await errorOf(asking.pollStatus({ transactionId: aTransaction }))).toMatchObject({
      code: 'gateway_fault',
    });
    expect(gateway.seen).toHaveLength(2);
  });

  it('polls by GET with the fixed fields in its query', async () => {
    answer = [200, statusAnswer([])];
    const asking = ofOperations({ pollStatus: { add: { full: true } } });
    await asking.pollStatus({ transactionId: aTransaction });
    expect(gateway.seen[0]?.query.toString()).toBe(`full=true&id=${aTransaction}`);
    expect(bodyOfLast()).toBeUndefined();
  });
});

describe('an answer under a profile', () => {
  it('is read at the gateway’s places', async () => {
    answer = [201, { data: { wh: { 'key/id': 'wh-7', '~': 'https://shop.example/w' } } }];
    const places = { id: '/data/wh/key~1id', url: '/data/wh/~0', secret: '/data/secret/0' };
    const creating = ofOperations({ createWebhook: { answer: places } });
    const input = { url: 'https://shop.example/w', events: [], active: true };
    const { id, url, secret } = await creating.createWebhook(input);
    expect([id, url, secret]).toEqual(['wh-7', 'https://shop.example/w', null]);
    answer = [201, { data: { wh: { 'key/id': 'wh-7', '~': url }, secret: ['whsec-7'] } }];
    expect((await creating.createWebhook(input)).secret).toBe('whsec-7');
  });

  it('may lack what the profile says that the gateway has not', async () => {
    answer = [201, { newKey: 'sk-new' }];
    const rotating = ofOperations({ rotateApiKey: { answer: { apiKey: '/newKey', id: null } } });
    expect(await rotating.rotateApiKey()).toEqual({ apiKey: 'sk-new', id: '' });
  });

  it('has no value where its place has none, though the usual place has', async () => {
    answer = [201, { id: 'sdk-1', token: 'not this', sdkToken: { value: 'sdk-secret' } }];
    const wrong = ofOperations({ createSdkToken: { answer: { token: '/sdkToken/text' } } });
    expect(await errorOf(wrong.createSdkToken({ name: 'Till 1' }))).toMatchObject({
      code: 'unreadable_answer',
    });
    await wrong.close();
    const right = ofOperations({ createSdkToken: { answer: { token: '/sdkToken/value' } } });
    expect((await right.createSdkToken({ name: 'Till 1' })).token).toBe('sdk-secret');
  });

  it.each([
    [
      'below another name',
      { data: { items: [{ key: { text: '****1' }, id: 'a' }] } },
      '/data/items',
    ],
    ['as the whole body', [{ key: { text: '****1' }, id: 'a' }], ''],
  ])('is a list %s, with fields of its records', async (_how, body, credentials) => {
    answer = [200, body];
    const places = { credentials, apiKey: '/key/text' };
    const listing = ofOperations({ retrieveCredentials: { answer: places } });
    expect(await listing.retrieveCredentials()).toEqual({
      credentials: [{ apiKey: '****1', id: 'a' }],
    });
  });

  it('of SDK tokens is a list that is not where the profile says', async () => {
    answer = [200, { sdkTokens: [] }];
    const listing = ofOperations({ listSdkTokens: { answer: { sdkTokens: '/items' } } });
    expect(await errorOf(listing.listSdkTokens())).toMatchObject({ code: 'unreadable_answer' });
  });

  it('of a sale is read at the gateway’s places, still inside its envelope', async () => {
    const places = { transactionId: '/data/payment/uuid', html: '/data/acs', recurringToken: null };
    const selling = ofOperations({ sale: { answer: places } });
    const data = { result: 'REDIRECT', payment: { uuid: aTransaction }, acs: '<form>' };
    answer = [200, inEnvelope({ ...data, recurringToken: 'not ours' })];
    expect(await selling.sale(aSale)).toMatchObject({
      result: 'redirect',
      transactionId: aTransaction,
      html: '<form>',
      recurringToken: null,
    });
    for (const body of [data, inEnvelope(null), { ...inEnvelope(data), errorCode: 0 }]) {
      answer = [200, body];
      expect(await errorOf(selling.sale(aSale))).toMatchObject({
        code: 'unreadable_answer',
        outcome: 'unknown',
      });
    }
    answer = [200, { ...inEnvelope(data), errorCode: '400' }];
    expect(await errorOf(selling.sale(aSale))).toMatchObject({ code: 'invalid_request' });
  });
});

describe('the portal’s login under a profile', () => {
  const logIn = async (login: GatewayProfile['login'], body: unknown) => {
    gateway.script = (request, response) =>
      sendJson(response, 200, request.path.endsWith('/auth/login') ? body : { webhooks: [] });
    let now = 0;
    const clock = { now: () => now, sleep: () => Promise.resolve() };
    const calling = clientWith({ login }, { clock });
    await calling.listWebhooks();
    now = 50_000;
    await calling.listWebhooks();
    return gateway.logins;
  };

  it('bears the gateway’s names', async () => {
    const [login] = await logIn({ body: { username: 'email' } }, { token: 'portal-1' });
    expect(login?.body).toEqual({ email: 'noura', password: 'a password' });
  });

  it.each([
    ['expiresIn', {}, { token: 'portal-1', expiresIn: 60 }, 1],
    ['a short life', {}, { token: 'portal-1', expiresIn: 40 }, 2],
    ['expires_in', {}, { access_token: 'portal-1', expires_in: 40 }, 2],
    ['a text', {}, { access_token: 'portal-1', expires_in: '40' }, 2],
    ['a text of no number', {}, { access_token: 'portal-1', expires_in: 'soon' }, 1],
    ['an accessToken of another type', {}, { accessToken: {}, token: 'portal-1' }, 1],
    [
      'its own places',
      { token: '/data/jwt', expiresInSeconds: '/data/ttl' },
      { token: 'another', expiresIn: 3_600, data: { jwt: 'portal-1', ttl: 40 } },
      2,
    ],
  ])('reads token and lifetime from %s', async (_what, login, body, logins) => {
    expect(await logIn(login, body)).toHaveLength(logins);
    expect(gateway.seen.at(-1)?.headers.authorization).toBe('Bearer portal-1');
  });

  it('gives no token where the profile’s place has none', async () => {
    const error = await errorOf(logIn({ token: '/data/jwt' }, { token: 'portal-1' }));
    expect(error).toMatchObject({ code: 'unreadable_answer', outcome: 'not-sent' });
    expect(error.message).toContain('/data/jwt');
  });
});

describe('a sale whose hash the profile requires', () => {
  it('is refused before it is sent without one, and sent with it', async () => {
    answer = [200, inEnvelope(sold)];
    const profile: GatewayProfile = { sale: { hash: 'required' } };
    const unsigned = clientWith(profile);
    const error = await errorOf(unsigned.sale(aSale));
    expect(error).toMatchObject({ code: 'invalid_input', outcome: 'not-sent' });
    expect(error.message).toContain('saleHash');
    expect(gateway.seen).toEqual([]);
    await unsigned.close();
    await clientWith(profile, { saleHash: () => 'abc' }).sale(aSale);
    expect(bodyOfLast()).toMatchObject({ hash: 'abc' });
  });
});
