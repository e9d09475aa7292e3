import { sdkTokenTypes } from '../../domain/portal/sdk-token.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { scrollingTable } from '../inspector/panel.ts';
import type { Page } from '../send-page.ts';
import { recordsOf, textOf } from './call-api.ts';
import type { ApiAnswer } from './call-api.ts';
import { dashboardLabels } from './labels.ts';
import { dashboardPage, deskForm, instantText, statusBadge } from './shell.ts';
import type { Desk } from './shell.ts';

/** The SDK tokens as §4.15 lists them; a token itself is told once, when it is made (N19). */
export function sdkTokensPage(desk: Desk, answer: ApiAnswer): Page {
  const labels = dashboardLabels[desk.language];
  const tokens = recordsOf(answer, 'sdkTokens');
  const table = scrollingTable({
    labelledBy: 'sdk-tokens',
    head: [
      labels.name,
      labels.product,
      labels.terminal,
      labels.status,
      labels.created,
      labels.expires,
      labels.actions,
    ],
    rows: tokens.map((token) => row(desk, token)),
  });
  const body = html`<section class="panel" aria-labelledby="sdk-tokens">
      <h2 id="sdk-tokens">${labels.sections['sdk-tokens']}</h2>
      ${tokens.length === 0 ? html`<p class="empty">${labels.none}</p>` : table}
    </section>
    <section class="panel" aria-labelledby="new-token">
      <h2 id="new-token">${labels.newToken}</h2>
      ${deskForm(desk, { action: '/dashboard/sdk-tokens', style: 'desk-form', body: newToken(desk) })}
    </section>`;
  return dashboardPage(desk, 'sdk-tokens', labels.sections['sdk-tokens'], body);
}

function row(desk: Desk, token: Readonly<Record<string, unknown>>): Html {
  const { language } = desk;
  const labels = dashboardLabels[language];
  const status = textOf(token, 'status');
  const next = status === 'ACTIVE' ? 'DISABLED' : 'ACTIVE';
  return html`<tr>
    <td><bdi>${textOf(token, 'name')}</bdi></td>
    <td><bdi dir="ltr">${textOf(token, 'type')}</bdi></td>
    <td><bdi dir="ltr">${textOf(token, 'terminalId')}</bdi></td>
    <td>${statusBadge(status, language)}</td>
    <td>${instantText(textOf(token, 'createdAt'), language)}</td>
    <td>${instantText(textOf(token, 'expiresAt'), language)}</td>
    <td>
      ${deskForm(desk, {
        action: `/dashboard/sdk-tokens/${encodeURIComponent(textOf(token, 'id'))}`,
        body: html`<button class="tool" name="status" value="${next}" data-test="toggle-token">
          ${next === 'ACTIVE' ? labels.enable : labels.disable}<span class="visually-hidden">
            ${textOf(token, 'name')}</span
          >
        </button>`,
      })}
    </td>
  </tr>`;
}

function newToken({ language }: Desk): Html {
  const labels = dashboardLabels[language];
  return html`<div class="desk-field">
      <label for="token-name">${labels.name}</label>
      <input id="token-name" name="name" dir="auto" maxlength="255" data-test="token-name" />
    </div>
    <div class="desk-field">
      <label for="token-type">${labels.product}</label>
      <select id="token-type" name="type" data-test="token-type">
        ${sdkTokenTypes.map((type) => html`<option>${type}</option>`)}
      </select>
    </div>
    <div class="desk-field">
      <label for="token-terminal"
        >${labels.terminal} <span class="soft">(${labels.optional})</span></label
      >
      <input id="token-terminal" name="terminalId" dir="ltr" maxlength="255" />
    </div>
    <button class="tool tool-main" data-test="create-token">${labels.createToken}</button>`;
}
