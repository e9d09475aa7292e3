import { describe, expect, it } from 'vitest';
import { someOptions, TOKEN_SECRET as SECRET } from '../../test-support/some-options.ts';
import { createPayments } from '../create-payments.ts';
import { ConfigurationError, type Finding, helpAddress } from '../errors.ts';
import { readProfile } from '../gateway/profile.ts';
import { paymentsFromEnv } from '../payments-from-env.ts';
import { memoryStore } from '../testing.ts';
import { resolveEdgeSettings, resolveWatch } from './settings.ts';

const HOUR_MS = 3_600_000;
const WEBHOOK_SECRET = 'whsec_5f1c0a7be2d94f36';
const production = {
  environment: 'production',
  baseUrl: 'https://gateway.example/v1',
  apiKey: 'key-1',
} as const;
const good = someOptions();
const gateway = (changes: object) => ({ gateway: { ...good.gateway, ...changes } });
const inProduction = (changes: object) => ({ gateway: { ...production, ...changes } });
const untyped = (value: unknown): never => value as never;

function refusalOf(start: () => unknown): ConfigurationError {
  try {
    start();
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
  throw new Error('It started.');
}

const findingsOf = (changes: object): readonly Finding[] =>
  refusalOf(() => createPayments({ ...good, ...changes })).findings;

const startWith = (changes: object): Promise<void> =>
  createPayments({ ...good, store: memoryStore(), ...changes }).close();

/** Every mistake that can be seen at start, by its code and the setting that it names. */
const mistakes: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  'weak_token_secret tokenSecrets': {
    'no token secret': { tokenSecrets: [] },
    'no list of token secrets': { tokenSecrets: undefined },
    'a lone token secret': { tokenSecrets: SECRET },
    'an empty token secret': { tokenSecrets: [''] },
    'a short token secret': { tokenSecrets: [SECRET.slice(1)] },
    'a short second token secret': { tokenSecrets: [SECRET, 'short'] },
    'a token secret of bytes': { tokenSecrets: [Buffer.alloc(64)] },
    'a token secret of one character': { tokenSecrets: ['a'.repeat(40)] },
    'a token secret of little variety': { tokenSecrets: ['abcabcabc'.repeat(10)] },
    'a placeholder in production': {
      gateway: production,
      tokenSecrets: ['please-change-me-0123456789abcdef'],
    },
    'a short text again and again in production': {
      gateway: production,
      tokenSecrets: ['s3cretpw'.repeat(4)],
    },
    'the alphabet in production': {
      gateway: production,
      tokenSecrets: ['abcdefghijklmnopqrstuvwxyz0123456789'],
    },
  },
  'contradictory_options tokenSecrets': {
    'the API key as a token secret': gateway({ apiKey: SECRET }),
  },
  'weak_encryption_key encryptionKeys': {
    'no encryption key': { encryptionKeys: [] },
    'a short encryption key': { encryptionKeys: ['short'] },
  },
  'invalid_public_url publicUrl': {
    'http in production': { gateway: production, publicUrl: 'http://shop.example' },
    'this machine in production': { gateway: production, publicUrl: 'https://localhost:3000' },
  },
  'invalid_base_url gateway.baseUrl': {
    'no /v1': gateway({ baseUrl: 'https://gateway.example' }),
  },
  'wrong_environment gateway.baseUrl': {
    'a sandbox in production': inProduction({ baseUrl: 'https://sandbox.gateway.example/v1' }),
    'this machine in production': inProduction({ baseUrl: 'https://127.0.0.1:4010/v1' }),
  },
  'wrong_environment gateway.apiKey': {
    'a staging key in production': inProduction({
      apiKey: ['key-1', 'sandbox_staging_0123456789'],
    }),
    'a production key in staging': gateway({ apiKey: 'sk_live_0123456789abcdef' }),
  },
  'invalid_portal gateway.portal': { 'half a login': gateway({ portal: { username: 'noura' } }) },
  'invalid_timeout gateway.timeoutMs': {
    'a deadline that outlives a check’s lease': gateway({ timeoutMs: 90_000 }),
  },
  'invalid_timeout hookTimeoutMs': {
    'no time': { hookTimeoutMs: 0 },
    'time that may outlive a lease': { hookTimeoutMs: 60_000 },
  },
  'invalid_timeout bodyTimeoutMs': {
    'no time': { bodyTimeoutMs: 0 },
    'a half': { bodyTimeoutMs: 1.5 },
    'a text': { bodyTimeoutMs: '10' },
  },
  'route_conflict routes.health': {
    'two routes with one path': { routes: { checkout: '/Health' } },
    'a route in the way of another': { routes: { health: '/status/ready' } },
  },
  'invalid_mount_path routes.webhook': { 'a parameter': { routes: { webhook: '/:x' } } },
  'invalid_mount_path mountPath': { 'what is no text': { mountPath: 17 } },
  'invalid_page pages.failure': { 'no page': { pages: { success: '/a', pending: '/b' } } },
  'asynchronous_hook inTransaction': {
    'waiting in a store that cannot': { store: undefined, inTransaction: async () => undefined },
  },
  'invalid_option loadOrder': { nothing: { loadOrder: undefined } },
  'invalid_option recheckOrder': { 'a text': { recheckOrder: 'false' } },
  'invalid_option recurringCeiling': {
    'a number': { recurringCeiling: 5 },
    zero: { recurringCeiling: '0.00' },
  },
  'invalid_option on.paid': { 'what is no function': { on: { paid: 'ship it' } } },
  'invalid_option on.payed': { 'a misspelt event': { on: { payed: () => undefined } } },
  'invalid_option publicURL': { 'a misspelt option': { publicURL: 'https://shop.example' } },
  'invalid_option cors.any': { 'a strange option': { cors: { origins: ['http://a.b'], any: 1 } } },
  'invalid_option merchant': { 'a blank': { merchant: ' ' } },
  'invalid_option afterPayment': {
    'a number': { afterPayment: 3 },
    'the same time twice': { afterPayment: [HOUR_MS, HOUR_MS] },
    'the time of the payment': { afterPayment: [0] },
    'a text': { afterPayment: ['1h'] },
    'more than 90 days': { afterPayment: [91 * 24 * HOUR_MS] },
  },
  'invalid_option checksPerSecond': {
    none: { checksPerSecond: 0 },
    'no number': { checksPerSecond: Number.NaN },
  },
  'invalid_option oldChecksPerSecond': {
    'more than of all': { checksPerSecond: 4, oldChecksPerSecond: 5 },
  },
  'invalid_option dataFields': {
    'the price': { dataFields: ['note', 'amount'] },
    'the currency': { dataFields: ['currency'] },
    'the customer': { dataFields: ['customer'] },
    'the order': { dataFields: ['orderId'] },
    'a prototype': { dataFields: ['__proto__'] },
    'a text instead of a list': { dataFields: 'note' },
    'an empty name': { dataFields: [''] },
    'what is no text': { dataFields: [null] },
    'too many names': { dataFields: Array.from({ length: 41 }, (_, index) => `field${index}`) },
  },
};

