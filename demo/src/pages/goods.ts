import { html } from '@lit-labs/ssr';
import type { Line } from '../basket/basket.ts';
import { findProduct } from '../catalog/catalog.ts';
import type { Html, View } from './page.ts';

/** The name of what a line holds; its article number when the shop no longer sells it. */
export function nameOf(view: View, sku: string): string {
  return findProduct(sku)?.name[view.language] ?? sku;
}

/** The goods of an order, to look at only. Amounts are in the totals: prices may have changed since. */
export function goods(view: View, lines: readonly Line[]): Html {
  return html`<ul class="goods">
    ${lines.map(
      ({ sku, quantity }) =>
        html`<li>
          ${findProduct(sku) === undefined ? '' : html`<img src="/images/${sku}.svg" alt="" width="64" height="48" />`}
          <span class="goods-name">${nameOf(view, sku)}</span>
          <span class="goods-count" dir="ltr">× ${quantity}</span>
        </li>`,
    )}
  </ul>`;
}
