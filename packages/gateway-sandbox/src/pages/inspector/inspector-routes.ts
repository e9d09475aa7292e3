import express from 'express';
import type { Request, Response, Router } from 'express';
import { carryOut, Refusal, type Operations } from '../../control/api.ts';
import { faultOperations, webhookOperations } from '../../control/record-operations.ts';
import { clockOperations } from '../../control/tenant-operations.ts';
import { clockState, iso } from '../../domain/clock.ts';
import { isFields } from '../../domain/requests.ts';
import { defaultTenant } from '../../domain/tenant.ts';
import type { Environment } from '../../domain/transaction.ts';
import * as faults from '../../faults.ts';
import { readFidelity, type Fidelity } from '../../package-files.ts';
import { html } from '../html.ts';
import * as ui from '../html.ts';
import * as lists from './lists.ts';
import { actionButton, inspectorAddress, inspectorTexts, type View } from './view.ts';
import { formField, leaveFor, readForm, sendPage, type Page } from '../page.ts';
import { policies } from '../../readings/readings.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import { basePaths } from '../../tenants.ts';

/** A call of the control API: the operation, the id in its path, and its body. */
type Call = readonly [operation: string, id?: string, body?: object];

/** The inspector and its buttons, relative to `/_sandbox`; the guard turns forms of other sites away. */
export function inspectorRoutes(parts: SandboxParts): Router {
  const router = express.Router();
  const complaints = new Map<string, string>();
  router.get('/', (request, response) => {
    const view = viewOf(parts, request);
    const complaint = complaints.get(view.tenant) ?? null;
    complaints.delete(view.tenant);
    sendPage(response, inspectorPage(view, complaint));
  });
  router.get('/fidelity', (request, response) => {
    const { tier } = request.query;
    const page = fidelityPage(viewOf(parts, request), typeof tier === 'string' ? tier : '');
    sendPage(response, page);
  });
  for (const [path, callOf] of Object.entries(buttons)) {
    router.post(`/${path}`, readForm, async (request: Request, response: Response) => {
      const view = viewOf(parts, request);
      const { tenant, language } = view;
      const [name, id = '', body = {}] = callOf((field) => formField(request, field));
      const operation = operations[name];
      const call = { parts, tenant, id, body, query: {}, response };
      const reply = operation === undefined ? null : await carryOut(operation, call);
      if (reply instanceof Refusal) {
        const { noAddress } = inspectorTexts[language].deliveries;
        complaints.set(tenant, reply.code === 'no_address' ? noAddress : reply.detail);
      }
      leaveFor(response, inspectorAddress(view));
    });
  }
  return router;
}

const operations: Operations = { ...clockOperations, ...faultOperations, ...webhookOperations };

/** What each form of the page asks of the control API. A refusal says what was wrong with the form. */
const buttons: Readonly<Record<string, (field: (name: string) => string) => Call>> = {
  clock: (field) => {
    const action = field('action');
    return action.startsWith('PT') ? ['advanceClock', '', { by: action }] : [`${action}Clock`];
  },
  profile: (field) =>
    field('clear') === 'yes' ? ['liftFaults'] : ['setProfile', field('profile')],
  faults: (field) => {
    const operation = field('operation');
    const fault = { place: field('place'), kind: field('kind'), count: Number(field('count')) };
    return ['addFault', '', operation === '' ? fault : { operation, ...fault }];
  },
  deliveries: (field) => {
    const action = field('action');
    if (action === 'hold' || action === 'release') return [`${action}Deliveries`];
    return [action === 'replay' ? 'replayDelivery' : 'releaseDelivery', field('id')];
  },
};

/** The tenant of the address; the first one where the address names no known tenant. */
function viewOf(parts: SandboxParts, request: Request): View {
  const { tenant } = request.query;
  const isKnown = typeof tenant === 'string' && parts.machine.hasTenant(tenant);
  return { parts, tenant: isKnown ? tenant : defaultTenant, language: ui.languageOf(request) };
}

/** A longer list of links is not useful; the other tenants' addresses still work. */
const mostTenantLinks = 30;

/** `complaint` says what was wrong with the form that led here. */
function inspectorPage(view: View, complaint: string | null): Page {
  const { language } = view;
  const texts = inspectorTexts[language];
  const main = html`<main class="stack wide">
    <div class="row">
      <h1>${texts.title}</h1>
      <p class="pill live" id="live" data-live-text="${texts.live}" data-lost-text="${texts.lost}">
        <i class="dot" aria-hidden="true"></i><span>${texts.still}</span>
      </p>
      <nav class="row end" aria-label="${texts.title}">
        <a href="${inspectorAddress(view, '/fidelity')}">${texts.fidelity}</a>
        <a href="/dashboard?lang=${language}">${texts.dashboard}</a>
      </nav>
    </div>
    ${complaint !== null && ui.alertBox('refused', complaint)} ${tenantLinks(view)}
    ${lists.hintsPanel(view)} ${viewTabs(view)}
    <div class="stack inspector-columns">
      <div class="stack">
        ${lists.paymentsPanel(view)} ${lists.deliveriesPanel(view)} ${lists.requestsPanel(view)}
      </div>
      <div class="stack">
        ${clockPanel(view)} ${lists.timelinePanel(view)} ${faultsPanel(view)} ${accessPanel(view)}
      </div>
    </div>
  </main>`;
  const scripts = ['current-state.js', 'inspector.js'];
  return { title: `${texts.title} · Pay Sandbox`, main, isTool: true, isLive: true, scripts };
}

