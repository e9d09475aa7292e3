import { isFields } from '../../domain/requests.ts';
import type { Environment } from '../../domain/transaction.ts';
import { basePaths } from '../../sandbox-parts.ts';
import { badge, code, definitions, ltr, panel } from '../furniture.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { inspectorTexts } from './texts.ts';
import type { View } from './view.ts';

type Fact = readonly [name: string | Html, value: Html];

/** The addresses, keys, tokens and portal login that an integration needs. */
export function accessPanel(view: View): Html {
  const { parts, tenant, language } = view;
  const { access, dashboard } = inspectorTexts[language];
  const { portal } = parts.tenants.credentials(tenant);
  const tokens = sdkTokens(view);
  const readings = readingsInForce(view);
  return panel({
    id: 'addresses',
    title: access.title,
    aside: html`<a href="/dashboard?lang=${language}">${dashboard}</a>`,
    body: html`${group(access.staging, environment(view, 'staging'))}
    ${group(access.production, environment(view, 'production'))}
    ${group(access.portal, [
      [access.username, code(portal.username)],
      [access.password, code(portal.password)],
    ])}
    ${tokens.length > 0 && group(access.sdkTokens, tokens)}
    ${readings.length > 0 && group(access.readings, readings)}`,
  });
}

function environment(view: View, which: Environment): Fact[] {
  const { parts, tenant, language } = view;
  const { access } = inspectorTexts[language];
  const secrets = parts.tenants.secrets(tenant);
  const keys = parts.machine
    .tenant(tenant)
    .account.apiKeys.filter((key) => key.environment === which)
    .map(({ id, status }): Fact => {
      const key = code(secrets.apiKey(which, id));
      return [access.apiKey, html`${key} ${mark(status, language)}`];
    });
  return [[access.baseAddress, code(parts.publicUrl() + basePaths[which])], ...keys];
}

function sdkTokens({ parts, tenant, language }: View): Fact[] {
  const { sdkTokens: tokens } = parts.machine.tenant(tenant);
  return tokens.map(({ name, type, status, environment: of }): Fact => {
    const where = ltr(`${of}${type === null ? '' : ` ${type}`}`);
    return [html`<bdi>${name}</bdi>`, html`${where} ${mark(status, language)}`];
  });
}

/** The policies, and the places of the profile with their values. */
function readingsInForce({ parts, language }: View): Fact[] {
  const { policy } = inspectorTexts[language].access;
  const policies = [...parts.policy].map((name): Fact => [policy, code(name)]);
  return [...policies, ...placesOf(parts.profile)];
}

function placesOf(value: object, path: readonly string[] = []): Fact[] {
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]): Fact[] => {
    const place = [...path, name];
    if (isFields(inner)) return placesOf(inner, place);
    return [[code(place.join('.')), code(JSON.stringify(inner))]];
  });
}

/** An active key or token needs no mark. */
function mark(status: 'ACTIVE' | 'REVOKED' | 'DISABLED', language: View['language']): Html | null {
  return status === 'ACTIVE' ? null : badge(status, inspectorTexts[language].access[status]);
}

function group(name: string, facts: readonly Fact[]): Html {
  return html`<div class="access">
    <h3>${name}</h3>
    ${definitions('terms', facts)}
  </div>`;
}
