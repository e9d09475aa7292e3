import { randomUUID } from 'node:crypto';
import { createGatewayClient, type GatewayClientOptions } from './gateway-client.ts';
import { GatewayError } from './gateway-error.ts';

/**
 * Tries one API key by a question that moves nothing: the state of a session that does not exist. The
 * gateway reads the key before it looks for the session.
 *
 * @returns `null` where the gateway takes the key, else why it did not, or did not answer.
 */
export async function tryKey(
  { transport, ...options }: GatewayClientOptions,
  apiKey: string,
  timeoutMs: number,
): Promise<GatewayError | null> {
  const client = createGatewayClient({
    ...options,
    apiKey,
    portal: undefined,
    connections: 1,
    timeoutMs,
    // A transport that was given belongs to the shop, which goes on with it.
    transport: transport && { send: (request) => transport.send(request), close: async () => {} },
  });
  try {
    await client.retrieveStatus({ sessionId: randomUUID() });
    return null;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return error.code === 'not_found' || error.code === 'invalid_request' ? null : error;
  } finally {
    await client.close();
  }
}
