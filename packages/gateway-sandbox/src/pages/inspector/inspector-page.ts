import { alertBox } from '../furniture.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { Page } from '../page.ts';
import { accessPanel } from './access-panel.ts';
import { clockPanel, faultsPanel } from './control-panels.ts';
import { deliveriesPanel } from './deliveries-panel.ts';
import { hintsPanel } from './hints.ts';
import { paymentsPanel } from './payments-panel.ts';
import { requestsPanel } from './requests-panel.ts';
import { inspectorTexts } from './texts.ts';
import { timelinePanel } from './timeline.ts';
import { inspectorAddress } from './view.ts';
import type { View } from './view.ts';

/** A longer list of links is not useful; the other tenants' addresses still work. */
const mostTenantLinks = 30;

/**
 * The inspector: the sandbox's state, and the reasons for its answers. `complaint` says what was
 * wrong with the form that led here.
 */
export function inspectorPage(view: View, complaint: string | null): Page {
  const { language, tenant } = view;
  const texts = inspectorTexts[language];
  const main = html`<main class="stack wide">
    <div class="row">
      <h1>${texts.title}</h1>
      <p class="live" id="live" data-live-text="${texts.live}" data-lost-text="${texts.lost}">
        <i aria-hidden="true"></i><span>${texts.still}</span>
      </p>
      <nav class="row end" aria-label="${texts.title}">
        <a href="${inspectorAddress(view, '/fidelity')}">${texts.fidelity}</a>
        <a href="/dashboard?lang=${language}">${texts.dashboard}</a>
      </nav>
    </div>
    ${complaint !== null && alertBox('refused', complaint)} ${tenantLinks(view)} ${hintsPanel(view)}
    ${viewTabs(view)}
    <div class="inspector-columns">
      <div class="stack">
        ${paymentsPanel(view)} ${deliveriesPanel(view)} ${requestsPanel(view)}
      </div>
      <div class="stack">
        ${clockPanel(view)} ${timelinePanel(view)} ${faultsPanel(view)} ${accessPanel(view)}
      </div>
    </div>
  </main>`;
  return {
    language,
    title: `${texts.title} · Pay Sandbox`,
    main,
    path: '/_sandbox',
    parameters: { tenant },
    isTool: true,
    isLive: true,
    scripts: ['current-state.js', 'inspector.js'],
  };
}

/** What a phone shows at a time: the tabs of one view each, by the panels that it holds. */
const views = {
  payments: 'sessions',
  webhooks: 'deliveries',
  requests: 'requests',
  timeline: 'timeline',
  tools: 'clock faults addresses',
} as const;

/** Tabs for a phone, where the panels below each other would be very long. */
function viewTabs({ language }: View): Html {
  const texts = inspectorTexts[language].views;
  const tab = (name: keyof typeof views) =>
    html`<label class="view"
      ><input
        type="radio"
        name="view"
        value="${views[name]}"
        data-test="view-${name}"
        ${name === 'payments' && html` checked`}
      />${texts[name]}</label
    >`;
  return html`<fieldset class="views">
    <legend class="visually-hidden">${texts.legend}</legend>
    ${tab('payments')}${tab('webhooks')}${tab('requests')}${tab('timeline')}${tab('tools')}
  </fieldset>`;
}

/** The other tenants' inspectors, where there are any. */
function tenantLinks({ parts, tenant, language }: View): Html | null {
  const ids = parts.machine.tenantIds();
  if (ids.length < 2) return null;
  const link = (id: string) =>
    html`<li>
      <a
        href="${inspectorAddress({ tenant: id, language })}"
        ${id === tenant && html` aria-current="true"`}
        ><bdi dir="ltr">${id}</bdi></a
      >
    </li>`;
  return html`<nav class="tenants" aria-label="${inspectorTexts[language].tenants}">
    <ul class="row">
      ${ids.slice(0, mostTenantLinks).map(link)}
    </ul>
  </nav>`;
}
