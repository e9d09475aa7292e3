import { webhookTypes } from '../../domain/portal/webhook.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { Page } from '../send-page.ts';
import { recordsOf, textOf } from './call-api.ts';
import type { ApiAnswer } from './call-api.ts';
import { dashboardLabels } from './labels.ts';
import { dashboardPage, deskForm, guardedForm } from './shell.ts';
import type { Desk } from './shell.ts';

/** Webhooks as §4.9 lists them; the signing secret is told once, on create (N12). */
export function webhooksPage(desk: Desk, answer: ApiAnswer): Page {
  const labels = dashboardLabels[desk.language];
  const webhooks = recordsOf(answer, 'webhooks');
  const body = html`<section class="panel" aria-labelledby="webhooks">
      <h2 id="webhooks">${labels.sections.webhooks}</h2>
      ${
        webhooks.length === 0
          ? html`<p class="empty">${labels.none}</p>`
          : html`<ul class="records">
              ${webhooks.map((webhook) => oneWebhook(desk, webhook))}
            </ul>`
      }
    </section>
    <section class="panel" aria-labelledby="new-webhook">
      <h2 id="new-webhook">${labels.newWebhook}</h2>
      ${deskForm(desk, {
        action: '/dashboard/webhooks',
        style: 'desk-form',
        body: html`${fields(desk, { key: 'new', url: '', active: true, events: [] })}
          <button class="tool tool-main" data-test="create-webhook">
            ${labels.createWebhook}
          </button>`,
      })}
    </section>`;
  return dashboardPage(desk, 'webhooks', labels.sections.webhooks, body);
}

function oneWebhook(desk: Desk, webhook: Readonly<Record<string, unknown>>): Html {
  const labels = dashboardLabels[desk.language];
  const id = textOf(webhook, 'id');
  const url = textOf(webhook, 'url');
  const active = webhook['active'] === true;
  const told: unknown = webhook['events'];
  const events = Array.isArray(told) ? told.map(String) : [];
  const action = `/dashboard/webhooks/${encodeURIComponent(id)}`;
  return html`<li class="record">
    <p class="record-head">
      <bdi dir="ltr" class="record-name">${url}</bdi>
      <span class="badge badge-${active ? 'active' : 'disabled'}"
        >${labels.statuses[active ? 'ACTIVE' : 'DISABLED'] ?? ''}</span
      >
    </p>
    <p class="soft"><code dir="ltr">${id}</code> · <bdi dir="ltr">${events.join(', ')}</bdi></p>
    <div class="tool-row">
      <details class="guarded">
        <summary class="tool" data-test="edit-webhook">${labels.edit}</summary>
        ${deskForm(desk, {
          action,
          style: 'desk-form',
          body: html`${fields(desk, { key: id, url, active, events })}
            <button class="tool tool-main" data-test="save-webhook">${labels.save}</button>`,
        })}
      </details>
      ${guardedForm(desk, {
        action: `${action}/delete`,
        open: labels.remove,
        confirm: labels.removeConfirm,
        test: 'delete-webhook',
      })}
    </div>
  </li>`;
}

interface WebhookFields {
  /** Tells the fields of one form from those of another. */
  readonly key: string;
  readonly url: string;
  readonly active: boolean;
  readonly events: readonly string[];
}

function fields({ language }: Desk, { key, url, active, events }: WebhookFields): Html {
  const labels = dashboardLabels[language];
  const test = key === 'new' ? 'webhook-url' : 'edit-webhook-url';
  return html`<div class="desk-field">
      <label for="url-${key}">${labels.url}</label>
      <input id="url-${key}" name="url" dir="ltr" value="${url}" data-test="${test}" />
    </div>
    <fieldset class="desk-field">
      <legend>${labels.events}</legend>
      <div class="checks">
        ${webhookTypes.map(
          (type) =>
            html`<label
              ><input
                type="checkbox"
                name="events"
                value="${type}"
                ${events.includes(type) && html` checked`}
              /><bdi dir="ltr">${type}</bdi></label
            >`,
        )}
      </div>
      <p class="soft">${labels.eventsHint}</p>
    </fieldset>
    <label class="check"
      ><input
        type="checkbox"
        name="active"
        value="yes"
        ${active && html` checked`}
      />${labels.active}</label
    >`;
}
