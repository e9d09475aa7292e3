import type { LoggedRequest } from '../../request-log.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { hintLabels } from './hint-labels.ts';
import { hintOf } from './hints.ts';
import { inspectorLabels } from './labels.ts';
import { panel, scrollingTable } from './panel.ts';
import type { View } from './view.ts';

const shownAtMost = 60;

/** What arrived at the gateway, newest first: the rule that decided, and how sure that rule is. */
export function requestsPanel(view: View): Html {
  const { parts, tenant, language } = view;
  const labels = inspectorLabels[language];
  const all = parts.requestLog.list(tenant);
  const shown = all.toReversed().slice(0, shownAtMost);
  const { columns } = labels;
  const table = scrollingTable({
    labelledBy: 'requests',
    head: [
      columns.time,
      columns.operation,
      columns.order,
      columns.status,
      columns.decidedBy,
      columns.tier,
      columns.asked,
    ],
    rows: shown.map((entry) => row(view, entry)),
  });
  return panel({
    id: 'requests',
    title: labels.requests,
    aside: all.length > shown.length ? labels.shown(shown.length, all.length) : null,
    body: shown.length === 0 ? html`<p class="empty">${labels.noRequests}</p>` : table,
  });
}

function row({ language }: View, entry: LoggedRequest): Html {
  const { id, at, operation, method, path, status, merchantOrderId, decidedBy, tier } = entry;
  const hint = hintOf(entry);
  const asked = Object.entries(entry.request);
  return html`<tr id="${id}">
    <td><time datetime="${at}" dir="ltr">${at.slice(11, 23)}</time></td>
    <td>
      <bdi dir="ltr">${operation ?? `${method} ${path}`}</bdi
      >${hint !== null && html`<span class="row-hint">${hintLabels[language][hint].title}</span>`}
    </td>
    <td><bdi>${merchantOrderId ?? ''}</bdi></td>
    <td><span class="http http-${String(status ?? 0).slice(0, 1)}">${status ?? '×'}</span></td>
    <td><bdi dir="ltr">${decidedBy}</bdi></td>
    <td><bdi dir="ltr" class="tier tier-${tier.split(' ')[0] ?? ''}">${tier}</bdi></td>
    <td>
      ${
        asked.length > 0 &&
        html`<details class="asked" id="asked-${id}">
          <summary>${inspectorLabels[language].fields(asked.length)}</summary>
          <code dir="ltr"
            >${asked.map(([name, value]) => html`<span>${name}: ${JSON.stringify(value)}</span>`)}</code
          >
        </details>`
      }
    </td>
  </tr>`;
}
