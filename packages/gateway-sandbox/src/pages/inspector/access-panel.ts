import { basePaths } from '../../sandbox-parts.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { inspectorLabels } from './labels.ts';
import { panel } from './panel.ts';
import type { View } from './view.ts';

/** Addresses, keys and the portal's login: what an integration is pointed at. */
export function accessPanel({ parts, tenant, language }: View): Html {
  const { tenants, publicUrl } = parts;
  const credentials = tenants.credentials(tenant);
  const labels = inspectorLabels[language];
  const group = (name: string, facts: readonly (readonly [string, string])[]) =>
    html`<div class="access">
      <h3>${name}</h3>
      <dl>
        ${facts.map(
          ([what, value]) =>
            html`<div>
              <dt>${what}</dt>
              <dd><code dir="ltr">${value}</code></dd>
            </div>`,
        )}
      </dl>
    </div>`;
  const environment = (which: 'staging' | 'production') =>
    group(labels[which], [
      [labels.baseAddress, publicUrl() + basePaths[which]],
      [labels.apiKey, credentials.apiKeys[which]],
    ]);
  return panel({
    id: 'addresses',
    title: labels.addresses,
    body: html`${environment('staging')} ${environment('production')}
    ${group(labels.portal, [
      [labels.username, credentials.portal.username],
      [labels.password, credentials.portal.password],
    ])}`,
  });
}
