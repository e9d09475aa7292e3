import { randomUUID } from 'node:crypto';
import { isThisMachine } from '../../gateway/addresses.ts';
import { createGatewayClient } from '../../gateway/gateway-client.ts';
import { GatewayError } from '../../gateway/gateway-error.ts';
import { poolTransport } from '../../gateway/pool-transport.ts';
import type { Transport } from '../../gateway/transport.ts';
import { type Check, type CheckResult, type DoctorParts, fine, helpOf } from './check.ts';
import { refusalOf } from './refusals.ts';
import type { Webhook } from '../../gateway/schemas/portal.ts';

/** Asks about a session that does not exist: the gateway reads the key first, and no money can move. */
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
  const transport = withDate(poolTransport(origin, 1), (gateway) => {
    parts.gatewayTime = { gateway, machine: Date.now() };
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
    parts.drift.push(...client.drift());
    await client.close();
  }
}

const accepted = (which: string, startedAt: number): CheckResult =>
  fine(`${which}the gateway takes it (${Math.round(performance.now() - startedAt)} ms)`);

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
      return [
        {
          status: 'unchecked',
          code: 'portal_not_configured',
          what: 'Not checked.',
          why: 'Webhooks are listed by the portal, and its login is not set.',
          fix: 'Set GATEWAY_PORTAL_USERNAME and GATEWAY_PORTAL_PASSWORD, or look at the dashboard. Without a webhook payments are found later, by the shopper’s return and the background checks.',
          help: helpOf('webhook'),
        },
      ];
    }
    const client = createGatewayClient(clientOptions);
    try {
      const { webhooks } = await client.listWebhooks();
      return [
        judgeWebhooks(
          webhooks,
          `${settings.options.publicUrl.replace(/\/$/, '')}${settings.mountPath}/webhook`,
        ),
      ];
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
    fix: `Register it in the dashboard, or by payments.gateway.createWebhook({ url: '${wanted}', events, active: true }).`,
    help: helpOf('webhook'),
  };
}
