import { onTestFinished } from 'vitest';
import { createGatewayClient, type GatewayClient, GatewayError } from '../src/index.ts';
import type { CallOptions } from '../src/gateway/call.ts';
import type { GatewayClientOptions } from '../src/gateway/gateway-client.ts';
import type { OperationName } from '../src/gateway/gateway-error.ts';
import { ScriptedGateway } from './scripted-gateway.ts';

/** A payment link's input that the client accepts. */
export const aLink = {
  merchantOrderId: '1001~1',
  amount: '115.00',
  customer: { name: 'Noura', email: 'noura@example.com', phone: '+966501234567' },
  successUrl: 'https://shop.example/pay/return/success/t',
  failureUrl: 'https://shop.example/pay/return/failure/t',
} as const;

export const aSession = '5e551040-0000-4000-8000-000000000001';

/** A client of a test's server with a portal login, without waits between its sends. */
export function clientOf(origin: string, options: Partial<GatewayClientOptions> = {}) {
  return createGatewayClient({
    environment: 'staging',
    baseUrl: `${origin}/v1`,
    apiKey: 'key-1',
    portal: { username: 'noura', password: 'a password' },
    random: () => 0,
    ...options,
  });
}

/** A scripted gateway and a client of it, both until the end of the test. */
export async function startGateway(options: Partial<GatewayClientOptions> = {}) {
  const gateway = await new ScriptedGateway().start();
  const client = clientOf(gateway.origin, options);
  onTestFinished(async () => {
    await client.close();
    await gateway.close();
  });
  return { gateway, client };
}

/** The GatewayError that a call ends with; anything else fails the test. */
export async function errorOf(call: Promise<unknown>): Promise<GatewayError> {
  const error: unknown = await call.then(
    () => new Error('the call succeeded'),
    (reason: unknown) => reason,
  );
  if (error instanceof GatewayError) return error;
  throw error;
}

/** Calls a method by its name, as a caller without types may. */
export function callOf(
  client: GatewayClient,
  operation: string,
  input: unknown,
  options?: CallOptions,
): Promise<unknown> {
  const method = client[operation as OperationName] as (
    input: unknown,
    options?: CallOptions,
  ) => Promise<unknown>;
  return method(input ?? {}, options);
}
