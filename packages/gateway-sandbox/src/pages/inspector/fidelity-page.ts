import { readFidelity } from '../../fidelity.ts';
import type { Behaviour, Fidelity } from '../../fidelity.ts';
import { framed } from '../frame.ts';
import { hostedLabels } from '../hosted/labels.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { Page } from '../send-page.ts';
import { fidelityLabels } from './fidelity-labels.ts';
import { inspectorAddress } from './view.ts';
import type { View } from './view.ts';

const tiers = ['spec', 'contradiction', 'analogue', 'assumed'] as const;
const kinds = ['operation', 'error', 'transition', 'field'] as const;

/** What is known and what is assumed of the gateway, and which test holds the sandbox to it. */
export function fidelityPage(view: Omit<View, 'parts'>, wantedTier: string): Page {
  const { language, tenant } = view;
  const labels = fidelityLabels[language];
  const shared = hostedLabels[language];
  const report = readFidelity();
  const tier = tiers.find((known) => known === wantedTier) ?? null;
  const main = html`<main class="inspector">
    <div class="inspector-head">
      <h1>${labels.title}</h1>
      <a href="${inspectorAddress(view)}">${labels.inspector}</a>
    </div>
    <p class="soft">${labels.intro}</p>
    ${tierLinks(view, report, tier)}
    ${kinds.map((kind) =>
      section(
        view,
        report,
        report.behaviours.filter(
          (one) => one.kind === kind && (tier === null || one.tier === tier),
        ),
        kind,
      ),
    )}
  </main>`;
  const parameters = new URLSearchParams({ tenant, ...(tier === null ? {} : { tier }) });
  return {
    language,
    title: `${labels.title} · Pay Sandbox`,
    body: framed({
      language,
      strip: shared.strip,
      languages: shared.languages,
      path: '/_sandbox/fidelity',
      parameters,
      main,
      wide: true,
    }),
    style: 'tools.css',
  };
}

/** How much is known how firmly, each a link that shows only that. */
function tierLinks(
  view: Omit<View, 'parts'>,
  { behaviours }: Fidelity,
  chosen: string | null,
): Html {
  const labels = fidelityLabels[view.language];
  const address = inspectorAddress(view, '/fidelity');
  const link = (tier: string | null, name: string, count: number) =>
    html`<li>
      <a
        class="tier-card ${tier !== null && html`tier-card-${tier}`}"
        href="${address}${tier !== null && html`&amp;tier=${tier}`}"
        ${tier === chosen && html` aria-current="true"`}
        ><b>${count}</b> ${name}</a
      >
    </li>`;
  return html`<nav aria-label="${labels.tiers}">
    <ul class="tier-cards">
      ${link(null, labels.all, behaviours.length)}
      ${tiers.map((tier) => link(tier, labels.tierNames[tier], behaviours.filter((one) => one.tier === tier).length))}
    </ul>
  </nav>`;
}

function section(
  { language }: Omit<View, 'parts'>,
  report: Fidelity,
  behaviours: readonly Behaviour[],
  kind: Behaviour['kind'],
): Html {
  if (behaviours.length === 0) return html``;
  const labels = fidelityLabels[language];
  return html`<section class="panel" aria-labelledby="${kind}">
    <div class="panel-head">
      <h2 id="${kind}">${labels.kinds[kind]}</h2>
      <span class="panel-aside">${behaviours.length}</span>
    </div>
    <ul class="behaviours">
      ${behaviours.map((behaviour) => row(report, behaviour, labels))}
    </ul>
  </section>`;
}

/** Names, readings and tests are the contract's own words, so they stay in English. */
function row(
  { sources }: Fidelity,
  { id, name, tier, source, tests }: Behaviour,
  labels: (typeof fidelityLabels)['en'],
): Html {
  const reading = sources[source];
  return html`<li id="${id}">
    <details>
      <summary>
        <bdi dir="ltr" lang="en" class="behaviour-name">${name}</bdi>
        <bdi dir="ltr" lang="en" class="tier tier-${tier}">${tier} ${source}</bdi>
      </summary>
      <div class="behaviour-body" lang="en" dir="ltr">
        ${
          reading !== undefined &&
          html`<p><b>${reading.item}.</b> ${reading.reading}</p>
            <p class="soft">${labels.instead} ${reading.alternatives.join(' · ')}</p>`
        }
        <ul class="behaviour-tests">
          ${tests.map((test) => html`<li><code>${test}</code></li>`)}
        </ul>
      </div>
    </details>
  </li>`;
}
