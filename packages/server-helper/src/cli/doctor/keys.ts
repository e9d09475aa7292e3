import { randomUUID } from 'node:crypto';
import { createGatewayClient } from '../../gateway/gateway-client.ts';
import { GatewayError } from '../../gateway/gateway-error.ts';
import { poolTransport } from '../../gateway/pool-transport.ts';
import type { Transport } from '../../gateway/transport.ts';
import { fine, type Check, type CheckResult, type DoctorParts } from './check.ts';
import { refusalOf } from './refusals.ts';

/** Asks about a session that nobody has: the gateway reads the key first, and no money can move. */
export const checkKeys: Check = {
  id: 'api-key',
  title: 'API key',
  needs: ['network', 'gateway'],
  async run(parts) {
    const { apiKey } = parts.clientOptions;
    const keys = Array.isArray(apiKey) ? apiKey : [apiKey];
    const results: CheckResult[] = [];
    for (const [index, key] of keys.entries()) {
      const which = keys.length === 1 ? '' : `key ${index + 1}: `;
      results.push(await checkKey(parts, String(key), which));
    }
    return results;
  },
};

async function checkKey(parts: DoctorParts, apiKey: string, which: string): Promise<CheckResult> {
  const { origin } = new URL(parts.clientOptions.baseUrl);
  const transport = listening(poolTransport(origin, 1), (told) => {
    parts.gatewayTime = { told, heardAt: Date.now() };
  });
  const client = createGatewayClient({ ...parts.clientOptions, apiKey, transport });
  const startedAt = performance.now();
  try {
    await client.retrieveStatus({ sessionId: randomUUID() });
    return accepted(which, startedAt);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    // It read the key and then found no such session, as it should.
    if (error.code === 'not_found' || error.code === 'invalid_request')
      return accepted(which, startedAt);
    return { status: 'wrong', ...refusalOf(error, 'apiKey', which) };
  } finally {
    await client.close();
  }
}

const accepted = (which: string, startedAt: number): CheckResult =>
  fine(`${which}the gateway takes it (${Math.round(performance.now() - startedAt)} ms)`);

/** Passes everything on, and tells what the gateway's clock says. */
function listening(transport: Transport, onDate: (told: number) => void): Transport {
  return {
    close: () => transport.close(),
    send: async (request) => {
      const answer = await transport.send(request);
      const date = Date.parse(String(answer.headers['date'] ?? ''));
      if (!Number.isNaN(date)) onDate(date);
      return answer;
    },
  };
}
