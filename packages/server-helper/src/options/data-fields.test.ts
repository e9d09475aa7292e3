import { describe, expect, it } from 'vitest';
import type { ConfigurationError } from '../errors.ts';
import { checkOptions } from './check-options.ts';

const untyped = (value: unknown): never => value as never;

const options = {
  gateway: { environment: 'staging', baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'key-1' },
  publicUrl: 'https://shop.example',
  tokenSecrets: ['5f1c0a7be2d94f36a8c07d11e93b42f6'],
  loadOrder: () => null,
  pages: { success: '/thanks/:orderId', pending: '/wait/:orderId', failure: '/retry/:orderId' },
} as const;

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
    expect(() => checkOptions({ ...options, dataFields: untyped(dataFields) })).toThrow(
      expect.objectContaining({
        code: 'invalid_option',
        findings: [expect.objectContaining({ setting: 'dataFields' })],
      }) as ConfigurationError,
    );
  });

  it('with names of a form are taken', () => {
    const dataFields = ['note', 'gift-wrap', 'constructor', 'delivery.slot', 'Zip_Code'];
    expect(() => checkOptions({ ...options, dataFields })).not.toThrow();
  });
});
