import { describe, expect, it } from 'vitest';
import { resolveEdgeSettings } from './edge-settings.ts';

const SECRET = 'whsec_5f1c0a7be2d94f36';
const untyped = (value: unknown): never => value as never;

function codeOf(options: object): string {
  try {
    resolveEdgeSettings(options);
    return 'none';
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe('the options of the routes', () => {
  it('have defaults that a busy shop does not notice', () => {
    expect(resolveEdgeSettings({})).toEqual({
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
      shopperKey: null,
      shedLoad: true,
    });
  });

  it('take each limit for itself, and all of them off', () => {
    const { limits } = resolveEdgeSettings({
      limits: { checkoutsPerOrder: 5, pollsPerOrder: false, pollsPerAddress: untyped(undefined) },
    });
    expect(limits).toMatchObject({
      checkoutsPerAddress: 600,
      checkoutsPerOrder: 5,
      pollsPerOrder: false,
      pollsPerAddress: 12_000,
    });
    expect(new Set(Object.values(resolveEdgeSettings({ limits: false }).limits))).toEqual(
      new Set([false]),
    );
  });

  it('know the header of a signature without case', () => {
    const options = { webhookSecrets: [SECRET], webhookSignatureHeader: 'X-Gateway-Hmac' };
    expect(resolveEdgeSettings(options).webhookSignature).toEqual({
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
