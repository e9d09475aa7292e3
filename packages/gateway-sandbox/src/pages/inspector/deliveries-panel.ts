import type { Delivery } from '../../domain/events.ts';
import { newestDeliveries } from '../../domain/tenant.ts';
import { badge, ltr, panel, table, timeOfDay } from '../furniture.ts';
import { amountTag } from '../money.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { inspectorTexts } from './texts.ts';
import { firstOf, inspectorAddress } from './view.ts';
import type { View } from './view.ts';

const shownAtMost = 40;

/** The deliveries to the merchant's webhooks, newest first, each with a button to send it again. */
export function deliveriesPanel(view: View): Html {
  const { columns, deliveries } = inspectorTexts[view.language];
  const tenant = view.parts.machine.tenant(view.tenant);
  const hold = tenant.outbox.holds ? 'release' : 'hold';
  const { time, event, order, to, state, attempts, actions } = columns;
  return panel({
    id: 'deliveries',
    title: deliveries.title,
    aside: html`<form method="post" action="${inspectorAddress(view, '/deliveries')}">
      <button class="button" name="action" value="${hold}" data-test="${hold}-deliveries">
        ${deliveries[hold]}
      </button>
    </form>`,
    body: table({
      labelledBy: 'deliveries',
      head: [time, event, order, to, state, attempts, actions],
      rows: firstOf(newestDeliveries(tenant), shownAtMost).map((delivery) => row(view, delivery)),
      empty: tenant.webhooks.length === 0 ? deliveries.noWebhooks : deliveries.none,
    }),
  });
}

function row(view: View, { id, webhookId, event, state, dueAt, attempts }: Delivery) {
  const { parts, tenant, language } = view;
  const { deliveries, deliveryStates } = inspectorTexts[language];
  const { webhooks } = parts.machine.tenant(tenant);
  const url = attempts.at(-1)?.url ?? webhooks.find((one) => one.id === webhookId)?.url ?? '';
  const button = (action: 'replay' | 'release-one', text: string) =>
    html`<button class="button button-small" name="action" value="${action}" data-test="${action}">
      ${text}<span class="visually-hidden"> ${event.merchantOrderId}</span>
    </button>`;
  const answers = attempts.map(
    ({ status, outcome }) => html`<span class="try try-${outcome}">${status ?? '×'}</span> `,
  );
  const cells = [
    timeOfDay(dueAt),
    html`${ltr(`${event.type} ${event.status}`)}
      <span class="soft">${amountTag(event.amountMinor, event.currency, language)}</span>`,
    html`<bdi>${event.merchantOrderId}</bdi>`,
    html`<bdi dir="ltr" class="delivery-url" title="${url}"
      >${url.replace(/^https?:\/\//, '')}</bdi
    >`,
    badge(state, deliveryStates[state]),
    html`<bdi dir="ltr">${answers}</bdi>`,
    html`<form method="post" action="${inspectorAddress(view, '/deliveries')}" class="row">
      <input type="hidden" name="id" value="${id}" />
      ${state === 'held' && button('release-one', deliveries.releaseOne)}
      ${state !== 'sending' && button('replay', deliveries.replay)}
    </form>`,
  ];
  return { cells };
}
