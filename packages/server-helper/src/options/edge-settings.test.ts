import { describe, expect, it } from 'vitest';
import { resolveEdgeSettings } from './edge-settings.ts';

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
      bodyTimeoutMs: 10_000,
      webhookSignature: null,
      webhookOrderNames: ['/merchantOrderId', '/orderId'],
      webhookTransaction: null,
      limits: {
        checkoutsPerAddress: 600,
        checkoutsPerOrder: 60,
        pollsPerAddress: 12_000,
        pollsPerOrder: 240,
        webhooksPerAddress: false,
      },
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
    const options = { webhookSecrets: ['whsec'], webhookSignatureHeader: 'X-Gateway-Hmac' };
    expect(resolveEdgeSettings(options).webhookSignature).toEqual({
      secrets: ['whsec'],
      header: 'x-gateway-hmac',
      algorithm: 'sha256',
      encoding: 'hex',
      prefix: '',
      timestamped: false,
    });
  });

  it.each([
    [{ bodyTimeoutMs: 0 }, 'invalid_timeout'],
    [{ bodyTimeoutMs: 1.5 }, 'invalid_timeout'],
    [{ bodyTimeoutMs: '10' }, 'invalid_timeout'],
    [{ webhookSecrets: [] }, 'invalid_webhook_secret'],
    [{ webhookSecrets: [''] }, 'invalid_webhook_secret'],
    [{ webhookSecrets: ['whsec', ' '] }, 'invalid_webhook_secret'],
    [{ webhookSecrets: [undefined] }, 'invalid_webhook_secret'],
    [{ webhookSecrets: 'whsec' }, 'invalid_webhook_secret'],
    [
      { webhookSecrets: ['whsec'], webhookSignatureHeader: 'X Signature' },
      'invalid_webhook_secret',
    ],
    [{ webhookSecrets: ['whsec'], webhookSignatureHeader: '' }, 'invalid_webhook_secret'],
    [{ webhookSignatureHeader: 'X-Signature' }, 'invalid_webhook_secret'],
    [{ limits: true }, 'invalid_limit'],
    [{ limits: null }, 'invalid_limit'],
    [{ limits: { checkoutsPerAddress: 0 } }, 'invalid_limit'],
    [{ limits: { checkoutsPerAddress: Number.NaN } }, 'invalid_limit'],
    [{ limits: { checkoutsPerAddress: true } }, 'invalid_limit'],
    [{ limits: { checkoutPerAddress: 10 } }, 'invalid_limit'],
    [{ limits: { constructor: 10 } }, 'invalid_limit'],
  ])('may not be %j', (options, code) => {
    expect(codeOf(untyped(options))).toBe(code);
  });
});
