import { html } from '@lit-labs/ssr';
import { halalasOf } from '../shop/catalog.ts';
import type { Receipt } from '../shop/database.ts';
import type { OrderStanding } from '../shop/orders.ts';
import {
  goods,
  nameOf,
  pill,
  priceTag,
  stateBadge,
  stateNote,
  totals,
  when,
} from './order-parts.ts';
import { type Html, messagePage, type Page, type View } from './page.ts';

/** The script that writes times in the shopper's own zone and offers to print. */
export const receiptScript = html`<script type="module" src="/receipt.js"></script>`;

/** The receipt of a paid order, ready for the printer. */
export function receipt(view: View, standing: OrderStanding, paid: Receipt | null): Html {
  const { texts } = view;
  const { order } = standing;
  return html`<section class="panel receipt" aria-labelledby="receipt" data-test="receipt">
    <div class="receipt-head">
      <h2 id="receipt">${texts.receipt}</h2>
      <p class="receipt-shop">${texts.shopName}</p>
      ${stateBadge(view, standing)}
    </div>
    <dl class="facts">
      ${fact(texts.orderNumber, html`<bdi dir="ltr" data-test="order-number">${order.orderId}</bdi>`)}
      ${fact(texts.date, when(view, paid?.paidAt ?? order.placedAt))}
      ${paid?.card ? fact(texts.paidWith, paidWith(view, paid.card)) : ''}
      ${fact(texts.deliverTo, html`<bdi>${order.customer.name}</bdi>`)}
    </dl>
    ${stateNote(view, standing)} ${goods(view, order.lines)}
    ${totals(view, order.halalas, halalasOf(standing.refunded))}
  </section>`;
}

function fact(name: string, value: Html): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}

function paidWith({ texts }: View, { scheme, lastFour }: NonNullable<Receipt['card']>): Html {
  const names: Readonly<Record<string, string>> = texts.schemes;
  const card = texts.cardEnding(names[scheme.toUpperCase()] ?? scheme, lastFour);
  return html`<span data-test="paid-with">${card}</span>`;
}

/** How far an order has come, from the shop to the shopper. */
export function tracking(view: View, standing: OrderStanding, paid: Receipt | null): Html {
  const { texts } = view;
  const { placedAt } = standing.order;
  const isRefunded = standing.state === 'refunded';
  return html`<section class="panel" aria-labelledby="tracking" data-test="tracking">
    <h2 id="tracking">${texts.tracking}</h2>
    <ol class="steps">
      ${step('done', texts.steps.placed, when(view, placedAt))}
      ${step('done', texts.steps.paid, paid === null ? '' : when(view, paid.paidAt))}
      ${
        isRefunded
          ? step('current', texts.steps.refunded)
          : html`${step('current', texts.steps.packing)} ${step('next', texts.steps.delivered)}`
      }
    </ol>
  </section>`;
}

function step(state: 'done' | 'current' | 'next', name: string, time: Html | '' = ''): Html {
  return html`<li class=${state} aria-current=${state === 'current' ? 'step' : 'false'}>
    <span>${name}</span> ${time}
  </li>`;
}

/** What a shopper may do with a receipt. */
export function receiptActions({ texts }: View, way: Html): Html {
  return html`<p class="actions">
    ${way}
    <button type="button" class="quiet" data-print hidden>${texts.print}</button>
  </p>`;
}

/** The orders that were placed in this browser, newest first. */
export function myOrdersPage(view: View, standings: readonly OrderStanding[]): Page {
  const { texts } = view;
  if (standings.length === 0) {
    const { myOrders: title, noOrders: heading, noOrdersText: text, toShop: link } = texts;
    return messagePage({ title, heading, text, link });
  }
  return {
    title: texts.myOrders,
    scripts: receiptScript,
    body: html`<h1>${texts.myOrders}</h1>
      <p class="muted">${texts.myOrdersText}</p>
      <ul class="orders">
        ${standings.map((standing) => orderItem(view, standing))}
      </ul>`,
  };
}

function orderItem(view: View, { order, state }: OrderStanding): Html {
  const { orderId, placedAt, lines, halalas } = order;
  const names = lines.map(({ sku, quantity }) => `${nameOf(view, sku)}\u00a0×\u00a0${quantity}`);
  return html`<li class="panel">
    <h2>
      <a href="/orders/${orderId}">${view.texts.order(orderId)}</a>
    </h2>
    ${priceTag(view, halalas)} ${when(view, placedAt)} ${pill(view, state)}
    <p class="muted">${names.join(view.language === 'ar' ? '، ' : ', ')}</p>
  </li>`;
}
