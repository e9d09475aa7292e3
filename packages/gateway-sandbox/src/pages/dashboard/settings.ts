import { webhookTypes } from '../../domain/events.ts';
import { sdkTokenTypes } from '../../domain/tenant.ts';
import { choiceField, code, field, ltr, panel, selectField, table } from '../furniture.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { Page } from '../page.ts';
import {
  apiForm,
  dashboardPage,
  guardedForm,
  instantText,
  mainButton,
  recordsOf,
  statusBadge,
  textOf,
} from './dashboard-page.ts';
import type { ApiAnswer, ApiRecord, View } from './dashboard-page.ts';
import { dashboardTexts } from './texts.ts';

/** Settings → API credentials: the keys as §4.13 answers them, rotation and revocation (§5.5). */
export function credentialsPage(view: View, answer: ApiAnswer): Page {
  const { language } = view;
  const texts = dashboardTexts[language];
  const row = (key: ApiRecord) => {
    const status = textOf(key, 'status');
    const revoking = { test: 'revoke-key', open: texts.revoke, confirm: texts.revokeConfirm };
    const cells = [
      code(textOf(key, 'apiKey')),
      statusBadge(status, language),
      instantText(textOf(key, 'createdAt'), language),
      instantText(textOf(key, 'expiresAt'), language),
      status === 'ACTIVE' && guardedForm(view, `credentials/${idOf(key)}/revoke`, revoking),
    ];
    return { cells };
  };
  const body = html`<div class="panel">
    <p class="soft">${texts.rotateHint}</p>
    ${apiForm(view, 'credentials/rotate', mainButton('rotate-key', texts.rotate))}
    ${table({
      labelledBy: 'section',
      head: [texts.apiKey, texts.status, texts.created, texts.expires, texts.actions],
      rows: recordsOf(answer, 'credentials').map(row),
      empty: texts.none,
    })}
  </div>`;
  return dashboardPage(view, 'credentials', texts.sections.credentials, body);
}

/** The SDK tokens as §4.15 lists them; a token itself is shown once, when it is made (N19). */
export function sdkTokensPage(view: View, answer: ApiAnswer): Page {
  const texts = dashboardTexts[view.language];
  const { name, product, terminal, status, created, expires, actions } = texts;
  const list = table({
    labelledBy: 'section',
    head: [name, product, terminal, status, created, expires, actions],
    rows: recordsOf(answer, 'sdkTokens').map((token) => ({ cells: tokenCells(view, token) })),
    empty: texts.none,
  });
  const fields = html`${field({
    id: 'token-name',
    label: name,
    input: html`name="name" dir="auto" maxlength="255" data-test="token-name"`,
  })}
  ${selectField({ id: 'token-type', name: 'type', label: product, options: sdkTokenTypes })}
  ${field({
    id: 'token-terminal',
    label: html`${terminal} <span class="hint">(${texts.optional})</span>`,
    input: html`name="terminalId" dir="ltr" maxlength="255"`,
  })}
  ${mainButton('create-token', texts.createToken)}`;
  return settingsPage(view, 'sdk-tokens', list, { title: texts.newToken, fields });
}

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
  const fields = html`${webhookFields(view, 'new', { url: '', active: true, events: [] })}
  ${mainButton('create-webhook', texts.createWebhook)}`;
  return settingsPage(view, 'webhooks', list, { title: texts.newWebhook, fields });
}

function settingsPage(
  view: View,
  section: 'webhooks' | 'sdk-tokens',
  list: Html,
  { title, fields }: { readonly title: string; readonly fields: Html },
): Page {
  const form = apiForm(view, section, fields, 'stack wide-form');
  const body = html`<div class="panel">${list}</div>
    ${panel({ id: 'new', title, body: form })}`;
  return dashboardPage(view, section, dashboardTexts[view.language].sections[section], body);
}

function tokenCells(view: View, token: ApiRecord): readonly Html[] {
  const { language } = view;
  const texts = dashboardTexts[language];
  const status = textOf(token, 'status');
  const name = textOf(token, 'name');
  const next = status === 'ACTIVE' ? 'DISABLED' : 'ACTIVE';
  const toggle = html`<button class="button" name="status" value="${next}" data-test="toggle-token">
    ${next === 'ACTIVE' ? texts.enable : texts.disable}<span class="visually-hidden"> ${name}</span>
  </button>`;
  return [
    html`<bdi>${name}</bdi>`,
    ltr(textOf(token, 'type')),
    ltr(textOf(token, 'terminalId')),
    statusBadge(status, language),
    instantText(textOf(token, 'createdAt'), language),
    instantText(textOf(token, 'expiresAt'), language),
    apiForm(view, `sdk-tokens/${idOf(token)}`, toggle),
  ];
}

function oneWebhook(view: View, webhook: ApiRecord): Html {
  const { language } = view;
  const texts = dashboardTexts[language];
  const id = textOf(webhook, 'id');
  const url = textOf(webhook, 'url');
  const active = webhook['active'] === true;
  const answered: unknown = webhook['events'];
  const events = Array.isArray(answered) ? answered.map(String) : [];
  const path = `webhooks/${idOf(webhook)}`;
  const fields = html`${webhookFields(view, id, { url, active, events })}
  ${mainButton('save-webhook', texts.save)}`;
  const removal = { test: 'delete-webhook', open: texts.remove, confirm: texts.removeConfirm };
  return html`<li class="record stack">
    <p class="row"><b>${ltr(url)}</b> ${statusBadge(active ? 'ACTIVE' : 'DISABLED', language)}</p>
    <p class="soft">${code(id)} · ${ltr(events.join(', '))}</p>
    <div class="row">
      <details class="guarded">
        <summary class="button" data-test="edit-webhook">${texts.edit}</summary>
        ${apiForm(view, path, fields, 'stack wide-form')}
      </details>
      ${guardedForm(view, `${path}/delete`, removal)}
    </div>
  </li>`;
}

interface WebhookFields {
  readonly url: string;
  readonly active: boolean;
  readonly events: readonly string[];
}

/** `key` distinguishes the fields of one form from those of another. */
function webhookFields({ language }: View, key: string, webhook: WebhookFields): Html {
  const { url, active, events } = webhook;
  const texts = dashboardTexts[language];
  const test = key === 'new' ? 'webhook-url' : 'edit-webhook-url';
  const check = (name: string, value: string, isChecked: boolean, text: Html | string) =>
    choiceField('row', html`type="checkbox" name="${name}" value="${value}"`, isChecked, text);
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

function idOf(record: ApiRecord): string {
  return encodeURIComponent(textOf(record, 'id'));
}
