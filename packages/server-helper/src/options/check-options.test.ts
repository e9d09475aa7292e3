import { describe, expect, it } from 'vitest';
import { createPayments } from '../create-payments.ts';
import { ConfigurationError, helpAddress, type Finding } from '../errors.ts';
import type { PaymentsOptions } from './payments-options.ts';
import { paymentsFromEnv } from '../payments-from-env.ts';
import { memoryStore } from '../testing.ts';

const SECRET = '5f1c0a7be2d94f36a8c07d11e93b42f6';
const production = {
  environment: 'production',
  baseUrl: 'https://gateway.example/v1',
  apiKey: 'key-1',
} as const;
const good: PaymentsOptions<unknown> = {
  gateway: { environment: 'staging', baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'key-1' },
  publicUrl: 'https://shop.example',
  tokenSecrets: [SECRET],
  store: memoryStore(),
  loadOrder: () => null,
  pages: { success: '/thanks/:orderId', pending: '/wait/:orderId', failure: '/retry/:orderId' },
};
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

/** Every mistake that can be seen at start: what is wrong, its code, and the setting it names. */
const mistakes: readonly (readonly [string, object, string, string])[] = [
  ['no token secret', { tokenSecrets: [] }, 'weak_token_secret', 'tokenSecrets'],
  ['no encryption key', { encryptionKeys: [] }, 'weak_encryption_key', 'encryptionKeys'],
  [
    'a short encryption key',
    { encryptionKeys: ['short'] },
    'weak_encryption_key',
    'encryptionKeys',
  ],
  ['a ceiling that is a number', { recurringCeiling: 5 }, 'invalid_option', 'recurringCeiling'],
  ['a ceiling of zero', { recurringCeiling: '0.00' }, 'invalid_option', 'recurringCeiling'],
  ['a short token secret', { tokenSecrets: ['short'] }, 'weak_token_secret', 'tokenSecrets'],
  [
    'a token secret of one character',
    { tokenSecrets: ['a'.repeat(40)] },
    'weak_token_secret',
    'tokenSecrets',
  ],
  [
    'a placeholder for a token secret in production',
    { gateway: production, tokenSecrets: ['please-change-me-0123456789abcdef'] },
    'weak_token_secret',
    'tokenSecrets',
  ],
  [
    'a short text again and again as a token secret in production',
    { gateway: production, tokenSecrets: ['s3cretpw'.repeat(4)] },
    'weak_token_secret',
    'tokenSecrets',
  ],
  [
    'the alphabet as a token secret in production',
    { gateway: production, tokenSecrets: ['abcdefghijklmnopqrstuvwxyz0123456789'] },
    'weak_token_secret',
    'tokenSecrets',
  ],
  [
    'the API key as a token secret',
    { gateway: { ...good.gateway, apiKey: SECRET } },
    'contradictory_options',
    'tokenSecrets',
  ],
  [
    'an http public URL in production',
    { gateway: production, publicUrl: 'http://shop.example' },
    'invalid_public_url',
    'publicUrl',
  ],
  [
    'this machine as the public URL in production',
    { gateway: production, publicUrl: 'https://localhost:3000' },
    'invalid_public_url',
    'publicUrl',
  ],
  [
    'a base URL without /v1',
    { gateway: { ...good.gateway, baseUrl: 'https://gateway.example' } },
    'invalid_base_url',
    'gateway.baseUrl',
  ],
  [
    'a sandbox in production',
    { gateway: { ...production, baseUrl: 'https://sandbox.gateway.example/v1' } },
    'wrong_environment',
    'gateway.baseUrl',
  ],
  [
    'a loopback base URL in production',
    { gateway: { ...production, baseUrl: 'https://127.0.0.1:4010/v1' } },
    'wrong_environment',
    'gateway.baseUrl',
  ],
  [
    'a staging key in production',
    { gateway: { ...production, apiKey: ['key-1', 'sandbox_staging_0123456789abcdef'] } },
    'wrong_environment',
    'gateway.apiKey',
  ],
  [
    'a production key in staging',
    { gateway: { ...good.gateway, apiKey: 'sk_live_0123456789abcdef' } },
    'wrong_environment',
    'gateway.apiKey',
  ],
  [
    'a deadline that outlives the lease of a status check',
    { gateway: { ...good.gateway, timeoutMs: 90_000 } },
    'invalid_timeout',
    'gateway.timeoutMs',
  ],
  [
    'two routes with one path',
    { routes: { checkout: '/Health' } },
    'route_conflict',
    'routes.health',
  ],
  [
    'a route in the way of another',
    { routes: { health: '/status/ready' } },
    'route_conflict',
    'routes.health',
  ],
  [
    'a route with a parameter',
    { routes: { webhook: '/:x' } },
    'invalid_mount_path',
    'routes.webhook',
  ],
  ['a mount path that is no text', { mountPath: 17 }, 'invalid_mount_path', 'mountPath'],
  ['a missing page', { pages: { success: '/a', pending: '/b' } }, 'invalid_page', 'pages.failure'],
  ['no loadOrder', { loadOrder: undefined }, 'invalid_option', 'loadOrder'],
  ['a recheck that is a text', { recheckOrder: 'false' }, 'invalid_option', 'recheckOrder'],
  ['a handler that is no function', { on: { paid: 'ship it' } }, 'invalid_option', 'on.paid'],
  ['a handler of nothing', { on: { payed: () => undefined } }, 'invalid_option', 'on.payed'],
  ['a misspelt option', { publicURL: 'https://shop.example' }, 'invalid_option', 'publicURL'],
  ['a strange option', { cors: { origins: ['http://a.b'], any: 1 } }, 'invalid_option', 'cors.any'],
  ['a merchant without a name', { merchant: ' ' }, 'invalid_option', 'merchant'],
  [
    'a hook that waits in a store that cannot',
    { store: undefined, inTransaction: async () => undefined },
    'asynchronous_hook',
    'inTransaction',
  ],
  ['a hook that may take no time', { hookTimeoutMs: 0 }, 'invalid_timeout', 'hookTimeoutMs'],
  [
    'a hook that may outlive a lease',
    { hookTimeoutMs: 60_000 },
    'invalid_timeout',
    'hookTimeoutMs',
  ],
  [
    'half a portal credential',
    { gateway: { ...good.gateway, portal: { username: 'noura' } } },
    'invalid_portal',
    'gateway.portal',
  ],
];

