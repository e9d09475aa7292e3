import { html } from '@lit-labs/ssr';
import type { OrderStanding } from '../orders/order.ts';
import { nameOf, nothingYet, priceTag } from './order-parts.ts';
import type { Html, Page, View } from './page.ts';
import { receiptScript, when } from './receipt.ts';

/** The orders that were placed in this browser, newest first. */
export function myOrdersPage(view: View, standings: readonly OrderStanding[]): Page {
  const { texts } = view;
  if (standings.length === 0) {
    const { noOrders: heading, noOrdersText: text, toShop: link } = texts;
    return nothingYet(texts.myOrders, { heading, text, link });
  }
  return {
    title: texts.myOrders,
    styles: ['payment', 'receipt'],
    scripts: receiptScript,
    body: html`<h1>${texts.myOrders}</h1>
      <p class="muted">${texts.myOrdersText}</p>
      <ul class="orders">
        ${standings.map((standing) => orderItem(view, standing))}
      </ul>`,
  };
}

function orderItem(view: View, standing: OrderStanding): Html {
  const { state } = standing;
  const { orderId, placedAt, lines, halalas } = standing.order;
  const names = lines.map(({ sku, quantity }) => `${nameOf(view, sku)}\u00a0×\u00a0${quantity}`);
  return html`<li class="panel">
    <h2>
      <a href="/orders/${orderId}">${view.texts.order(orderId)}</a>
    </h2>
    ${priceTag(view, halalas)} ${when(view, placedAt)}
    <strong class="pill" data-state=${state}>${view.texts.states[state]}</strong>
    <p class="muted">${names.join(view.language === 'ar' ? '، ' : ', ')}</p>
  </li>`;
}
