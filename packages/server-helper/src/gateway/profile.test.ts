import fc from 'fast-check';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { temporaryFolder } from '../../test-support/temporary-folder.ts';
import { callOf, clientOf, errorOf } from '../../test-support/gateway-calls.ts';
import { inA, ScriptedGateway, statusAnswer } from '../../test-support/scripted-gateway.ts';
import { inputs } from '../../test-support/operation-inputs.ts';
import { ConfigurationError } from '../errors.ts';
import type { GatewayClientOptions } from './gateway-client.ts';
import type { OperationName } from './gateway-error.ts';
import { valueAt } from './operation.ts';
import { gatewayProfile, type GatewayProfile, operations, readProfile } from './profile.ts';

// contract/matrix plays each reading of a profile from the order to the money. Here are the places that
// no journey comes by, and what a gateway may do at the edges of the others.

let gateway: ScriptedGateway;
/** The answer to each request that is no login. */
let answer: readonly [status: number, body: unknown];

beforeEach(async () => {
  gateway = await new ScriptedGateway().start();
  onTestFinished(() => gateway.close());
  answer = [400, {}];
  gateway.answerEach(() => answer);
});

function clientWith(profile: GatewayProfile | string, options: Partial<GatewayClientOptions> = {}) {
  const client = clientOf(gateway.origin, { profile, ...options });
  onTestFinished(() => client.close());
  return client;
}

/** Calls an operation under what a profile says of it. */
function call(operation: OperationName, says: object, changes: object = {}) {
  const input = { ...(inputs[operation] as object), ...changes };
  return callOf(clientWith({ operations: { [operation]: says } }), operation, input);
}

const last = () => gateway.seen.at(-1);
const aTransaction = 'f2d5b7c0-0000-4000-8000-000000000001';
const unreadable = { code: 'unreadable_answer' };

describe('a profile', () => {
  /** Operations whose path the specification states. */
  const payments = ['createPaymentLink', 'retrieveStatus', 'sale', 'capture', 'void'];
  const firm: readonly string[] = [...payments, 'listWebhooks', 'retrieveCredentials'];
  const names = Object.keys(operations) as readonly OperationName[];

  function mistakesIn(profile: unknown): readonly string[] {
    try {
      clientWith(profile as GatewayProfile);
    } catch (error) {
      if (error instanceof ConfigurationError) return error.findings.map(({ setting }) => setting);
      throw error;
    }
    return [];
  }

  it.each(names.filter((name) => !firm.includes(name)))('moves %s elsewhere', async (name) => {
    const hasId = operations[name].path.includes('{id}');
    await errorOf(call(name, { path: hasId ? '/other/{id}/place' : '/other/place' }));
    const { id } = (inputs[name] ?? {}) as { id?: string };
    expect(last()?.path).toBe(hasId ? `/v1/other/${id}/place` : '/v1/other/place');
  });

  it.each(firm)('cannot move %s, whose path the specification states', (operation) => {
    const place = `gateway.profile.operations.${operation}`;
    const [mistake] = mistakesIn({ operations: { [operation]: { path: '/other' } } });
    expect([place, `${place}.path`]).toContain(mistake);
  });

  const ofOperation = (name: string, part: string, values: readonly unknown[]) =>
    values.map((value): [string, object] => {
      const [field = '', inner] = part.split('.');
      const says = { [field]: inner === undefined ? value : { [inner]: value } };
      return [`operations.${name}.${part}`, { operations: { [name]: says } }];
    });

  it.each<[string, object]>([
    ...ofOperation('refund', 'path', ['payment/refund', '/payment/../refund', '/payment/./refund']),
    ...ofOperation('refund', 'path', ['//other.example/refund', '/payment/refund?x=1', '', 17]),
    ...ofOperation('refund', 'path', ['/payment/%2e%2e/refund', '/payment/{id}']),
    ...ofOperation('deleteWebhook', 'path', ['/webhooks', '/webhooks/x{id}']),
    ...ofOperation('refund', 'method', ['PUT']),
    ['operations.noSuch', { operations: { noSuch: { path: '/x' } } }],
    ...ofOperation('sale', 'body.amount', ['total']),
    ...ofOperation('sale', 'body.orderId', ['amount']),
    ...ofOperation('createSdkToken', 'body.name', ['type']),
    ...ofOperation('sale', 'answer.html', ['page']),
    ...ofOperation('sale', 'add.a b', [1]),
    ['login.path', { login: { path: '/login/{id}' } }],
    ['status.parameter', { status: { parameter: 'transaction' } }],
    ['webhook.signature.algorithm', { webhook: { signature: { algorithm: 'md5' } } }],
    ['webhook.orderName', { webhook: { orderName: 'merchantOrderId' } }],
    ['paths', { paths: {} }],
  ])('that is wrong at %s is refused at start: %j', (place, profile) => {
    expect(mistakesIn(profile)).toEqual([`gateway.profile.${place}`]);
  });

  it('is refused with all its mistakes at once', () => {
    const body = { url: 'target', events: 'target' };
    const profile = { status: { asks: 'y' }, login: 3, operations: { createWebhook: { body } } };
    expect(mistakesIn(profile).toSorted()).toEqual([
      'gateway.profile.login',
      'gateway.profile.operations.createWebhook.body.events',
      'gateway.profile.operations.createWebhook.body.url',
      'gateway.profile.status.asks',
    ]);
  });

  it('may be the name of a JSON file, which is refused with the reason if it cannot be read', async () => {
    const file = join(temporaryFolder(), 'gateway.json');
    expect(() => clientWith(file)).toThrow('cannot be read (ENOENT)');
    writeFileSync(file, '{"status":');
    expect(() => clientWith(file)).toThrow('is no JSON');
    writeFileSync(file, JSON.stringify({ operations: { refund: { path: '/from/a/file' } } }));
    await errorOf(callOf(clientWith(file), 'refund', inputs['refund']));
    expect(last()?.path).toBe('/v1/from/a/file');
  });

  it('has the JSON Schema of the contract', async () => {
    const schema = z.toJSONSchema(gatewayProfile, { io: 'input', reused: 'ref' });
    await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(
      '../../../../contract/gateway-profile.schema.json',
    );
  });
});