describe('payments', () => {
  it.each(mistakes)('do not start with %s', (_what, changes, code, setting) => {
    const [finding, ...others] = findingsOf(changes);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ code, setting, help: helpAddress(code) });
    for (const sentence of [finding?.what, finding?.why, finding?.fix]) {
      expect(sentence).toMatch(/^[A-Za-z].*\.$|^Make .* with: node /);
    }
  });

  it('tell nothing in the message of what was secret', () => {
    const apiKey = 'sandbox_staging_canary';
    const gateway = { ...production, apiKey, baseUrl: 'https://canary:canary@x.example/' };
    const error = refusalOf(() =>
      createPayments({ ...good, gateway, tokenSecrets: ['canary', apiKey] }),
    );
    expect(error.findings.length).toBeGreaterThan(3);
    expect(JSON.stringify([error.message, error.findings])).not.toContain('canary');
  });

  it('that are given nothing tell of everything that is needed', () => {
    const settings = refusalOf(() => createPayments(untyped(undefined))).findings.map(
      ({ setting }) => setting,
    );
    for (const needed of ['gateway.baseUrl', 'publicUrl', 'tokenSecrets', 'loadOrder']) {
      expect(settings).toContain(needed);
    }
  });
});

describe('one error', () => {
  const changes = { publicUrl: 'shop.example', mountPath: 'pay', tokenSecrets: ['x'] };

  it('lists all findings, and bears the code of the first', () => {
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

it.each([
  [
    'a key whose random part happens to be a word',
    { gateway: { ...good.gateway, apiKey: 'key_live' } },
  ],
  [
    'the sandbox key of the environment',
    { gateway: { ...good.gateway, apiKey: 'sandbox_staging_1' } },
  ],
  ['the sandbox’s other key', { gateway: { ...production, apiKey: 'sandbox_production_1' } }],
  ['routes that are left out', { routes: { status: false, webhook: false, health: false } }],
  ['routes with names of their own', { routes: { status: '/state', health: '/live/now' } }],
  ['one page for all', { pages: { success: '/o', pending: '/o', failure: '/o' } }],
  ['a handler that is undefined', { on: { paid: undefined } }],
])('payments start with %s', async (_what, changes) => {
  await createPayments({ ...good, store: memoryStore(), ...(changes as object) }).close();
});
