import { readFidelity } from '../../package-files.ts';
import type { Behaviour, Fidelity, OpenPoint } from '../../package-files.ts';
import { findPolicy, policies } from '../../readings/readings.ts';
import { panel } from '../furniture.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { byLanguage } from '../language.ts';
import type { Page } from '../page.ts';
import { inspectorAddress } from './view.ts';
import type { View } from './view.ts';

const fidelityTexts = byLanguage({
  title: ['Fidelity', 'مدى المطابقة'],
  intro: [
    'How firmly each behaviour of the sandbox is known, the reading taken where the specification is silent, and the tests that pin it.',
    'مدى ثبوت كل سلوك في البيئة التجريبية، والقراءة المعتمدة حيث تسكت المواصفة، والاختبارات التي تضمن ذلك.',
  ],
  inspector: ['Inspector', 'لوحة المراقبة'],
  tiers: ['How firmly it is known', 'درجة الثبوت'],
  all: ['in all', 'الكل'],
  tierNames: {
    spec: ['stated', 'منصوص عليه'],
    contradiction: ['stated twice, differently', 'منصوص عليه بصورتين'],
    analogue: ['as sibling gateways do', 'قياسًا على بوابات مشابهة'],
    assumed: ['assumed', 'مفترض'],
  },
  readings: ['Open points and their other readings', 'النقاط المفتوحة وقراءاتها الأخرى'],
  kinds: {
    operation: ['Operations', 'العمليات'],
    error: ['Errors', 'الأخطاء'],
    transition: ['Transitions', 'الانتقالات'],
    field: ['Fields', 'الحقول'],
  },
});

const tiers = ['spec', 'contradiction', 'analogue', 'assumed'] as const;
const kinds = ['operation', 'error', 'transition', 'field'] as const;

/** The known and the assumed behaviour of the gateway, with the tests that pin each. */
export function fidelityPage(view: Omit<View, 'parts'>, wantedTier: string): Page {
  const { language, tenant } = view;
  const texts = fidelityTexts[language];
  const report = readFidelity();
  const tier = tiers.find((known) => known === wantedTier) ?? null;
  const main = html`<main class="stack wide">
    <div class="row">
      <h1>${texts.title}</h1>
      <a href="${inspectorAddress(view)}">${texts.inspector}</a>
    </div>
    <p class="soft">${texts.intro}</p>
    ${tierLinks(view, report, tier)} ${readings(view, report, tier)}
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
  return {
    language,
    title: `${texts.title} · Pay Sandbox`,
    main,
    path: '/_sandbox/fidelity',
    parameters: { tenant, ...(tier === null ? {} : { tier }) },
    isTool: true,
  };
}

/** The number of behaviours of each tier; each link shows only that tier. */
function tierLinks(
  view: Omit<View, 'parts'>,
  { behaviours }: Fidelity,
  chosen: string | null,
): Html {
  const texts = fidelityTexts[view.language];
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
  return html`<nav aria-label="${texts.tiers}">
    <ul class="tier-cards">
      ${link(null, texts.all, behaviours.length)}
      ${tiers.map((tier) => link(tier, texts.tierNames[tier], behaviours.filter((one) => one.tier === tier).length))}
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
  const texts = fidelityTexts[language];
  const list = html`<ul class="behaviours">
    ${behaviours.map((behaviour) => row(report, behaviour))}
  </ul>`;
  return panel({ id: kind, title: texts.kinds[kind], aside: `${behaviours.length}`, body: list });
}

/** The open points of the specification, and how the sandbox reads each of them otherwise. */
function readings(
  { language }: Omit<View, 'parts'>,
  { sources }: Fidelity,
  tier: string | null,
): Html {
  const shown = Object.entries(sources).filter(([, one]) => tier === null || one.tier === tier);
  if (shown.length === 0) return html``;
  const body = html`<ul class="behaviours">
    ${shown.map(([id, point]) => openPoint(id, point))}
  </ul>`;
  const title = fidelityTexts[language].readings;
  return panel({ id: 'readings', title, aside: `${shown.length}`, body });
}

function openPoint(id: string, point: OpenPoint): Html {
  const ways = [
    ...point.policies.map((name) => `policy ${name}: ${textOfPolicy(name)}`),
    ...point.profile.map((place) => `profile ${place}`),
  ];
  return html`<li id="reading.${id}">
    <details>
      <summary class="chevron">
        <bdi dir="ltr" lang="en">${point.item}</bdi>
        <bdi dir="ltr" lang="en" class="tier tier-${point.tier}">${point.tier} ${id}</bdi>
      </summary>
      <div class="stack behaviour-body" lang="en" dir="ltr">
        <p>${point.reading}</p>
        <p class="soft">It could also be: ${point.alternatives.join(' · ')}</p>
        <ul>
          ${ways.map((way) => html`<li>${way}</li>`)}
        </ul>
        ${point.whyNot !== null && html`<p>${point.whyNot}</p>`} ${testList(point.tests)}
      </div>
    </details>
  </li>`;
}

function textOfPolicy(name: string): string {
  const policy = findPolicy(name);
  return policy === undefined ? '' : policies[policy];
}

function testList(tests: readonly string[]): Html {
  return html`<ul class="soft">
    ${tests.map((test) => html`<li><code>${test}</code></li>`)}
  </ul>`;
}

/** Names, readings and tests are the contract's own words, so they stay in English. */
function row({ sources }: Fidelity, { id, name, tier, source, tests }: Behaviour): Html {
  const reading = sources[source];
  return html`<li id="${id}">
    <details>
      <summary class="chevron">
        <bdi dir="ltr" lang="en">${name}</bdi>
        <bdi dir="ltr" lang="en" class="tier tier-${tier}">${tier} ${source}</bdi>
      </summary>
      <div class="stack behaviour-body" lang="en" dir="ltr">
        ${
          reading !== undefined &&
          html`<p><b>${reading.item}.</b> ${reading.reading}</p>
            <p class="soft">It could also be: ${reading.alternatives.join(' · ')}</p>`
        }
        ${testList(tests)}
      </div>
    </details>
  </li>`;
}
