import type { Environment } from '../../domain/session.ts';
import { basePaths } from '../../sandbox-parts.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { accessLabels } from './access-labels.ts';
import { inspectorLabels } from './labels.ts';
import { panel } from './panel.ts';
import type { View } from './view.ts';

type Fact = readonly [name: string, value: Html];

/** Addresses, keys, tokens and the portal's login: what an integration is pointed at. */
export function accessPanel(view: View): Html {
  const { parts, tenant, language } = view;
  const labels = inspectorLabels[language];
  const texts = accessLabels[language];
  const { portal } = parts.tenants.credentials(tenant);
  return panel({
    id: 'addresses',
    title: labels.addresses,
    aside: html`<a href="/dashboard?lang=${language}">${texts.dashboard}</a>`,
    body: html`${environment(view, 'staging')} ${environment(view, 'production')}
    ${group(labels.portal, [
      [labels.username, code(portal.username)],
      [labels.password, code(portal.password)],
    ])}
    ${sdkTokens(view)}`,
  });
}

function environment(view: View, which: Environment): Html {
  const { parts, tenant, language } = view;
  const labels = inspectorLabels[language];
  const { apiKeys } = parts.machine.tenant(tenant).account;
  const secrets = parts.tenants.secrets(tenant);
  const keys = apiKeys
    .filter((key) => key.environment === which)
    .map(({ id, status }): Fact => [
      labels.apiKey,
      html`${code(secrets.apiKey(which, id))} ${mark(status, language)}`,
    ]);
  return group(labels[which], [
    [labels.baseAddress, code(parts.publicUrl() + basePaths[which])],
    ...keys,
  ]);
}

function sdkTokens({ parts, tenant, language }: View): Html | null {
  const { sdkTokens: tokens } = parts.machine.tenant(tenant);
  if (tokens.length === 0) return null;
  return group(
    accessLabels[language].sdkTokens,
    tokens.map(({ name, type, status, environment: of }): Fact => [
      name,
      html`<bdi dir="ltr">${of}${type !== null && ` ${type}`}</bdi> ${mark(status, language)}`,
    ]),
  );
}

/** What works needs no mark. */
function mark(status: 'ACTIVE' | 'REVOKED' | 'DISABLED', language: View['language']): Html | null {
  if (status === 'ACTIVE') return null;
  return html`<span class="badge badge-${status.toLowerCase()}"
    >${accessLabels[language].statuses[status]}</span
  >`;
}

function group(name: string, facts: readonly Fact[]): Html {
  return html`<div class="access">
    <h3>${name}</h3>
    <dl>
      ${facts.map(
        ([what, value]) =>
          html`<div>
            <dt><bdi>${what}</bdi></dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
  </div>`;
}

function code(text: string): Html {
  return html`<code dir="ltr">${text}</code>`;
}