describe('a request under a profile', () => {
  it('bears fixed fields, which replace none of ours, also where it has no others', async () => {
    await errorOf(call('sale', { add: { channel: 'WEB', amount: 1 } }));
    expect(last()?.body).toMatchObject({ channel: 'WEB', amount: 115 });
    await errorOf(call('rotateApiKey', { add: { revokeOld: false } }));
    expect(last()?.body).toEqual({ revokeOld: false });
  });

  it('polls by POST without a query, once, and by GET with the fixed fields in its query', async () => {
    const input = { transactionId: aTransaction };
    answer = [503, {}];
    await errorOf(call('pollStatus', { method: 'POST' }, input));
    expect(gateway.seen).toMatchObject([{ method: 'POST', body: input }]);
    expect(last()?.query.size).toBe(0);
    answer = [200, statusAnswer([])];
    await call('pollStatus', { add: { full: true } }, input);
    expect(last()?.query.toString()).toBe(`full=true&id=${aTransaction}`);
    expect(last()?.body).toBeUndefined();
  });

  it('sends no sale without a hash that it requires', async () => {
    const client = clientWith({ sale: { hash: 'required' } });
    const error = await errorOf(callOf(client, 'sale', inputs['sale']));
    expect(error).toMatchObject({ code: 'invalid_input', outcome: 'not-sent' });
    expect(error.message).toContain('saleHash');
    expect(gateway.seen).toEqual([]);
  });
});

