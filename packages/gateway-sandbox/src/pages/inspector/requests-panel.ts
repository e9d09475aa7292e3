import type { LoggedRequest } from '../../request-log.ts';
import { ltr, panel, table, timeOfDay } from '../furniture.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { hintOf, hintTexts } from './hints.ts';
import { inspectorTexts } from './texts.ts';
import type { View } from './view.ts';

const shownAtMost = 60;

/** The requests to the gateway, newest first, with the rule that decided and that rule's tier. */
export function requestsPanel(view: View): Html {
  const { columns, requests, shown } = inspectorTexts[view.language];
  const all = view.parts.requestLog.list(view.tenant);
  const newest = all.toReversed().slice(0, shownAtMost);
  const { time, operation, order, status, decidedBy, tier, fields } = columns;
  return panel({
    id: 'requests',
    title: requests.title,
    aside: all.length > newest.length ? shown(newest.length, all.length) : null,
    body: table({
      labelledBy: 'requests',
      head: [time, operation, order, status, decidedBy, tier, fields],
      rows: newest.map((entry) => row(view, entry)),
      empty: requests.none,
    }),
  });
}

function row({ language }: View, entry: LoggedRequest) {
  const { id, at, operation, method, path, status, merchantOrderId, decidedBy, tier } = entry;
  const hint = hintOf(entry);
  const fields = Object.entries(entry.request);
  const cells = [
    timeOfDay(at, 12),
    html`${ltr(operation ?? `${method} ${path}`)}${hint !== null && html`<span class="row-hint">${hintTexts[language][hint].title}</span>`}`,
    html`<bdi>${merchantOrderId ?? ''}</bdi>`,
    httpStatus(status, '×'),
    ltr(decidedBy),
    html`<bdi dir="ltr" class="tier tier-${tier.split(' ')[0] ?? ''}">${tier}</bdi>`,
    fields.length > 0 &&
      html`<details class="asked" id="asked-${id}">
        <summary class="chevron">
          ${inspectorTexts[language].requests.fields(fields.length)}
        </summary>
        <code dir="ltr"
          >${fields.map(([name, value]) => html`<span>${name}: ${JSON.stringify(value)}</span>`)}</code
        >
      </details>`,
  ];
  return { id, cells };
}

/** A request's HTTP status in its colour; `lost` in place of a status that was never sent. */
export function httpStatus(status: number | null, lost: string): Html {
  return html`<span class="http ${(status === null || status >= 400) && 'http-refused'}"
    >${status ?? lost}</span
  >`;
}