/** What a phone shows at a time: the tabs of one view each, by the panels that it holds. */
const views = {
  payments: 'sessions',
  webhooks: 'deliveries',
  requests: 'requests',
  timeline: 'timeline',
  tools: 'clock faults addresses',
} as const;
const viewNames = Object.keys(views) as readonly (keyof typeof views)[];

/** Tabs for a phone, where the panels below each other would be very long. */
function viewTabs({ language }: View): ui.Html {
  const texts = inspectorTexts[language].views;
  const tabs = viewNames.map((name) => {
    const input = ui.radio('view', views[name], `view-${name}`);
    return ui.choiceField('view', input, name === 'payments', texts[name]);
  });
  return html`<fieldset class="panel views">
    <legend class="visually-hidden">${texts.legend}</legend>
    ${tabs}
  </fieldset>`;
}

function tenantLinks({ parts, tenant, language }: View): ui.Html | null {
  const ids = parts.machine.tenantIds();
  if (ids.length < 2) return null;
  const link = (id: string) => ({
    href: inspectorAddress({ tenant: id, language }),
    text: ui.ltr(id),
    isCurrent: id === tenant,
  });
  return ui.pills(inspectorTexts[language].tenants, ids.slice(0, mostTenantLinks).map(link));
}

function clockPanel(view: View): ui.Html {
  const { machine } = view.parts;
  const texts = inspectorTexts[view.language].clock;
  const { clock } = machine.tenant(view.tenant);
  const now = iso(machine.now(view.tenant));
  const state = clockState(clock);
  const next = state === 'running' ? 'freeze' : 'resume';
  const leaps = Object.entries(texts.leaps).map(([duration, text]) =>
    actionButton(`clock-${duration}`, duration, html`+<bdi>${text}</bdi>`),
  );
  const body = html`<p class="clock-now soft">
      <time datetime="${now}" dir="ltr" data-rate="${clock.rate}"
        ><span>${now.slice(0, 10)}</span> <b>${now.slice(11, 19)}</b> <span>UTC</span></time
      >
    </p>
    <form method="post" action="${inspectorAddress(view, '/clock')}" class="row">
      ${actionButton(`clock-${next}`, next, texts[next])} ${leaps}
    </form>`;
  return ui.panel('clock', texts.title, body, ui.badge(state, texts[state]));
}

