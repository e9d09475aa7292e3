import { html } from '@lit-labs/ssr';
import type { PaymentState, ReviewEntry } from '@pay-button/server-helper';
import { paymentStates } from '../admin/admin-orders.ts';
import { halalasOf } from '../catalog/halalas.ts';
import type { OrderStanding } from '../orders/order.ts';
import { priceTag } from '../pages/order-parts.ts';
import type { Html, Page, View } from '../pages/page.ts';
import { price } from '../texts/language.ts';
import { adminPage, instant, statePill, type Feedback } from './admin-frame.ts';
import { confirmChart, figures, stateChart } from './charts.ts';
import { reviewList } from './reviews.ts';

/** What the first page of the admin shows. */
interface Overview {
  readonly standings: readonly OrderStanding[];
  /** The state that the list is narrowed to. */
  readonly state: PaymentState | undefined;
  readonly reviews: readonly ReviewEntry[];
  /** How long confirmations took, in seconds. */
  readonly seconds: readonly number[];
}

/** Rows on one page; a longer list is narrowed by state. */
const SHOWN = 50;

/** The review list, the charts and the newest orders. */
export function ordersPage(view: View, feedback: Feedback, overview: Overview): Page {
  const { admin } = view.texts;
  const { standings, state, reviews, seconds } = overview;
  const listed = standings.filter((one) => state === undefined || one.state === state);
  return adminPage(
    view,
    admin.orders,
    feedback,
    html`<h1>${admin.orders}</h1>
      ${figures(view, standings)} ${reviewList(view, reviews)}
      <div class="charts">${stateChart(view, standings)} ${confirmChart(view, seconds)}</div>
      <section aria-labelledby="newest">
        <h2 id="newest">${admin.newest(Math.min(SHOWN, listed.length))}</h2>
        ${filters(view, standings, state)}
        ${listed.length === 0 ? html`<p class="muted">${admin.noOrders}</p>` : table(view, listed.slice(0, SHOWN))}
      </section>`,
  );
}

function filters(
  { texts }: View,
  standings: readonly OrderStanding[],
  state: PaymentState | undefined,
): Html {
  const there = paymentStates.filter((one) => standings.some((standing) => standing.state === one));
  return html`<nav class="filters" aria-label=${texts.admin.columns.state}>
    <a href="/admin" aria-current=${state === undefined ? 'true' : 'false'}>${texts.admin.all}</a>
    ${there.map(
      (one) =>
        html`<a href="/admin?state=${one}" aria-current=${one === state ? 'true' : 'false'}
          >${texts.states[one]}</a
        >`,
    )}
  </nav>`;
}

/** With its roles by name, because on a phone the style makes a card of each row. */
function table(view: View, standings: readonly OrderStanding[]): Html {
  const { columns } = view.texts.admin;
  return html`<div
    class="scroller"
    tabindex="0"
    role="region"
    aria-label=${view.texts.admin.orders}
  >
    <table class="orders" role="table" data-test="admin-orders">
      <thead role="rowgroup">
        <tr role="row">
          ${Object.values(columns).map((column) => html`<th scope="col" role="columnheader">${column}</th>`)}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${standings.map((standing) => row(view, standing))}
      </tbody>
    </table>
  </div>`;
}

function row(view: View, { order, state, refunded }: OrderStanding): Html {
  const { orderId, placedAt, customer, halalas } = order;
  const note =
    refunded === '0.00'
      ? ''
      : view.texts.admin.refundedOf(price(halalasOf(refunded), view.language));
  return html`<tr role="row">
    <th scope="row" role="rowheader">
      <a href="/admin/orders/${orderId}" dir="ltr">${orderId}</a>
    </th>
    <td role="cell">${instant(placedAt)}</td>
    <td role="cell" class="name"><bdi>${customer.name}</bdi></td>
    <td role="cell">
      ${priceTag(view, halalas)}
      ${note === '' ? '' : html`<br /><span class="muted">${note}</span>`}
    </td>
    <td role="cell">${statePill(view, state)}</td>
  </tr>`;
}
