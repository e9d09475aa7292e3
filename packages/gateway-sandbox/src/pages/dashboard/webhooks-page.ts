import { webhookTypes } from '../../domain/tenant.ts';
import { code, field, ltr, panel } from '../furniture.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { Page } from '../page.ts';
import { recordsOf, textOf } from './call-api.ts';
import type { ApiAnswer } from './call-api.ts';
import { apiForm, dashboardPage, guardedForm, mainButton, statusBadge } from './dashboard-page.ts';
import type { View } from './dashboard-page.ts';
import { dashboardTexts } from './texts.ts';

/** Webhooks as §4.9 lists them; the signing secret is shown once, on create (N12). */
export function webhooksPage(view: View, answer: ApiAnswer): Page {
  const texts = dashboardTexts[view.language];
  const webhooks = recordsOf(answer, 'webhooks');
  const list =
    webhooks.length === 0
      ? html`<p class="empty">${texts.none}</p>`
      : html`<ul>
          ${webhooks.map((webhook) => oneWebhook(view, webhook))}
        </ul>`;
  const form = apiForm(view, {
    action: '/dashboard/webhooks',
    style: 'stack wide-form',
    body: html`${fields(view, { key: 'new', url: '', active: true, events: [] })}
    ${mainButton('create-webhook', texts.createWebhook)}`,
  });
  const body = html`<div class="panel">${list}</div>
    ${panel({ id: 'new-webhook', title: texts.newWebhook, body: form })}`;
  return dashboardPage(view, 'webhooks', texts.sections.webhooks, body);
}

function oneWebhook(view: View, webhook: Readonly<Record<string, unknown>>): Html {
  const { language } = view;
  const texts = dashboardTexts[language];
  const id = textOf(webhook, 'id');
  const url = textOf(webhook, 'url');
  const active = webhook['active'] === true;
  const answered: unknown = webhook['events'];
  const events = Array.isArray(answered) ? answered.map(String) : [];
  const action = `/dashboard/webhooks/${encodeURIComponent(id)}`;
  const edit = apiForm(view, {
    action,
    style: 'stack wide-form',
    body: html`${fields(view, { key: id, url, active, events })}
    ${mainButton('save-webhook', texts.save)}`,
  });
  const remove = guardedForm(view, {
    action: `${action}/delete`,
    open: texts.remove,
    confirm: texts.removeConfirm,
    test: 'delete-webhook',
  });
  return html`<li class="record">
    <p class="row"><b>${ltr(url)}</b> ${statusBadge(active ? 'ACTIVE' : 'DISABLED', language)}</p>
    <p class="soft">${code(id)} · ${ltr(events.join(', '))}</p>
    <div class="row">
      <details class="guarded">
        <summary class="button" data-test="edit-webhook">${texts.edit}</summary>
        ${edit}
      </details>
      ${remove}
    </div>
  </li>`;
}

interface WebhookFields {
  /** Distinguishes the fields of one form from those of another. */
  readonly key: string;
  readonly url: string;
  readonly active: boolean;
  readonly events: readonly string[];
}

function fields({ language }: View, { key, url, active, events }: WebhookFields): Html {
  const texts = dashboardTexts[language];
  const test = key === 'new' ? 'webhook-url' : 'edit-webhook-url';
  const check = (name: string, value: string, isChecked: boolean, text: Html | string) =>
    html`<label class="check"
      ><input
        type="checkbox"
        name="${name}"
        value="${value}"
        ${isChecked && html` checked`}
      />${text}</label
    >`;
  return html`${field({
      id: `url-${key}`,
      label: texts.url,
      input: html`name="url" dir="ltr" value="${url}" data-test="${test}"`,
    })}
    <fieldset>
      <legend>${texts.events}</legend>
      <div class="row">
        ${webhookTypes.map((type) => check('events', type, events.includes(type), ltr(type)))}
      </div>
      <p class="soft">${texts.eventsHint}</p>
    </fieldset>
    ${check('active', 'yes', active, texts.active)}`;
}
