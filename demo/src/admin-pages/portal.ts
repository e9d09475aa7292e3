import { html } from '@lit-labs/ssr';
import {
  type ApiCredential,
  GatewayError,
  type SdkToken,
  type Webhook,
} from '@pay-button/server-helper';
import { type Request, type Response, Router } from 'express';
import { everyEvent } from '../admin/portal-api.ts';
import { formField } from '../http/body.ts';
import { type Html, type Page, sendPage, type View, viewFor } from '../pages/page.ts';
import { adminPage, type AdminPagesParts, type Feedback, feedbackOf } from './admin-frame.ts';

/** Something new that is shown this once. */
interface Secret {
  readonly kind: 'webhook' | 'key' | 'token';
  readonly text: string;
}

/** The merchant’s resources in the portal. */
interface PortalResources {
  readonly webhooks: readonly Webhook[];
  readonly credentials: readonly ApiCredential[];
  readonly sdkTokens: readonly SdkToken[];
  readonly secret: Secret | undefined;
}

/** The merchant portal's resources, with a form for each thing that can be done. */
function portalPage(view: View, feedback: Feedback, resources: PortalResources): Page {
  const { admin } = view.texts;
  return adminPage(
    view,
    admin.portal,
    feedback,
    html`<h1>${admin.portal}</h1>
      <div class="stack">
        ${webhookPanel(view, resources)} ${keyPanel(view, resources)} ${tokenPanel(view, resources)}
      </div>`,
  );
}

/** The page of a shop without a login for the portal. */
function portalMissingPage(view: View): Page {
  const { admin } = view.texts;
  const body = html`<h1>${admin.portal}</h1>
    <p>${admin.portalMissing}</p>`;
  return adminPage(view, admin.portal, {}, body);
}

function webhookPanel(view: View, { webhooks, secret }: PortalResources): Html {
  const { admin } = view.texts;
  return panel(
    'webhooks',
    admin.webhooks,
    html`${once(secret, 'webhook', admin.secretOnce)}
      ${list(
        view,
        webhooks.map(
          ({ id, url, active }) =>
            html`<bdi dir="ltr" class="long">${url}</bdi> ${status(view, active !== false)}
              <form method="post" action="/admin/portal/webhooks/${id}" class="inline">
                ${toggle(view, active !== false, url)}
                <button
                  class="small quiet"
                  name="wish"
                  value="remove"
                  aria-label=${admin.removeOf(url)}
                >
                  ${admin.remove}
                </button>
              </form>`,
        ),
      )}
      <form method="post" action="/admin/portal/webhooks" class="inline">
        <div class="field">
          <label for="url">${admin.url}</label>
          <input id="url" name="url" type="url" required dir="ltr" data-test="webhook-url" />
        </div>
        <button class="small" data-test="webhook-add">${admin.add}</button>
      </form>`,
  );
}

function keyPanel(view: View, { credentials, secret }: PortalResources): Html {
  const { admin } = view.texts;
  return panel(
    'credentials',
    admin.credentials,
    html`${once(secret, 'key', admin.keyOnce)}
      ${list(
        view,
        credentials.map(
          ({ apiKey, status: word }) =>
            html`<code dir="ltr" class="long">${apiKey}</code> ${status(view, word === 'ACTIVE')}`,
        ),
      )}
      <form method="post" action="/admin/portal/credentials">
        <button class="small quiet" data-test="key-rotate">${admin.rotate}</button>
      </form>`,
  );
}

function tokenPanel(view: View, { sdkTokens, secret }: PortalResources): Html {
  const { admin } = view.texts;
  return panel(
    'sdk-tokens',
    admin.sdkTokens,
    html`${once(secret, 'token', admin.tokenOnce)}
      ${list(
        view,
        sdkTokens.map(
          ({ id, name = id, status: word }) =>
            html`<bdi class="long">${name}</bdi> ${status(view, word === 'ACTIVE')}
              <form method="post" action="/admin/portal/sdk-tokens/${id}" class="inline">
                ${toggle(view, word === 'ACTIVE', name)}
              </form>`,
        ),
      )}
      <form method="post" action="/admin/portal/sdk-tokens" class="inline">
        <div class="field">
          <label for="name">${admin.tokenName}</label>
          <input id="name" name="name" required maxlength="60" dir="auto" data-test="token-name" />
        </div>
        <button class="small" data-test="token-add">${admin.add}</button>
      </form>`,
  );
}

function panel(id: string, title: string, body: Html): Html {
  return html`<section class="panel" aria-labelledby=${id} data-test="portal-${id}">
    <h2 id=${id}>${title}</h2>
    ${body}
  </section>`;
}

function list({ texts: { admin } }: View, items: readonly Html[]): Html {
  if (items.length === 0) return html`<p class="muted">${admin.none}</p>`;
  return html`<ul class="resources">
    ${items.map((item) => html`<li>${item}</li>`)}
  </ul>`;
}

function once(secret: Secret | undefined, kind: Secret['kind'], text: string): Html | '' {
  if (secret?.kind !== kind) return '';
  return html`<p class="feedback" role="status">
    ${text} <code dir="ltr" class="long" data-test="secret">${secret.text}</code>
  </p>`;
}

function status({ texts: { admin } }: View, isOn: boolean): Html {
  return html`<span class="pill" data-state=${isOn ? 'succeeded' : 'expired'}
    >${isOn ? admin.active : admin.inactive}</span
  >`;
}

function toggle({ texts: { admin } }: View, isOn: boolean, name: string): Html {
  const label = isOn ? admin.switchOff : admin.switchOn;
  return html`<button
    class="small quiet"
    name="wish"
    value=${isOn ? 'off' : 'on'}
    aria-label="${label}: ${name}"
  >
    ${label}
  </button>`;
}

/** The merchant portal's webhooks, API keys and SDK tokens, on one page. */
export function portalPages(parts: Pick<AdminPagesParts, 'payments'>): Router {
  const { gateway } = parts.payments;
  const router = Router();
  router.get('/portal', (request, response) => sendPortal(parts, request, response));
  // The gateway shows a secret once, so it goes into the answer itself and into no address.
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
    const tokenStatus = formField(request, 'wish') === 'on' ? 'ACTIVE' : 'DISABLED';
    await gateway.updateSdkToken({ id, status: tokenStatus });
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
    sendPage(response, 200, view, portalPage(view, feedbackOf(view, request), resources));
  } catch (error) {
    const isMissing = error instanceof GatewayError && error.code === 'portal_not_configured';
    if (!isMissing) throw error;
    sendPage(response, 200, view, portalMissingPage(view));
  }
}
