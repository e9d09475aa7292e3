import { html } from '@lit-labs/ssr';
import { includedVat } from '../catalog/halalas.ts';
import { price } from '../texts/language.ts';
import type { Html, View } from './page.ts';

/** A price, kept together and apart from the direction of the text around it. */
export function priceTag(view: View, halalas: number): Html {
  return html`<bdi class="price">${price(halalas, view.language)}</bdi>`;
}

/** The rows under a list of goods: delivery, total, and the tax inside. */
export function totals(view: View, halalas: number): Html {
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
      <dd>${priceTag(view, includedVat(halalas))}</dd>
    </div>
  </dl>`;
}
