import { framed } from '../frame.ts';
import { hostedLabels } from '../hosted/labels.ts';
import { html } from '../html.ts';
import type { Page } from '../send-page.ts';
import { accessPanel } from './access-panel.ts';
import { clockPanel } from './clock-panel.ts';
import { hintsPanel } from './hints-panel.ts';
import { inspectorLabels } from './labels.ts';
import { paymentsPanel } from './payments-panel.ts';
import { requestsPanel } from './requests-panel.ts';
import { timelinePanel } from './timeline-panel.ts';
import type { View } from './view.ts';

/** The inspector: what this sandbox holds and why it answered as it did. */
export function inspectorPage(view: View): Page {
  const { language, tenant } = view;
  const labels = inspectorLabels[language];
  const shared = hostedLabels[language];
  const main = html`<main class="inspector">
    <div class="inspector-head">
      <h1>${labels.title}</h1>
      <p class="live" id="live" data-live-text="${labels.live}" data-lost-text="${labels.lost}">
        <i aria-hidden="true"></i><span>${labels.still}</span>
      </p>
    </div>
    ${hintsPanel(view)}
    <div class="inspector-columns">
      <div class="inspector-main">${paymentsPanel(view)} ${requestsPanel(view)}</div>
      <div class="inspector-side">
        ${clockPanel(view)} ${timelinePanel(view)} ${accessPanel(view)}
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
