import { GatewayError } from '@pay-button/server-helper';
import { type Request, type Response, Router } from 'express';
import { everyEvent } from '../admin/portal-api.ts';
import { formField } from '../pages/form-field.ts';
import { sendPage, viewFor } from '../pages/page.ts';
import { toldBy } from './admin-frame.ts';
import type { AdminPagesParts } from './admin-pages-parts.ts';
import { portalMissingPage, portalPage, type Secret } from './portal-page.ts';

/** The merchant portal's webhooks, API keys and SDK tokens, on one page. */
export function portalPages(parts: Pick<AdminPagesParts, 'payments'>): Router {
  const { gateway } = parts.payments;
  const router = Router();
  router.get('/portal', (request, response) => sendPortal(parts, request, response));
  // A secret is told once, so it stands in the answer itself and in no address.
  router.post('/portal/webhooks', async (request, response) => {
    const url = formField(request, 'url').trim();
    const created = await gateway.createWebhook({ url, events: everyEvent, active: true });
    const text = created.secret ?? created.body?.read() ?? '';
    await sendPortal(parts, request, response, { kind: 'webhook', text });
  });
  router.post('/portal/webhooks/:id', async (request, response) => {
    const { id } = request.params;
    const wish = formField(request, 'wish');
    if (wish === 'remove') await gateway.deleteWebhook({ id });
    else await gateway.updateWebhook({ id, active: wish === 'on' });
    response.redirect(303, '/admin/portal?done=saved');
  });
  router.post('/portal/credentials', async (request, response) => {
    const { apiKey } = await gateway.rotateApiKey();
    await sendPortal(parts, request, response, { kind: 'key', text: apiKey });
  });
  router.post('/portal/sdk-tokens', async (request, response) => {
    const { token } = await gateway.createSdkToken({ name: formField(request, 'name').trim() });
    await sendPortal(parts, request, response, { kind: 'token', text: token });
  });
  router.post('/portal/sdk-tokens/:id', async (request, response) => {
    const { id } = request.params;
    const status = formField(request, 'wish') === 'on' ? 'ACTIVE' : 'DISABLED';
    await gateway.updateSdkToken({ id, status });
    response.redirect(303, '/admin/portal?done=saved');
  });
  return router;
}

async function sendPortal(
  { payments: { gateway } }: Pick<AdminPagesParts, 'payments'>,
  request: Request,
  response: Response,
  secret?: Secret,
): Promise<void> {
  const view = { ...viewFor(request, response), path: '/admin/portal' };
  try {
    const [{ webhooks }, { credentials }, { sdkTokens }] = await Promise.all([
      gateway.listWebhooks(),
      gateway.retrieveCredentials(),
      gateway.listSdkTokens(),
    ]);
    const resources = { webhooks, credentials, sdkTokens, secret };
    sendPage(response, 200, view, portalPage(view, toldBy(view, request), resources));
  } catch (error) {
    const isMissing = error instanceof GatewayError && error.code === 'portal_not_configured';
    if (!isMissing) throw error;
    sendPage(response, 200, view, portalMissingPage(view));
  }
}
