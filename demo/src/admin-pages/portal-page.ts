import { html } from '@lit-labs/ssr';
import type { ApiCredential, SdkToken, Webhook } from '@pay-button/server-helper';
import type { Html, Page, View } from '../pages/page.ts';
import { adminPage, type Told } from './admin-frame.ts';

/** Something new that is shown this once. */
export interface Secret {
  readonly kind: 'webhook' | 'key' | 'token';
  readonly text: string;
}

/** What the portal holds of this merchant. */
export interface PortalResources {
  readonly webhooks: readonly Webhook[];
  readonly credentials: readonly ApiCredential[];
  readonly sdkTokens: readonly SdkToken[];
  readonly secret: Secret | undefined;
}

/** The merchant portal's resources, with a form for each thing that can be done. */
export function portalPage(view: View, told: Told, resources: PortalResources): Page {
  const { admin } = view.texts;
  return adminPage(
    view,
    admin.portal,
    told,
    html`<h1>${admin.portal}</h1>
      <div class="stack">
        ${webhookPanel(view, resources)} ${keyPanel(view, resources)} ${tokenPanel(view, resources)}
      </div>`,
  );
}

/** Where the shop was given no login. */
export function portalMissingPage(view: View): Page {
  const { admin } = view.texts;
  const body = html`<h1>${admin.portal}</h1>
    <p>${admin.portalMissing}</p>`;
  return adminPage(view, admin.portal, {}, body);
}

function webhookPanel(view: View, { webhooks, secret }: PortalResources): Html {
  const { admin } = view.texts;
  return panel(
    view,
    { id: 'webhooks', title: admin.webhooks },
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
    view,
    { id: 'credentials', title: admin.credentials },
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
    view,
    { id: 'sdk-tokens', title: admin.sdkTokens },
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

function panel(
  _view: View,
  { id, title }: { readonly id: string; readonly title: string },
  body: Html,
): Html {
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
  return html`<p class="told" role="status">
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
