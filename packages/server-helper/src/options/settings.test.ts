import { describe, expect, it } from 'vitest';
import { readProfile } from '../gateway/profile.ts';
import { memoryStore } from '../testing.ts';
import { mistakesIn } from './check-options.ts';
import { resolveEdgeSettings, resolveWatch } from './settings.ts';

const HOUR_MS = 3_600_000;
const SECRET = 'whsec_5f1c0a7be2d94f36';
const TOKEN_SECRET = '0123456789abcdef0123456789abcdef';
const untyped = (value: unknown): never => value as never;
const good = {
  gateway: { environment: 'staging', baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'key-1' },
  publicUrl: 'https://shop.example',
  tokenSecrets: [TOKEN_SECRET],
  store: memoryStore(),
  loadOrder: () => null,
  pages: { success: '/thanks/:orderId', pending: '/wait/:orderId', failure: '/retry/:orderId' },
} as const;

type EdgeOptions = Parameters<typeof resolveEdgeSettings>[0];
const settingsOf = (options: EdgeOptions) => resolveEdgeSettings(options, readProfile(undefined));

function codeOf(options: object): string {
  const [finding, ...others] = mistakesIn({ ...good, ...options });
  expect(others).toEqual([]);
  return finding?.code ?? 'none';
}

describe('the options of the routes', () => {
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
    const options = { webhookSecrets: [SECRET], webhookSignatureHeader: 'X-Gateway-Hmac' };
    expect(settingsOf(options).webhookSignature).toEqual({
      secrets: [SECRET],
      header: 'x-gateway-hmac',
      algorithm: 'sha256',
      encoding: 'hex',
      prefix: '',
      timestamped: false,
    });
  });

  it.each([SECRET, 'سر من كلمات عدة', '4f36a8c07d11e93b', 'kR7~Qz!m2Wx$Lp9v'])(
    'take the webhook secret %s',
    (secret) => {
      expect(codeOf({ webhookSecrets: [secret] })).toBe('none');
    },
  );

  it.each([
    [{ bodyTimeoutMs: 0 }, 'invalid_timeout'],
    [{ bodyTimeoutMs: 1.5 }, 'invalid_timeout'],
    [{ bodyTimeoutMs: '10' }, 'invalid_timeout'],
    [{ webhookSecrets: [] }, 'invalid_webhook_secret'],
    [{ webhookSecrets: [''] }, 'invalid_webhook_secret'],
    [{ webhookSecrets: [SECRET, ' '] }, 'invalid_webhook_secret'],
    [{ webhookSecrets: [undefined] }, 'invalid_webhook_secret'],
    [{ webhookSecrets: SECRET }, 'invalid_webhook_secret'],
    [{ webhookSecrets: ['a'] }, 'invalid_webhook_secret'],
    [{ webhookSecrets: [SECRET, 'whsec_5f1c0a7be'] }, 'invalid_webhook_secret'],
    [{ webhookSecrets: ['a'.repeat(64)] }, 'invalid_webhook_secret'],
    [{ webhookSecrets: ['abcabcabcabcabcabc'] }, 'invalid_webhook_secret'],
    [{ webhookSecrets: ['abcdefghijklmnopqrstuvwxyz'] }, 'invalid_webhook_secret'],
    [{ webhookSecrets: ['ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'] }, 'invalid_webhook_secret'],
    [{ webhookSecrets: ['9876543210fedcba'] }, 'invalid_webhook_secret'],
    [{ webhookSecrets: ['your-webhook-secret'] }, 'invalid_webhook_secret'],
    [{ webhookSecrets: [`5f1c0a7be2d${' '.repeat(20)}`] }, 'invalid_webhook_secret'],
    [{ webhookSecrets: [SECRET], webhookSignatureHeader: 'X Signature' }, 'invalid_webhook_secret'],
    [{ webhookSecrets: [SECRET], webhookSignatureHeader: '' }, 'invalid_webhook_secret'],
    [{ webhookSignatureHeader: 'X-Signature' }, 'invalid_webhook_secret'],
    [{ limits: true }, 'invalid_limit'],
    [{ limits: null }, 'invalid_limit'],
    [{ limits: { checkoutsPerAddress: 0 } }, 'invalid_limit'],
    [{ limits: { checkoutsPerAddress: Number.NaN } }, 'invalid_limit'],
    [{ limits: { checkoutsPerAddress: true } }, 'invalid_limit'],
    [{ limits: { checkoutPerAddress: 10 } }, 'invalid_limit'],
    [{ limits: { constructor: 10 } }, 'invalid_limit'],
    [{ limits: { shopperKey: 'session' } }, 'invalid_limit'],
    [{ limits: { shopperKey: 10 } }, 'invalid_limit'],
    [{ limits: { checkoutsPerShopper: 10 } }, 'invalid_limit'],
  ])('may not be %j', (options, code) => {
    expect(codeOf(untyped(options))).toBe(code);
  });
});

