import { html } from '@lit-labs/ssr';
import { basketTotal, encodeBasket, type Line, MAX_QUANTITY } from '../basket/basket.ts';
import { findProduct } from '../catalog/catalog.ts';
import { priceTag, totals } from './amount.ts';
import { type CheckoutEntries, checkoutForm } from './checkout-form.ts';
import { nameOf } from './goods.ts';
import type { Html, Page, View } from './page.ts';

/** The basket, and under it the form that makes an order of it. */
export function basketPage(view: View, lines: readonly Line[], entries: CheckoutEntries): Page {
  const { texts } = view;
  if (lines.length === 0) return emptyBasket(view);
  return {
    title: texts.basketTitle,
    body: html`<h1>${texts.basketTitle}</h1>
      <div class="columns">
        <section aria-label=${texts.basket}>
          <ul class="lines">
            ${lines.map((line) => lineItem(view, line))}
          </ul>
          ${totals(view, basketTotal(lines))}
        </section>
        ${checkoutForm(view, encodeBasket(lines), entries)}
      </div>`,
  };
}

function emptyBasket({ texts }: View): Page {
  return {
    title: texts.basketTitle,
    body: html`<section class="message">
      <img src="/images/empty-basket.svg" alt="" width="160" height="120" />
      <h1>${texts.basketEmpty}</h1>
      <p>${texts.basketEmptyText}</p>
      <p><a class="button" href="/">${texts.keepShopping}</a></p>
    </section>`,
  };
}

function lineItem(view: View, { sku, quantity }: Line): Html {
  const { texts } = view;
  const name = nameOf(view, sku);
  const each = findProduct(sku)?.halalas ?? 0;
  return html`<li>
    <img src="/images/${sku}.svg" alt="" width="96" height="72" />
    <div class="line-name">
      <strong>${name}</strong>
      <span class="muted">${priceTag(view, each)} ${texts.each}</span>
    </div>
    <form method="post" action="/basket/set" class="line-form">
      <input type="hidden" name="sku" value=${sku} />
      <input
        type="number"
        name="quantity"
        value=${quantity}
        min="0"
        max=${MAX_QUANTITY}
        inputmode="numeric"
        required
        aria-label=${texts.quantityOf(name)}
      />
      <button class="small quiet" aria-label=${texts.updateOf(name)}>${texts.update}</button>
      <button
        class="small quiet"
        name="remove"
        value="1"
        formnovalidate
        aria-label=${texts.removeOf(name)}
      >
        ${texts.remove}
      </button>
    </form>
    <span class="line-total">${priceTag(view, each * quantity)}</span>
  </li>`;
}
