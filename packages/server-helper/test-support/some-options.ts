import { ConfigurationError, type PaymentsOptions } from '../src/index.ts';
import { memoryStore } from '../src/testing.ts';

/** A token secret that is taken. */
export const TOKEN_SECRET = '5f1c0a7be2d94f36a8c07d11e93b42f6';

/** Options with which payments start: a store in memory, no orders, and a gateway, which usually is not there. */
export const someOptions = (baseUrl = 'http://127.0.0.1:1/v1') =>
  ({
    gateway: { environment: 'staging', baseUrl, apiKey: 'key-1' },
    publicUrl: 'https://shop.example',
    tokenSecrets: [TOKEN_SECRET],
    store: memoryStore(),
    loadOrder: () => null,
    pages: { success: '/thanks/:orderId', pending: '/wait/:orderId', failure: '/retry/:orderId' },
  }) satisfies PaymentsOptions<unknown>;

/** A value that the types refuse. */
export const untyped = (value: unknown): never => value as never;

/** The refusal of a start, which has to be one of ours. */
export function refusalOf(start: () => unknown): ConfigurationError {
  try {
    start();
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
  throw new Error('It was not refused.');
}