function faultsPanel(view: View): ui.Html {
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
function accessPanel(view: View): ui.Html {
  const { parts, tenant, language } = view;
  const { access, dashboard } = inspectorTexts[language];
  const { portal } = parts.tenants.secrets(tenant).credentials();
  const tokens = sdkTokens(view);
  const policyFacts = [...parts.policy].map((name): Fact => [access.policy, ui.code(name)]);
  const readings = [...policyFacts, ...placesOf(parts.profile)];
  const body = html`${accessGroup(access.staging, environment(view, 'staging'))}
  ${accessGroup(access.production, environment(view, 'production'))}
  ${accessGroup(access.portal, [
    [access.username, ui.code(portal.username)],
    [access.password, ui.code(portal.password)],
  ])}
  ${tokens.length > 0 && accessGroup(access.sdkTokens, tokens)}
  ${readings.length > 0 && accessGroup(access.readings, readings)}`;
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

function accessGroup(name: string, facts: readonly Fact[]): ui.Html {
  return html`<div class="access lined">
    <h3>${name}</h3>
    ${ui.definitions('terms', facts)}
  </div>`;
}

const fidelityTexts = ui.byLanguage({
  title: ['Fidelity', 'مدى المطابقة'],
  intro: `How firmly each behaviour of the sandbox is known, the reading taken where the specification is silent, and the tests that pin it.
    مدى ثبوت كل سلوك في البيئة التجريبية، والقراءة المعتمدة حيث تسكت المواصفة، والاختبارات التي تضمن ذلك.`,
  inspector: ['Inspector', 'لوحة المراقبة'],
  tiers: ['How firmly it is known', 'درجة الثبوت'],
  all: ['in all', 'الكل'],
  tierNames: {
    spec: ['stated', 'منصوص عليه'],
    contradiction: ['stated twice, differently', 'منصوص عليه بصورتين'],
    analogue: ['as sibling gateways do', 'قياسًا على بوابات مشابهة'],
    assumed: ['assumed', 'مفترض'],
  },
  groups: {
    readings: ['Open points and their other readings', 'النقاط المفتوحة وقراءاتها الأخرى'],
    operation: ['Operations', 'العمليات'],
    error: ['Errors', 'الأخطاء'],
    transition: ['Transitions', 'الانتقالات'],
    field: ['Fields', 'الحقول'],
  },
});

const tiers = ['spec', 'contradiction', 'analogue', 'assumed'] as const;
const groups = ['readings', 'operation', 'error', 'transition', 'field'] as const;

/** An open point of the specification, or a behaviour of the gateway. */
interface Entry {
  readonly group: (typeof groups)[number];
  readonly id: string;
  readonly name: string;
  readonly tier: string;
  /** A section of the specification, or the id of an open point. */
  readonly source: string;
  readonly body: ui.Html;
  readonly tests: readonly string[];
}

/** The known and the assumed behaviour of the gateway, with the tests that pin each. */
function fidelityPage(view: Omit<View, 'parts'>, wantedTier: string): Page {
  const texts = fidelityTexts[view.language];
  const report = readFidelity();
  const tier = tiers.find((known) => known === wantedTier) ?? null;
  const shown = [...openPoints(report), ...behaviours(report)].filter(
    (one) => tier === null || one.tier === tier,
  );
  const list = (group: Entry['group']) => {
    const entries = shown.filter((one) => one.group === group);
    const body = html`<ul class="behaviours">
      ${entries.map(row)}
    </ul>`;
    if (entries.length === 0) return html``;
    return ui.panel(group, texts.groups[group], body, `${entries.length}`);
  };
  const main = html`<main class="stack wide">
    <div class="row">
      <h1>${texts.title}</h1>
      <a href="${inspectorAddress(view)}">${texts.inspector}</a>
    </div>
    <p class="soft">${texts.intro}</p>
    ${tierLinks(view, report, tier)} ${groups.map(list)}
  </main>`;
  return { title: `${texts.title} · Pay Sandbox`, main, isTool: true };
}

/** The number of behaviours of each tier; each link shows only that tier. */
function tierLinks(
  view: Omit<View, 'parts'>,
  { behaviours: all }: Fidelity,
  chosen: string | null,
): ui.Html {
  const texts = fidelityTexts[view.language];
  const address = inspectorAddress(view, '/fidelity');
  const link = (tier: (typeof tiers)[number]) => ({
    href: `${address}&tier=${tier}`,
    text: html`<b>${all.filter((one) => one.tier === tier).length}</b> ${texts.tierNames[tier]}`,
    isCurrent: tier === chosen,
  });
  const every = html`<b>${all.length}</b> ${texts.all}`;
  return ui.pills(texts.tiers, [
    { href: address, text: every, isCurrent: chosen === null },
    ...tiers.map(link),
  ]);
}

/** The open points of the specification, and how the sandbox reads each of them otherwise. */
function openPoints({ sources }: Fidelity): Entry[] {
  return Object.entries(sources).map(([source, point]) => {
    const { item, tier, reading, alternatives, policies: names, profile, whyNot, tests } = point;
    const ways = [
      ...names.map((name) => `policy ${name}: ${policies[name]}`),
      ...profile.map((place) => `profile ${place}`),
    ];
    const body = html`<p>${reading}</p>
      ${otherReadings(alternatives)}
      <ul>
        ${ways.map((way) => html`<li>${way}</li>`)}
      </ul>
      ${whyNot !== null && html`<p>${whyNot}</p>`}`;
    return { group: 'readings', id: `reading.${source}`, name: item, tier, source, body, tests };
  });
}

function behaviours({ behaviours: all, sources }: Fidelity): Entry[] {
  return all.map(({ kind, ...behaviour }) => {
    const point = sources[behaviour.source];
    const reading =
      point !== undefined &&
      html`<p><b>${point.item}.</b> ${point.reading}</p>
        ${otherReadings(point.alternatives)}`;
    return { ...behaviour, group: kind, body: html`${reading}` };
  });
}

function otherReadings(alternatives: readonly string[]): ui.Html {
  return html`<p class="soft">It could also be: ${alternatives.join(' · ')}</p>`;
}

/** Names, readings and tests are the contract's own words, so they stay in English. */
function row({ id, name, tier, source, body, tests }: Entry): ui.Html {
  return html`<li class="lined" id="${id}">
    <details>
      <summary class="row chevron">
        <bdi dir="ltr" lang="en">${name}</bdi>
        ${ui.tierMark(`${tier} ${source}`)}
      </summary>
      <div class="stack behaviour-body" lang="en" dir="ltr">
        ${body}
        <ul class="soft">
          ${tests.map((test) => html`<li><code>${test}</code></li>`)}
        </ul>
      </div>
    </details>
  </li>`;
}