describe('the options of the background checks', () => {
  it('have defaults that suit a small shop', () => {
    expect(resolveWatch({})).toEqual({
      afterPayment: [1, 24, 72, 168, 336].map((hours) => hours * HOUR_MS),
      checksPerSecond: 20,
      oldChecksPerSecond: 5,
    });
  });

  it('give old links a quarter of the checks, and one at least', () => {
    expect(resolveWatch({ checksPerSecond: 400 }).oldChecksPerSecond).toBe(100);
    expect(resolveWatch({ checksPerSecond: 2 }).oldChecksPerSecond).toBe(1);
    expect(resolveWatch({ oldChecksPerSecond: 20 }).oldChecksPerSecond).toBe(20);
  });

  it('turn the checks after a payment off by an empty list', () => {
    expect(resolveWatch({ afterPayment: [] }).afterPayment).toEqual([]);
  });

  it.each([
    ['afterPayment', { afterPayment: 3 }],
    ['afterPayment', { afterPayment: [HOUR_MS, HOUR_MS] }],
    ['afterPayment', { afterPayment: [0] }],
    ['afterPayment', { afterPayment: ['1h'] }],
    ['afterPayment', { afterPayment: [91 * 24 * HOUR_MS] }],
    ['checksPerSecond', { checksPerSecond: 0 }],
    ['checksPerSecond', { checksPerSecond: Number.NaN }],
    ['oldChecksPerSecond', { checksPerSecond: 4, oldChecksPerSecond: 5 }],
  ])('refuse a wrong %s: %j', (setting, options) => {
    expect(mistakesIn({ ...good, ...(options as object) })).toEqual([
      expect.objectContaining({ code: 'invalid_option', setting }),
    ]);
  });
});

describe('dataFields', () => {
  it.each([
    ['the price', ['note', 'amount']],
    ['the currency', ['currency']],
    ['the customer', ['customer']],
    ['the order', ['orderId']],
    ['a prototype', ['__proto__']],
    ['a text instead of a list', 'note'],
    ['an empty name', ['']],
    ['what is no text', [null]],
    ['too many names', Array.from({ length: 41 }, (_, index) => `field${index}`)],
  ])('with %s are refused at start', (_what, dataFields) => {
    expect(mistakesIn({ ...good, dataFields: untyped(dataFields) })).toEqual([
      expect.objectContaining({ code: 'invalid_option', setting: 'dataFields' }),
    ]);
  });

  it('with names of a form are taken', () => {
    const dataFields = ['note', 'gift-wrap', 'constructor', 'delivery.slot', 'Zip_Code'];
    expect(codeOf({ dataFields })).toBe('none');
  });
});

describe('token secrets', () => {
  it.each([
    ['there is none', []],
    ['one is empty', ['']],
    ['one is short', [TOKEN_SECRET.slice(1)]],
    ['the second is weak', [TOKEN_SECRET, 'short']],
    ['one has too little variety', ['abcabcabc'.repeat(10)]],
    ['one is missing', [undefined]],
    ['a list is missing', undefined],
    ['a lone text takes the place of the list', TOKEN_SECRET],
    ['one is bytes', [Buffer.alloc(64)]],
  ])('are refused as weak when %s', (_when, tokenSecrets) => {
    expect(codeOf({ tokenSecrets })).toBe('weak_token_secret');
  });
});
