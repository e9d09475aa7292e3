import { isFields } from '../../domain/requests.ts';
import { clockState, iso } from '../../domain/clock.ts';
import type { Environment } from '../../domain/transaction.ts';
import * as faults from '../../faults.ts';
import { basePaths } from '../../tenants.ts';
import { html } from '../html.ts';
import * as ui from '../html.ts';
import { actionButton, inspectorAddress, inspectorTexts, type View } from './view.ts';

const clockLeaps = ['PT1M', 'PT10M', 'PT1H', 'PT48H'] as const;

export function clockPanel(view: View): ui.Html {
  const { machine } = view.parts;
  const texts = inspectorTexts[view.language].clock;
  const { clock } = machine.tenant(view.tenant);
  const now = iso(machine.now(view.tenant));
  const state = clockState(clock);
  const next = state === 'running' ? 'freeze' : 'resume';
  const leap = (duration: (typeof clockLeaps)[number]) =>
    actionButton(`clock-${duration}`, duration, html`+<bdi>${texts.leaps[duration]}</bdi>`);
  const body = html`<p class="clock-now soft">
      <time datetime="${now}" dir="ltr" data-rate="${clock.rate}"
        ><span>${now.slice(0, 10)}</span> <b>${now.slice(11, 19)}</b> <span>UTC</span></time
      >
    </p>
    <form method="post" action="${inspectorAddress(view, '/clock')}" class="row">
      ${actionButton(`clock-${next}`, next, texts[next])} ${clockLeaps.map(leap)}
    </form>`;
  return ui.panel('clock', texts.title, body, ui.badge(state, texts[state]));
}

export function faultsPanel(view: View): ui.Html {
  const { parts, tenant, language } = view;
  const texts = inspectorTexts[language].faults;
  const armed = parts.faults.list(tenant);
  const profile = parts.faults.profile(tenant);
  const option = (name: string) =>
    html`<option ${name === profile && html` selected`}>${name}</option>`;
  const body = html`<form method="post" action="${inspectorAddress(view, '/profile')}" class="row">
      <label class="visually-hidden" for="profile">${texts.profile}</label>
      <select id="profile" name="profile" dir="ltr">
        ${faults.profileNames.map(option)}
      </select>
      ${ui.button('set-profile', texts.setProfile)}
      ${armed.length > 0 && html`<button class="button button-danger" name="clear" value="yes" data-test="clear-faults">${texts.clear}</button>`}
    </form>
    ${
      armed.length === 0
        ? html`<p class="soft">${texts.none}</p>`
        : html`<ul class="faults">
            ${armed.map((fault) => faultRow(fault, texts.always))}
          </ul>`
    }
    ${newFault(view)}`;
  const kind = profile === 'healthy' && armed.length === 0 ? 'ok' : 'pending';
  return ui.panel('faults', texts.title, body, ui.badge(kind, ui.ltr(profile)));
}

function faultRow({ place, kind, operation, count, every }: faults.Fault, always: string): ui.Html {
  return html`<li class="row between lined">
    <bdi dir="ltr"
      ><b>${kind}</b>
      ${place}${operation !== null && html` · ${operation}`}${every > 1 && html` · 1/${every}`}</bdi
    >
    <span class="soft">${count === null ? always : `× ${count}`}</span>
  </li>`;
}

function newFault(view: View): ui.Html {
  const texts = inspectorTexts[view.language].faults;
  const choice = (
    name: 'operation' | 'place' | 'kind',
    options: readonly (string | readonly [string, string])[],
  ) => ui.selectField({ id: `fault-${name}`, name, label: texts[name], options, direction: 'ltr' });
  return html`<details id="new-fault">
    <summary class="row chevron">${texts.add}</summary>
    <form method="post" action="${inspectorAddress(view, '/faults')}" class="columns fields">
      ${choice('operation', [['', texts.every], ...faults.faultOperations])}
      ${choice('place', faults.faultPlaces)}
      ${choice('kind', [...faults.callFaultKinds, ...faults.deliveryFaultKinds])}
      ${ui.field({
        id: 'fault-count',
        label: texts.count,
        input: html`name="count" inputmode="numeric" value="1" dir="ltr" data-test="fault-count"`,
      })}
      ${ui.mainButton('add-fault', texts.add)}
    </form>
  </details>`;
}

type Fact = readonly [name: string | ui.Html, value: ui.Html];

/** The addresses, keys, tokens and portal login that an integration needs. */
export function accessPanel(view: View): ui.Html {
  const { parts, tenant, language } = view;
  const { access, dashboard } = inspectorTexts[language];
  const { portal } = parts.tenants.secrets(tenant).credentials();
  const tokens = sdkTokens(view);
  const policies = [...parts.policy].map((name): Fact => [access.policy, ui.code(name)]);
  const readings = [...policies, ...placesOf(parts.profile)];
  const body = html`${group(access.staging, environment(view, 'staging'))}
  ${group(access.production, environment(view, 'production'))}
  ${group(access.portal, [
    [access.username, ui.code(portal.username)],
    [access.password, ui.code(portal.password)],
  ])}
  ${tokens.length > 0 && group(access.sdkTokens, tokens)}
  ${readings.length > 0 && group(access.readings, readings)}`;
  const aside = html`<a href="/dashboard?lang=${language}">${dashboard}</a>`;
  return ui.panel('addresses', access.title, body, aside);
}

function environment(view: View, which: Environment): Fact[] {
  const { parts, tenant, language } = view;
  const { access } = inspectorTexts[language];
  const secrets = parts.tenants.secrets(tenant);
  const keys = parts.machine
    .tenant(tenant)
    .account.apiKeys.filter((key) => key.environment === which)
    .map(({ id, status }): Fact => {
      const key = ui.code(secrets.apiKey(which, id));
      return [access.apiKey, html`${key} ${mark(status, language)}`];
    });
  return [[access.baseAddress, ui.code(parts.publicUrl() + basePaths[which])], ...keys];
}

function sdkTokens({ parts, tenant, language }: View): Fact[] {
  const { sdkTokens: tokens } = parts.machine.tenant(tenant);
  return tokens.map(({ name, type, status, environment: of }): Fact => {
    const where = ui.ltr(`${of}${type === null ? '' : ` ${type}`}`);
    return [html`<bdi>${name}</bdi>`, html`${where} ${mark(status, language)}`];
  });
}

function placesOf(value: object, path: readonly string[] = []): Fact[] {
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]): Fact[] => {
    const place = [...path, name];
    if (isFields(inner)) return placesOf(inner, place);
    return [[ui.code(place.join('.')), ui.code(JSON.stringify(inner))]];
  });
}

/** An active key or token needs no mark. */
function mark(
  status: 'ACTIVE' | 'REVOKED' | 'DISABLED',
  language: View['language'],
): ui.Html | null {
  return status === 'ACTIVE' ? null : ui.badge(status, inspectorTexts[language].access[status]);
}

function group(name: string, facts: readonly Fact[]): ui.Html {
  return html`<div class="access lined">
    <h3>${name}</h3>
    ${ui.definitions('terms', facts)}
  </div>`;
}
