import { readFidelity } from '../../package-files.ts';
import type { Fidelity } from '../../package-files.ts';
import { findPolicy, policies } from '../../readings/readings.ts';
import { panel, pills, tierMark } from '../furniture.ts';
import { byLanguage, html } from '../html.ts';
import type { Html } from '../html.ts';
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
  readonly body: Html;
  readonly tests: readonly string[];
}

/** The known and the assumed behaviour of the gateway, with the tests that pin each. */
export function fidelityPage(view: Omit<View, 'parts'>, wantedTier: string): Page {
  const { language, tenant } = view;
  const texts = fidelityTexts[language];
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
    const parts = { id: group, title: texts.groups[group], aside: `${entries.length}`, body };
    return entries.length === 0 ? html`` : panel(parts);
  };
  const main = html`<main class="stack wide">
    <div class="row">
      <h1>${texts.title}</h1>
      <a href="${inspectorAddress(view)}">${texts.inspector}</a>
    </div>
    <p class="soft">${texts.intro}</p>
    ${tierLinks(view, report, tier)} ${groups.map(list)}
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
  { behaviours: all }: Fidelity,
  chosen: string | null,
): Html {
  const texts = fidelityTexts[view.language];
  const address = inspectorAddress(view, '/fidelity');
  const link = (tier: (typeof tiers)[number]) => ({
    href: `${address}&tier=${tier}`,
    text: html`<b>${all.filter((one) => one.tier === tier).length}</b> ${texts.tierNames[tier]}`,
    isCurrent: tier === chosen,
  });
  const every = html`<b>${all.length}</b> ${texts.all}`;
  return pills(texts.tiers, [
    { href: address, text: every, isCurrent: chosen === null },
    ...tiers.map(link),
  ]);
}

/** The open points of the specification, and how the sandbox reads each of them otherwise. */
function openPoints({ sources }: Fidelity): Entry[] {
  return Object.entries(sources).map(([source, point]) => {
    const { item, tier, reading, alternatives, policies: names, profile, whyNot, tests } = point;
    const ways = [
      ...names.map((name) => `policy ${name}: ${textOfPolicy(name)}`),
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

function textOfPolicy(name: string): string {
  const policy = findPolicy(name);
  return policy === undefined ? '' : policies[policy];
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

function otherReadings(alternatives: readonly string[]): Html {
  return html`<p class="soft">It could also be: ${alternatives.join(' · ')}</p>`;
}

/** Names, readings and tests are the contract's own words, so they stay in English. */
function row({ id, name, tier, source, body, tests }: Entry): Html {
  return html`<li id="${id}">
    <details>
      <summary class="chevron">
        <bdi dir="ltr" lang="en">${name}</bdi>
        ${tierMark(`${tier} ${source}`)}
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