const everyMistake = Object.entries(mistakes).flatMap(([place, all]) =>
  Object.entries(all).map(([what, changes]) => [...place.split(' '), what, changes] as const),
);

describe('payments', () => {
  it.each(everyMistake)('do not start, with %s, for %s: %s', (code, setting, _what, changes) => {
    const [finding, ...others] = findingsOf(changes as object);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ code, setting, help: helpAddress(code as string) });
    for (const sentence of [finding?.what, finding?.why, finding?.fix]) {
      expect(sentence).toMatch(/^[A-Za-z].*\.$|^Make .* with: node /);
    }
  });

  it.each([
    [{ webhookSecrets: [] }],
    [{ webhookSecrets: [''] }],
    [{ webhookSecrets: [WEBHOOK_SECRET, ' '] }],
    [{ webhookSecrets: [undefined] }],
    [{ webhookSecrets: WEBHOOK_SECRET }],
    [{ webhookSecrets: ['a'] }],
    [{ webhookSecrets: [WEBHOOK_SECRET, 'whsec_5f1c0a7be'] }],
    [{ webhookSecrets: ['a'.repeat(64)] }],
    [{ webhookSecrets: ['abcabcabcabcabcabc'] }],
    [{ webhookSecrets: ['abcdefghijklmnopqrstuvwxyz'] }],
    [{ webhookSecrets: ['9876543210fedcba'] }],
    [{ webhookSecrets: ['your-webhook-secret'] }],
    [{ webhookSecrets: [`5f1c0a7be2d${' '.repeat(20)}`] }],
    [{ webhookSecrets: [WEBHOOK_SECRET], webhookSignatureHeader: 'X Signature' }],
    [{ webhookSecrets: [WEBHOOK_SECRET], webhookSignatureHeader: '' }],
    [{ webhookSignatureHeader: 'X-Signature' }],
  ])('take no webhook’s signature by %j', (changes) => {
    expect(findingsOf(changes)).toMatchObject([{ code: 'invalid_webhook_secret' }]);
  });

  it.each<unknown>([
    true,
    null,
    { checkoutsPerAddress: 0 },
    { checkoutsPerAddress: Number.NaN },
    { checkoutsPerAddress: true },
    { checkoutPerAddress: 10 },
    { constructor: 10 },
    { shopperKey: 'session' },
    { shopperKey: 10 },
    { checkoutsPerShopper: 10 },
  ])('take no limits of %j', (limits) => {
    expect(findingsOf({ limits })).toMatchObject([{ code: 'invalid_limit' }]);
  });

  it.each([
    ['a key whose random part happens to be a word', gateway({ apiKey: 'key_live' })],
    ['the sandbox key of the environment', gateway({ apiKey: 'sandbox_staging_1' })],
    ['the sandbox’s other key', inProduction({ apiKey: 'sandbox_production_1' })],
    ['routes that are left out', { routes: { status: false, webhook: false, health: false } }],
    ['routes with names of their own', { routes: { status: '/state', health: '/live/now' } }],
    ['one page for all', { pages: { success: '/o', pending: '/o', failure: '/o' } }],
    ['a handler that is undefined', { on: { paid: undefined } }],
    [
      'names of a form',
      { dataFields: ['note', 'gift-wrap', 'constructor', 'delivery.slot', 'Z_C'] },
    ],
    ['webhook secrets in words', { webhookSecrets: [WEBHOOK_SECRET, 'سر من كلمات عدة'] }],
    ['short webhook secrets', { webhookSecrets: ['4f36a8c07d11e93b', 'kR7~Qz!m2Wx$Lp9v'] }],
  ])('start with %s', async (_what, changes) => startWith(changes));

  it('tell nothing in the message of what was secret', () => {
    const apiKey = 'sandbox_staging_canary';
    const wrong = inProduction({ apiKey, baseUrl: 'https://canary:canary@x.example/' });
    const tokenSecrets = ['canary', apiKey];
    const error = refusalOf(() => createPayments({ ...good, ...wrong, tokenSecrets }));
    expect(error.findings.length).toBeGreaterThan(3);
    expect(JSON.stringify([error.message, error.findings])).not.toContain('canary');
  });

  it('that are given nothing tell of everything that is needed', () => {
    const { findings } = refusalOf(() => createPayments(untyped(undefined)));
    const settings = findings.map(({ setting }) => setting);
    const needed = ['gateway.baseUrl', 'publicUrl', 'tokenSecrets', 'loadOrder'];
    expect(settings).toEqual(expect.arrayContaining(needed));
  });
});

