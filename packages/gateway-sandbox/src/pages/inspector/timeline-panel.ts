import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { directionOf } from '../language.ts';
import type { Language } from '../language.ts';
import { inspectorLabels } from './labels.ts';
import { panel } from './panel.ts';
import { lanes, timelineOf } from './timeline.ts';
import type { Lane, Moment } from './timeline.ts';
import { timelineLabels } from './timeline-labels.ts';
import type { View } from './view.ts';

const shownAtMost = 80;
const rail = { step: 20, height: 22 } as const;
const railWidth = rail.step * lanes.length;

/** The timeline: a rail for each lane, and on it who did what, newest first. */
export function timelinePanel({ parts, tenant, language }: View): Html {
  const labels = inspectorLabels[language];
  const names = timelineLabels[language].lanes;
  const moments = timelineOf(parts, tenant, shownAtMost);
  const legend = lanes.map(
    (lane) => html`<li class="lane lane-${lane}"><i aria-hidden="true"></i>${names[lane]}</li>`,
  );
  const body = html`<ul class="lanes">
      ${legend}
    </ul>
    ${
      moments.length === 0
        ? html`<p class="empty">${labels.noTimeline}</p>`
        : html`<ol class="moments" tabindex="0" aria-labelledby="timeline">
            ${moments.map((moment) => row(moment, language))}
          </ol>`
    }`;
  return panel({ id: 'timeline', title: labels.timeline, body });
}

function row(moment: Moment, language: Language): Html {
  const { lane, at } = moment;
  const names = timelineLabels[language].lanes;
  const iso = new Date(at).toISOString();
  return html`<li class="moment lane-${lane}">
    ${railOf(moment, language)}<time datetime="${iso}" dir="ltr" title="${iso}"
      >${iso.slice(11, 19)}</time
    ><span class="moment-text"
      ><span class="visually-hidden">${names[lane]}: </span>${textOf(moment, language)}</span
    >
  </li>`;
}

function textOf(moment: Moment, language: Language): Html {
  const labels = timelineLabels[language];
  switch (moment.kind) {
    case 'visit':
      return html`<b>${labels.visits[moment.visit.kind]}</b>
        <code dir="ltr">${moment.visit.id.slice(0, 8)}</code>`;
    case 'effect':
      return html`<b>${inspectorLabels[language].effects[moment.effect.kind]}</b>
        <code dir="ltr">${moment.effect.id.slice(0, 8)}</code>`;
    case 'request': {
      const { id, operation, method, path, status, merchantOrderId } = moment.request;
      return html`<b
          ><a href="#${id}"
            ><bdi dir="ltr"
              >${operation ?? `${method} ${path.replace(/^\/\w+\/v1(?=\/)/, '')}`}</bdi
            ></a
          ></b
        >
        <span class="http http-${String(status ?? 0).slice(0, 1)}">${status ?? labels.lost}</span>
        ${merchantOrderId !== null && html`<bdi class="order">${merchantOrderId}</bdi>`}`;
    }
  }
}

/** The five rails as lines, a dot in the lane that acts, and an arrow to the one it turns to. */
function railOf({ lane, towards }: Moment, language: Language): Html {
  const mirrored = directionOf(language) === 'rtl';
  const x = (which: Lane) => {
    const plain = rail.step * (lanes.indexOf(which) + 0.5);
    return mirrored ? railWidth - plain : plain;
  };
  const y = rail.height / 2;
  const from = x(lane);
  const to = towards === null ? from : x(towards);
  const direction = Math.sign(to - from);
  const tip = to - direction * 2;
  return html`<svg
    class="rail"
    viewBox="0 0 ${railWidth} ${rail.height}"
    width="${railWidth}"
    height="${rail.height}"
    preserveAspectRatio="xMidYMin"
    aria-hidden="true"
  >
    ${towards !== null && html`<path class="hop" d="M${from} ${y}H${tip - direction * 4}" /><path class="hop-head" d="M${tip} ${y}l${-direction * 6}-3.5v7z" />`}
    <circle class="dot" cx="${from}" cy="${y}" r="4.5" />
  </svg>`;
}
