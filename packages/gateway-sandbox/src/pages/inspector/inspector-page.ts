import { framed } from '../frame.ts';
import { hostedLabels } from '../hosted/labels.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { Page } from '../send-page.ts';
import { accessLabels } from './access-labels.ts';
import { accessPanel } from './access-panel.ts';
import { clockPanel } from './clock-panel.ts';
import { deliveriesPanel } from './deliveries-panel.ts';
import { faultsPanel } from './faults-panel.ts';
import { fidelityLabels } from './fidelity-labels.ts';
import { hintsPanel } from './hints-panel.ts';
import { inspectorLabels } from './labels.ts';
import { paymentsPanel } from './payments-panel.ts';
import { requestsPanel } from './requests-panel.ts';
import { timelinePanel } from './timeline-panel.ts';
import { inspectorAddress } from './view.ts';
import type { View } from './view.ts';

/** Links to more tenants than a person can tell apart help nobody; their addresses still work. */
const mostTenantLinks = 30;

/**
 * The inspector: what this sandbox holds and why it answered as it did. `complaint` is what was
 * wrong with the form that led here.
 */
export function inspectorPage(view: View, complaint: string | null): Page {
  const { language, tenant } = view;
  const labels = inspectorLabels[language];
  const shared = hostedLabels[language];
  const main = html`<main class="inspector">
    <div class="inspector-head">
      <h1>${labels.title}</h1>
      <p class="live" id="live" data-live-text="${labels.live}" data-lost-text="${labels.lost}">
        <i aria-hidden="true"></i><span>${labels.still}</span>
      </p>
      <nav class="inspector-links" aria-label="${labels.title}">
        <a href="${inspectorAddress(view, '/fidelity')}">${fidelityLabels[language].title}</a>
        <a href="/dashboard?lang=${language}">${accessLabels[language].dashboard}</a>
      </nav>
    </div>
    ${complaint !== null && html`<p class="note note-refused" role="alert" data-test="refused"><bdi>${complaint}</bdi></p>`}
    ${tenantLinks(view)} ${hintsPanel(view)}
    <div class="inspector-columns">
      <div class="inspector-main">
        ${paymentsPanel(view)} ${deliveriesPanel(view)} ${requestsPanel(view)}
      </div>
      <div class="inspector-side">
        ${clockPanel(view)} ${timelinePanel(view)} ${faultsPanel(view)} ${accessPanel(view)}
      </div>
    </div>
  </main>`;
  return {
    language,
    title: `${labels.title} · Pay Sandbox`,
    body: framed({
      language,
      strip: shared.strip,
      languages: shared.languages,
      path: '/_sandbox',
      parameters: new URLSearchParams({ tenant }),
      main,
      wide: true,
    }),
    style: 'tools.css',
    scripts: ['inspector.js'],
    live: true,
  };
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
  return html`<nav class="tenants" aria-label="${inspectorLabels[language].tenants}">
    <ul>
      ${ids.slice(0, mostTenantLinks).map(link)}
    </ul>
  </nav>`;
}