describe('an answer under a profile', () => {
  it('is read at the gateway’s places', async () => {
    const body = { data: { wh: { 'key/id': 'wh-7', '~': 'https://shop.example/w' } } };
    const places = { id: '/data/wh/key~1id', url: '/data/wh/~0', secret: '/data/secret/0' };
    const read = { id: 'wh-7', url: 'https://shop.example/w' };
    answer = [201, body];
    expect(await call('createWebhook', { answer: places })).toEqual({ ...read, secret: null });
    answer = [201, { data: { ...body.data, secret: ['whsec-7'] } }];
    expect(await call('createWebhook', { answer: places })).toEqual({ ...read, secret: 'whsec-7' });
  });

  it('may lack what the profile says that the gateway has not', async () => {
    answer = [201, { newKey: 'sk-new' }];
    const answerAt = { apiKey: '/newKey', id: null };
    expect(await call('rotateApiKey', { answer: answerAt })).toEqual({ apiKey: 'sk-new', id: '' });
  });

  it('has no value where its place has none, though the usual place has', async () => {
    answer = [201, { id: 'sdk-1', token: 'not this', sdkToken: { value: 'sdk-secret' } }];
    const at = (token: string) => call('createSdkToken', { answer: { token } });
    expect(await errorOf(at('/sdkToken/text'))).toMatchObject(unreadable);
    expect(await at('/sdkToken/value')).toMatchObject({ token: 'sdk-secret' });
  });

  const keys = [{ key: { text: '****1' }, id: 'a' }];
  it.each([
    ['below another name', { data: { items: keys } }, '/data/items'],
    ['as the whole body', keys, ''],
  ])('is a list %s, with fields of its records', async (_how, body, credentials) => {
    answer = [200, body];
    const places = { credentials, apiKey: '/key/text' };
    const listed = await call('retrieveCredentials', { answer: places });
    expect(listed).toEqual({ credentials: [{ apiKey: '****1', id: 'a' }] });
  });

  it('of a sale is read inside its envelope', async () => {
    const places = { transactionId: '/data/payment/uuid', html: '/data/acs', recurringToken: null };
    const sell = () => call('sale', { answer: places });
    const data = { result: 'REDIRECT', payment: { uuid: aTransaction }, acs: '<form>' };
    answer = [200, inA({ ...data, recurringToken: 'not ours' })];
    const sale = { result: 'redirect', transactionId: aTransaction, html: '<form>' };
    expect(await sell()).toMatchObject({ ...sale, recurringToken: null });
    for (const body of [data, inA(null), { ...inA(data), errorCode: 0 }]) {
      answer = [200, body];
      expect(await errorOf(sell())).toMatchObject({ ...unreadable, outcome: 'unknown' });
    }
    answer = [200, { ...inA(data), errorCode: '400' }];
    expect(await errorOf(sell())).toMatchObject({ code: 'gateway_fault', outcome: 'unknown' });
  });
});

describe('the portal’s login under a profile', () => {
  /** Calls the portal at once and after 50 seconds. @returns how often it was logged in to. */
  async function loginsBy(login: GatewayProfile['login'], body: unknown): Promise<number> {
    gateway.answer({ '/auth/login': [200, body], '/webhooks': [200, { webhooks: [] }] });
    let now = 0;
    const clock = { now: () => now, sleep: () => Promise.resolve() };
    const client = clientWith({ login }, { clock });
    await client.listWebhooks();
    now = 50_000;
    await client.listWebhooks();
    return gateway.logins.length;
  }

  const places = { token: '/data/jwt', expiresInSeconds: '/data/ttl' };
  it.each([
    ['expires_in', {}, { access_token: 'portal-1', expires_in: 40 }, 2],
    ['a text', {}, { access_token: 'portal-1', expires_in: '40' }, 2],
    ['an accessToken of another type', {}, { accessToken: {}, token: 'portal-1' }, 1],
    ['its places', places, { token: 'x', expiresIn: 3_600, data: { jwt: 'portal-1', ttl: 40 } }, 2],
  ])('reads token and lifetime from %s', async (_what, login, body, logins) => {
    expect(await loginsBy(login, body)).toBe(logins);
    expect(last()?.headers.authorization).toBe('Bearer portal-1');
  });
});

const odd = ['operations', 'refund', 'answer', 'status', 'body', 'toString', '__proto__', '/~'];
const oddNames = fc.oneof(fc.constantFrom(...odd), fc.string());
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, 7, '', '/data/0'),
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(oddNames, tie('tree'), { maxKeys: 4 }),
  ),
}));

it('a pointer finds each own value of an answer, and nothing that the answer inherits', () => {
  const visit = (document: unknown, value: unknown, pointer: string): void => {
    expect(valueAt(document, pointer)).toBe(value);
    for (const inherited of ['/toString', '/constructor', '/__proto__', '/length', '/01']) {
      const isOwn = Object.hasOwn(Object(value) as object, inherited.slice(1));
      if (!isOwn || Array.isArray(value) || typeof value === 'string') {
        expect(valueAt(document, pointer + inherited)).toBeUndefined();
      }
    }
    for (const [name, inner] of Object.entries(typeof value === 'object' ? (value ?? {}) : {})) {
      visit(document, inner, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
    }
  };
  fc.assert(fc.property(tree, (document) => visit(document, document, '')));
});

it('a profile is read, or refused in our words', () => {
  fc.assert(
    fc.property(fc.dictionary(oddNames, tree), (given) => {
      try {
        readProfile(given);
      } catch (error) {
        const mistakes: unknown[] = error instanceof AggregateError ? error.errors : [error];
        for (const mistake of mistakes) expect(mistake).toBeInstanceOf(ConfigurationError);
      }
    }),
  );
});