describe('one error', () => {
  it('lists all findings, and bears the code of the first', () => {
    const changes = { publicUrl: 'shop.example', mountPath: 'pay', tokenSecrets: ['x'] };
    const error = refusalOf(() => createPayments({ ...good, ...changes }));
    const codes = error.findings.map(({ code }) => code);
    expect(codes).toEqual(['invalid_public_url', 'invalid_mount_path', 'weak_token_secret']);
    expect(error.code).toBe('invalid_public_url');
    for (const [index, { setting, help }] of error.findings.entries()) {
      expect(error.message).toContain(`\n${index + 1}. ${setting}: `);
      expect(error.message).toContain(help);
    }
  });

  it('tells of the environment by its variables, and of a missing one once', () => {
    const { loadOrder, pages } = good;
    const env = { GATEWAY_ENVIRONMENT: 'sandbox', PUBLIC_URL: 'shop', PAY_TOKEN_SECRET: SECRET };
    const { findings } = refusalOf(() => paymentsFromEnv({ loadOrder, pages }, env));
    expect(findings.map(({ code, setting }) => [setting, code])).toEqual([
      ['GATEWAY_BASE_URL', 'missing_setting'],
      ['GATEWAY_API_KEY', 'missing_setting'],
      ['GATEWAY_ENVIRONMENT', 'unknown_environment'],
      ['PUBLIC_URL', 'invalid_public_url'],
    ]);
  });
});

