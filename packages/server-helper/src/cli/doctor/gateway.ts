import { randomUUID } from 'node:crypto';
import { isThisMachine } from '../../gateway/settings.ts';
import { createGatewayClient } from '../../gateway/gateway-client.ts';
import { GatewayError } from '../../gateway/gateway-error.ts';
import { poolTransport, type Transport } from '../../gateway/transport.ts';
import {
  type Check,
  type CheckResult,
  type DoctorParts,
  fine,
  helpOf,
  leftOut,
  notChecked,
} from './check.ts';
import { notTheGateway, refusalOf } from './refusals.ts';
import { routeAddress } from '../shop-settings.ts';
import type { Webhook } from '../../gateway/webhooks.ts';

/**
 * Asks about a session that does not exist: the gateway reads the key first, and no money can move.
 * Only where it answers 404, it is asked with a wrong key too, which it has to refuse.
 */
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
  const startedAt = performance.now();
  const refusal = await askWith(parts, apiKey);
  const milliseconds = Math.round(performance.now() - startedAt);
  // It read the key and then found no such session, as it should.
  const isNotFound = refusal?.code === 'not_found';
  if (refusal !== null && !isNotFound && refusal.code !== 'invalid_request') {
    return { status: 'wrong', ...refusalOf(refusal, 'apiKey', which) };
  }
  // A server that is no gateway says 404 as well, whatever the key.
  if (isNotFound && (await askWith(parts, WRONG_KEY))?.code === 'not_found') {
    return { status: 'wrong', ...notTheGateway(refusal) };
  }
  return fine(`${which}the gateway takes it (${milliseconds} ms)`);
}

/** A key that no gateway has given anyone. */
const WRONG_KEY = 'pay-button-doctor-no-key';

/** Asks about a session that does not exist. @returns the refusal, or null for a status. */
async function askWith(parts: DoctorParts, apiKey: string): Promise<GatewayError | null> {
  const { origin } = new URL(parts.clientOptions.baseUrl);
  const transport = withDate(poolTransport(origin, 1), (gateway) => {
    parts.gatewayTime = { gateway, machine: Date.now() };
  });
  const client = createGatewayClient({ ...parts.clientOptions, apiKey, transport });
  try {
    await client.retrieveStatus({ sessionId: randomUUID() });
    return null;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return error;
  } finally {
    if (apiKey !== WRONG_KEY) parts.drift.push(...client.drift());
    await client.close();
  }
}

/** Passes everything on, and reads the gateway's clock from its answers. */
function withDate(transport: Transport, onDate: (gateway: number) => void): Transport {
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

/** Where shoppers are sent to pay. */
export const checkPageOrigins: Check = {
  id: 'page-origins',
  title: 'Hosted pages',
  needs: ['gateway'],
  async run({ clientOptions: { baseUrl, pageOrigins } }) {
    if (pageOrigins !== undefined) return [fine(pageOrigins.join(', '))];
    if (isThisMachine(new URL(baseUrl).hostname)) return [fine('of a sandbox on this machine')];
    return [
      {
        status: 'odd',
        code: 'any_page_origin',
        what: 'Shoppers are sent to whatever https page the gateway names.',
        why: 'An attacker who changes the gateway’s answer sends them to a page that only looks like its own.',
        fix: 'Set GATEWAY_PAGE_ORIGINS to the origin that the address bar of the hosted page shows. A shop whose own code gives gateway.pageOrigins may ignore this.',
        help: helpOf('page-origins'),
      },
    ];
  },
};

/** Whether the gateway would notify this shop of payments; the portal is asked. */
export const checkWebhook: Check = {
  id: 'webhook',
  title: 'Webhook',
  needs: ['network', 'gateway', 'publicUrl'],
  async run({ clientOptions, settings, drift }) {
    if (clientOptions.portal === undefined) {
      const why = 'Webhooks are listed by the portal, and its login is not set.';
      const fix =
        'Set GATEWAY_PORTAL_USERNAME and GATEWAY_PORTAL_PASSWORD, or look at the dashboard. Without a webhook payments are found later, by the shopper’s return and the background checks.';
      return [notChecked('webhook', why, fix, 'portal_not_configured')];
    }
    const client = createGatewayClient(clientOptions);
    try {
      const { webhooks } = await client.listWebhooks();
      const wanted = routeAddress(settings, 'webhook');
      return [wanted === null ? leftOut('webhook', 'webhook') : judgeWebhooks(webhooks, wanted)];
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      return [{ status: 'wrong', ...refusalOf(error, 'portal', '') }];
    } finally {
      drift.push(...client.drift());
      await client.close();
    }
  },
};

function judgeWebhooks(webhooks: readonly Webhook[], wanted: string): CheckResult {
  // A key may follow in the path; it is a secret, and is not shown.
  const own = webhooks.filter(({ url }) => url === wanted || url.startsWith(`${wanted}/`));
  if (own.some(({ active }) => active !== false)) return fine(`registered at ${wanted}`);
  const why =
    'A payment whose shopper never comes back would be found later, by the background checks alone.';
  if (own.length > 0) {
    return {
      status: 'wrong',
      code: 'webhook_inactive',
      what: `The webhook at ${wanted} is registered and not active.`,
      why,
      fix: 'Turn it on in the dashboard, or by payments.gateway.updateWebhook({ id, active: true }).',
      help: helpOf('webhook'),
    };
  }
  return {
    status: 'wrong',
    code: 'webhook_missing',
    what: `None of the ${webhooks.length} registered webhooks points to ${wanted}`,
    why,
    fix: `Register it in the dashboard, or by payments.gateway.createWebhook({ url: '${wanted}' }).`,
    help: helpOf('webhook'),
  };
}
