import { sdkTokenTypes } from '../../domain/tenant.ts';
import { code, field, ltr, panel, selectField, table } from '../furniture.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { Page } from '../page.ts';
import { recordsOf, textOf } from './call-api.ts';
import type { ApiAnswer } from './call-api.ts';
import {
  apiForm,
  dashboardPage,
  guardedForm,
  instantText,
  mainButton,
  statusBadge,
} from './dashboard-page.ts';
import type { View } from './dashboard-page.ts';
import { dashboardTexts } from './texts.ts';

type ApiRecord = Readonly<Record<string, unknown>>;

/** Settings → API credentials: the keys as §4.13 answers them, rotation and revocation (§5.5). */
export function credentialsPage(view: View, answer: ApiAnswer): Page {
  const { language } = view;
  const texts = dashboardTexts[language];
  const body = html`<div class="panel">
    <p class="soft">${texts.rotateHint}</p>
    ${apiForm(view, {
      action: '/dashboard/credentials/rotate',
      body: mainButton('rotate-key', texts.rotate),
    })}
    ${table({
      labelledBy: 'section',
      head: [texts.apiKey, texts.status, texts.created, texts.expires, texts.actions],
      rows: recordsOf(answer, 'credentials').map((key) => ({ cells: keyCells(view, key) })),
      empty: texts.none,
    })}
  </div>`;
  return dashboardPage(view, 'credentials', texts.sections.credentials, body);
}

function keyCells(view: View, key: ApiRecord): readonly (Html | null)[] {
  const { language } = view;
  const texts = dashboardTexts[language];
  const status = textOf(key, 'status');
  return [
    code(textOf(key, 'apiKey')),
    statusBadge(status, language),
    instantText(textOf(key, 'createdAt'), language),
    instantText(textOf(key, 'expiresAt'), language),
    status === 'ACTIVE'
      ? guardedForm(view, {
          action: `/dashboard/credentials/${encodeURIComponent(textOf(key, 'id'))}/revoke`,
          open: texts.revoke,
          confirm: texts.revokeConfirm,
          test: 'revoke-key',
        })
      : null,
  ];
}

/** The SDK tokens as §4.15 lists them; a token itself is shown once, when it is made (N19). */
export function sdkTokensPage(view: View, answer: ApiAnswer): Page {
  const texts = dashboardTexts[view.language];
  const head = [texts.name, texts.product, texts.terminal, texts.status];
  const list = table({
    labelledBy: 'section',
    head: [...head, texts.created, texts.expires, texts.actions],
    rows: recordsOf(answer, 'sdkTokens').map((token) => ({ cells: tokenCells(view, token) })),
    empty: texts.none,
  });
  const form = apiForm(view, {
    action: '/dashboard/sdk-tokens',
    style: 'stack wide-form',
    body: newToken(view),
  });
  const body = html`<div class="panel">${list}</div>
    ${panel({ id: 'new-token', title: texts.newToken, body: form })}`;
  return dashboardPage(view, 'sdk-tokens', texts.sections['sdk-tokens'], body);
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
    apiForm(view, {
      action: `/dashboard/sdk-tokens/${encodeURIComponent(textOf(token, 'id'))}`,
      body: toggle,
    }),
  ];
}

function newToken({ language }: View): Html {
  const texts = dashboardTexts[language];
  return html`${field({
    id: 'token-name',
    label: texts.name,
    input: html`name="name" dir="auto" maxlength="255" data-test="token-name"`,
  })}
  ${selectField({ id: 'token-type', name: 'type', label: texts.product, options: sdkTokenTypes })}
  ${field({
    id: 'token-terminal',
    label: html`${texts.terminal} <span class="hint">(${texts.optional})</span>`,
    input: html`name="terminalId" dir="ltr" maxlength="255"`,
  })}
  ${mainButton('create-token', texts.createToken)}`;
}
