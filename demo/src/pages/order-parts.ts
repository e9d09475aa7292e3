import { html } from '@lit-labs/ssr';
import { formatAmount, type PaymentState } from '@pay-button/server-helper';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { CURRENCY, decimal, findProduct, includedVat } from '../shop/catalog.ts';
import type { OrderLine } from '../shop/database.ts';
import type { OrderStanding } from '../shop/orders.ts';
import { moment } from '../texts/language.ts';
import type { Html, View } from './page.ts';

/** A price on one line, with the drawn sign of the riyal. */
export function priceTag({ language }: View, halalas: number): Html {
  const { html: markup } = formatAmount(decimal(halalas), CURRENCY, language);
  return html`<span class="price">${unsafeHTML(markup)}</span>`;
}

/** The rows under a list of goods: delivery, total, the tax inside, and what was refunded. */
export function totals(view: View, halalas: number, refunded = 0): Html {
  const { texts } = view;
  return html`<dl class="totals">
    <div>
      <dt>${texts.delivery}</dt>
      <dd>${texts.deliveryFree}</dd>
    </div>
    <div class="total">
      <dt>${texts.total}</dt>
      <dd data-test="order-amount">${priceTag(view, halalas)}</dd>
    </div>
    <div class="vat">
      <dt>${texts.ofWhichVat}</dt>
      <dd data-test="order-vat">${priceTag(view, includedVat(halalas))}</dd>
    </div>
    ${
      refunded === 0
        ? ''
        : html`<div>
            <dt>${texts.refunded}</dt>
            <dd data-test="order-refunded">${priceTag(view, refunded)}</dd>
          </div>`
    }
  </dl>`;
}

/** The name of a product; its article number when the shop no longer sells it. */
export function nameOf(view: View, sku: string): string {
  return findProduct(sku)?.name[view.language] ?? sku;
}

/** The goods of an order, at the prices of that day. */
export function goods(view: View, lines: readonly OrderLine[]): Html {
  return html`<ul class="goods">
    ${lines.map(
      ({ sku, quantity, halalas }) =>
        html`<li>
          ${findProduct(sku) === undefined ? html`<span></span>` : html`<img src="/images/${sku}.svg" alt="" width="64" height="48" />`}
          <div>
            <span class="goods-name">${nameOf(view, sku)}</span>
            <span class="muted" data-test="unit-price"
              >${quantity} × ${priceTag(view, halalas)}</span
            >
          </div>
          ${priceTag(view, halalas * quantity)}
        </li>`,
    )}
  </ul>`;
}

/** A moment, in Riyadh's time until the script writes it in the reader's own. */
export function when({ language, texts }: View, iso: string): Html {
  return html`<span class="when"
    ><time datetime=${iso}>${moment(iso, language)}</time>
    <span class="muted">${texts.riyadhTime}</span></span
  >`;
}

/** The payment's state, for eyes, screen readers and tests alike. */
export function stateLine(view: View, standing: OrderStanding): Html {
  return html`${stateBadge(view, standing)} ${stateNote(view, standing)}`;
}

/** What the state means for the shopper, where its name does not say it. */
export function stateNote({ texts }: View, standing: OrderStanding): Html | '' {
  const shown = shownState(standing);
  const note = Object.entries<string>(texts.stateNotes).find(([name]) => name === shown)?.[1];
  return note === undefined ? '' : html`<p class="state-note">${note}</p>`;
}

/** The state alone, without its explanation; `name` is what the page calls it. */
export function stateBadge(view: View, standing: OrderStanding, name?: string): Html {
  return html`<p class="state" data-test="order-state" data-state=${standing.state}>
    <span class="muted">${view.texts.state}</span> ${pill(view, shownState(standing), name)}
  </p>`;
}

const looks: Partial<Readonly<Record<PaymentState, string>>> = {
  paid: 'good',
  captured: 'good',
  refunded: 'good',
  partially_refunded: 'good',
  failed: 'bad',
  expired: 'bad',
  review: 'bad',
  paid_late: 'bad',
};

/** The name of a state, in a colour that says whether all is well. */
export function pill({ texts }: View, state: PaymentState, name?: string): Html {
  return html`<strong class="pill ${looks[state] ?? ''}">${name ?? texts.states[state]}</strong>`;
}

/** A decline that is being checked again is not shown yet. */
function shownState({ state, isChecking }: OrderStanding): PaymentState {
  return isChecking && state === 'failed' ? 'pending' : state;
}

/** The goods, the customer and the price of an order. */
export function orderSummary(view: View, { order }: OrderStanding, facts: Html | '' = ''): Html {
  const { texts } = view;
  return html`<section class="panel" aria-labelledby="summary">
    <h2 id="summary">${texts.summary}</h2>
    ${facts} ${goods(view, order.lines)} ${totals(view, order.halalas)}
    <p class="muted">${texts.deliverTo} <bdi>${order.customer.name}</bdi></p>
  </section>`;
}