type EdgeOptions = Parameters<typeof resolveEdgeSettings>[0];
const settingsOf = (options: EdgeOptions) => resolveEdgeSettings(options, readProfile(undefined));

describe('the settings of the routes', () => {
  it('have defaults that a busy shop does not notice', () => {
    expect(settingsOf({})).toEqual({
      dataFields: [],
      bodyTimeoutMs: 10_000,
      webhookSignature: null,
      webhookOrderNames: ['/merchantOrderId', '/orderId'],
      webhookTransaction: null,
      limits: {
        checkoutsPerAddress: 600,
        checkoutsPerOrder: 60,
        checkoutsPerShopper: 60,
        pollsPerAddress: 12_000,
        pollsPerOrder: 240,
        returnsPerAddress: 1_200,
        webhooksPerAddress: 12_000,
        healthPerAddress: 6_000,
      },
      shedLoad: true,
    });
  });

  it('take each limit for itself, and all of them off', () => {
    const { limits } = settingsOf({
      limits: { checkoutsPerOrder: 5, pollsPerOrder: false, pollsPerAddress: untyped(undefined) },
    });
    expect(limits).toMatchObject({
      checkoutsPerAddress: 600,
      checkoutsPerOrder: 5,
      pollsPerOrder: false,
      pollsPerAddress: 12_000,
    });
    expect(new Set(Object.values(settingsOf({ limits: false }).limits))).toEqual(new Set([false]));
  });

  it('know the header of a signature without case', () => {
    const options = { webhookSecrets: [WEBHOOK_SECRET], webhookSignatureHeader: 'X-Gateway-Hmac' };
    expect(settingsOf(options).webhookSignature).toEqual({
      secrets: [WEBHOOK_SECRET],
      header: 'x-gateway-hmac',
      algorithm: 'sha256',
      encoding: 'hex',
      prefix: '',
      timestamped: false,
    });
  });
});

it('the background checks suit a small shop, and give old links a quarter, at least one', () => {
  expect(resolveWatch({})).toEqual({
    afterPayment: [1, 24, 72, 168, 336].map((hours) => hours * HOUR_MS),
    checksPerSecond: 20,
    oldChecksPerSecond: 5,
  });
  expect(resolveWatch({ checksPerSecond: 400 }).oldChecksPerSecond).toBe(100);
  expect(resolveWatch({ checksPerSecond: 2 }).oldChecksPerSecond).toBe(1);
  expect(resolveWatch({ oldChecksPerSecond: 20 }).oldChecksPerSecond).toBe(20);
  expect(resolveWatch({ afterPayment: [] }).afterPayment).toEqual([]);
});
