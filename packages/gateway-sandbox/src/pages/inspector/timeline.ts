import { isHappening } from '../../domain/events.ts';
import type { Happening } from '../../domain/events.ts';
import type { LoggedRequest, Visit } from '../../request-log.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import { code, ltr, panel, timeOfDay } from '../furniture.ts';
import { directionOf, html } from '../html.ts';
import type { Html, Language } from '../html.ts';
import { httpStatus } from './lists.ts';
import { inspectorTexts } from './view.ts';
import type { View } from './view.ts';

/** The actors: the columns of the timeline, in the order of a payment. */
const lanes = ['browser', 'merchant', 'gateway', 'webhook', 'clock'] as const;
type Lane = (typeof lanes)[number];

interface Entry {
  readonly at: number;
  readonly lane: Lane;
  readonly towards: Lane | null;
  /** The place among entries of one instant: a browser's step, its effects, its call, the redirect. */
  readonly order: 0 | 1 | 2 | 3;
  readonly text: (language: Language) => Html;
}

const shownAtMost = 80;
const rail = { step: 20, height: 22 } as const;
const railWidth = rail.step * lanes.length;

/** The timeline: a rail for each actor with that actor's entries, newest first. */
export function timelinePanel({ parts, tenant, language }: View): Html {
  const { timeline, lanes: names } = inspectorTexts[language];
  const entries = timelineOf(parts, tenant);
  const legend = lanes.map(
    (lane) =>
      html`<li class="lane-${lane}"><i class="dot" aria-hidden="true"></i>${names[lane]}</li>`,
  );
  const list =
    entries.length === 0
      ? html`<p class="empty">${timeline.none}</p>`
      : html`<ol class="moments" tabindex="0" aria-labelledby="timeline">
          ${entries.map((entry) => row(entry, language))}
        </ol>`;
  const body = html`<ul class="row soft">
      ${legend}
    </ul>
    ${list}`;
  return panel({ id: 'timeline', title: timeline.title, body });
}

function row(entry: Entry, language: Language): Html {
  const { lane, at } = entry;
  const actor = inspectorTexts[language].lanes[lane];
  return html`<li class="moment lane-${lane}">
    ${railOf(entry, language)}${timeOfDay(at)}<span class="moment-text"
      ><span class="visually-hidden">${actor}: </span>${entry.text(language)}</span
    >
  </li>`;
}

function eventText(kind: Visit['kind'] | Happening['kind'], id: string): Entry['text'] {
  return (language) =>
    html`<b>${inspectorTexts[language].events[kind]}</b> ${code(id.slice(0, 8))}`;
}

function requestText(request: LoggedRequest): Entry['text'] {
  const { id, operation, method, path, status, merchantOrderId } = request;
  const name = operation ?? `${method} ${path.replace(/^\/\w+\/v1(?=\/)/, '')}`;
  return (language) => {
    const { noAnswer } = inspectorTexts[language].timeline;
    return html`<b><a href="#${id}">${ltr(name)}</a></b> ${httpStatus(status, noAnswer)}
      ${merchantOrderId !== null && html`<bdi class="order">${merchantOrderId}</bdi>`}`;
  };
}

/** The rails of one entry: a dot in the actor's lane, and an arrow to the lane that it addresses. */
function railOf({ lane, towards }: Entry, language: Language): Html {
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
    ${towards !== null && html`<path class="hop" d="M${from} ${y}H${tip - direction * 4}" /><path d="M${tip} ${y}l${-direction * 6}-3.5v7z" />`}
    <circle cx="${from}" cy="${y}" r="4.5" />
  </svg>`;
}

/** All entries, newest first; entries of one instant keep their causal order. */
function timelineOf({ machine, requestLog, visits }: SandboxParts, tenant: string): Entry[] {
  const steps = visits.list(tenant).map(({ at, kind, id }): Entry => {
    const text = eventText(kind, id);
    return kind === 'sent-to-shop'
      ? { at, lane: 'gateway', towards: 'browser', order: 3, text }
      : { at, lane: 'browser', towards: 'gateway', order: 0, text };
  });
  const calls = requestLog.list(tenant).map((request): Entry => ({
    at: Date.parse(request.at),
    lane: request.decidedBy === 'browser-call' ? 'browser' : 'merchant',
    towards: 'gateway',
    order: 2,
    text: requestText(request),
  }));
  const effects = machine
    .effects(tenant)
    .filter(isHappening)
    .toReversed()
    .map(({ at, kind, id }): Entry => {
      const isSent = kind === 'webhook-delivered' || kind === 'webhook-failed';
      const towards = isSent ? 'merchant' : null;
      return { at, lane: laneOf(kind), towards, order: 1, text: eventText(kind, id) };
    });
  return [...steps, ...calls, ...effects]
    .toSorted((a, b) => a.at - b.at || a.order - b.order)
    .toReversed()
    .slice(0, shownAtMost);
}

/** Events that the clock causes have their own lane. */
function laneOf(kind: Happening['kind']): Lane {
  if (kind === 'clock-changed' || kind.endsWith('-expired') || kind.endsWith('-timed-out')) {
    return 'clock';
  }
  return /^(webhook|delivery)/.test(kind) ? 'webhook' : 'gateway';
}
