import { createGatewayClient } from '../../gateway/gateway-client.ts';
import { GatewayError } from '../../gateway/gateway-error.ts';
import type { Webhook } from '../../gateway/schemas/webhook.ts';
import { fine, helpOf, type Check, type CheckResult } from './check.ts';
import { refusalOf } from './refusals.ts';

/** Whether the gateway would tell this shop of payments; asked of the portal. */
export const checkWebhook: Check = {
  id: 'webhook',
  title: 'Webhook',
  needs: ['network', 'gateway', 'publicUrl'],
  async run({ clientOptions, settings }) {
    if (clientOptions.portal === undefined) {
      return [
        {
          status: 'unchecked',
          code: 'portal_not_configured',
          what: 'Not checked.',
          why: 'Webhooks are listed by the portal, and its login is not set.',
          fix: 'Set GATEWAY_PORTAL_USERNAME and GATEWAY_PORTAL_PASSWORD, or look at the dashboard. Without a webhook payments are found later, by the shopper’s return and the watch.',
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
      await client.close();
    }
  },
};

function judgeWebhooks(webhooks: readonly Webhook[], wanted: string): CheckResult {
  // A key may follow in the path; it is a secret, and is not shown.
  const own = webhooks.filter(({ url }) => url === wanted || url.startsWith(`${wanted}/`));
  if (own.some(({ active }) => active !== false)) return fine(`registered at ${wanted}`);
  const why = 'A payment whose shopper never comes back would be found later, by the watch alone.';
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
