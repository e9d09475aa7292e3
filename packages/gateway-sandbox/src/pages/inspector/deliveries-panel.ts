import type { Delivery } from '../../domain/webhooks/delivery.ts';
import { newestDeliveries } from '../../domain/webhooks/outbox.ts';
import { amountText } from '../amount-text.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { deliveryLabels } from './delivery-labels.ts';
import { inspectorLabels } from './labels.ts';
import { panel, scrollingTable } from './panel.ts';
import { inspectorAddress } from './view.ts';
import type { View } from './view.ts';

const shownAtMost = 40;

/** What went, goes and is to go to the merchant's webhooks, newest first, each to be sent again. */
export function deliveriesPanel(view: View): Html {
  const { parts, tenant, language } = view;
  const labels = deliveryLabels[language];
  const { columns } = inspectorLabels[language];
  const { webhooks, outbox } = parts.machine.tenant(tenant);
  const shown = newest(view);
  const table = scrollingTable({
    labelledBy: 'deliveries',
    head: [
      columns.time,
      columns.event,
      columns.order,
      labels.to,
      columns.state,
      labels.attempts,
      labels.actions,
    ],
    rows: shown.map((delivery) => row(view, delivery)),
  });
  const empty = webhooks.length === 0 ? labels.noWebhooks : labels.none;
  const hold = outbox.holds ? 'release' : 'hold';
  return panel({
    id: 'deliveries',
    title: labels.title,
    aside: html`<form method="post" action="${inspectorAddress(view, '/deliveries')}">
      <button class="tool" name="action" value="${hold}" data-test="${hold}-deliveries">
        ${labels[hold]}
      </button>
    </form>`,
    body: shown.length === 0 ? html`<p class="empty">${empty}</p>` : table,
  });
}

function newest({ parts, tenant }: View): Delivery[] {
  const few: Delivery[] = [];
  for (const delivery of newestDeliveries(parts.machine.tenant(tenant))) {
    if (few.push(delivery) === shownAtMost) break;
  }
  return few;
}

function row(view: View, { id, webhookId, event, state, dueAt, attempts }: Delivery): Html {
  const { parts, tenant, language } = view;
  const labels = deliveryLabels[language];
  const { webhooks } = parts.machine.tenant(tenant);
  const url = attempts.at(-1)?.url ?? webhooks.find((one) => one.id === webhookId)?.url ?? '';
  const due = new Date(dueAt).toISOString();
  const button = (action: 'replay' | 'release-one', text: string) =>
    html`<button class="tool" name="action" value="${action}" data-test="${action}">
      ${text}<span class="visually-hidden"> ${event.merchantOrderId}</span>
    </button>`;
  return html`<tr>
    <td><time datetime="${due}" dir="ltr">${due.slice(11, 19)}</time></td>
    <td>
      <bdi dir="ltr">${event.type} ${event.status}</bdi>
      <bdi class="soft">${amountText(event.amountMinor, event.currency, language)}</bdi>
    </td>
    <td><bdi>${event.merchantOrderId}</bdi></td>
    <td>
      <bdi dir="ltr" class="delivery-url" title="${url}">${url.replace(/^https?:\/\//, '')}</bdi>
    </td>
    <td><span class="badge badge-${state}">${labels.states[state]}</span></td>
    <td>
      <bdi dir="ltr"
        >${attempts.map(({ status, outcome }) => html`<span class="try try-${outcome}">${status ?? '×'}</span> `)}</bdi
      >
    </td>
    <td>
      <form method="post" action="${inspectorAddress(view, '/deliveries')}" class="tool-row">
        <input type="hidden" name="id" value="${id}" />
        ${state === 'held' && button('release-one', labels.releaseOne)}
        ${state !== 'sending' && button('replay', labels.replay)}
      </form>
    </td>
  </tr>`;
}
