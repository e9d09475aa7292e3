import { html } from '@lit-labs/ssr';
import { basketTotal, encodeBasket, type Line, MAX_QUANTITY } from '../basket/basket.ts';
import { findProduct } from '../catalog/catalog.ts';
import type { OrderField } from '../orders/order-input.ts';
import { nameOf, nothingYet, priceTag, totals } from './order-parts.ts';
import type { Html, Page, View } from './page.ts';

/** The basket, and under it the form that makes an order of it. */
export function basketPage(view: View, lines: readonly Line[], entries: CheckoutEntries): Page {
  const { texts } = view;
  if (lines.length === 0) {
    const { basketEmpty: heading, basketEmptyText: text, keepShopping: link } = texts;
    return nothingYet(texts.basketTitle, { heading, text, link });
  }
  const isWrong = entries.wrong.length > 0;
  return {
    title: isWrong ? texts.errorTitle(texts.basketTitle) : texts.basketTitle,
    styles: ['order', 'basket'],
    scripts: html`<script type="module" src="/basket.js"></script>`,
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
    <span class="line-total">${priceTag(view, each * quantity)}</span>
    <form method="post" action="/basket/set" class="line-form">
      <input type="hidden" name="sku" value=${sku} />
      ${stepper(view, name, quantity)}
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
  </li>`;
}

/**
 * One fewer, the number, one more. The first button is the one that Enter in the number presses; with
 * scripts a changed number is sent at once, so only browsers without them see it.
 */
function stepper({ texts }: View, name: string, quantity: number): Html {
  return html`<button class="small quiet no-script" aria-label=${texts.updateOf(name)}>
      ${texts.update}
    </button>
    <div class="stepper">
      <button class="quiet" name="step" value="-1" aria-label=${texts.oneFewer(name)}>
        <span aria-hidden="true">−</span>
      </button>
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
      <button class="quiet" name="step" value="1" aria-label=${texts.oneMore(name)}>
        <span aria-hidden="true">+</span>
      </button>
    </div>`;
}

/** The entries of the form, and the wrong ones among them. */
export interface CheckoutEntries {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly wrong: readonly OrderField[];
  /** The same in every sending of one form, so that a double click makes one order. */
  readonly requestId: string;
}

/** The form that places the order. It carries the lines that the shopper saw: nothing else is sold. */
function checkoutForm(view: View, lines: string, entries: CheckoutEntries): Html {
  const { texts } = view;
  return html`<section aria-labelledby="details">
    <form method="post" action="/orders" class="panel checkout" novalidate>
      <h2 id="details">${texts.yourDetails}</h2>
      ${complaints(view, entries.wrong)}
      <input type="hidden" name="lines" value=${lines} />
      <input type="hidden" name="requestId" value=${entries.requestId} />
      ${field(view, entries, { name: 'name', type: 'text', autocomplete: 'name', required: true })}
      ${field(view, entries, { name: 'phone', type: 'tel', autocomplete: 'tel', required: true })}
      ${field(view, entries, { name: 'email', type: 'email', autocomplete: 'email', required: false })}
      <button data-test="place-order">${texts.placeOrder}</button>
      <p class="muted">${texts.placeOrderNote}</p>
    </form>
  </section>`;
}

/** The fields as they stand on the page, from top to bottom. */
const fieldOrder: readonly OrderField[] = ['lines', 'name', 'phone', 'email'];

/** What is wrong, as the page's first word: a screen reader begins here. */
function complaints({ texts }: View, wrong: readonly OrderField[]): Html | string {
  if (wrong.length === 0) return '';
  return html`<div class="complaints" role="alert" tabindex="-1" autofocus data-test="complaints">
    <p>${texts.correct}</p>
    <ul>
      ${fieldOrder
        .filter((name) => wrong.includes(name))
        .map(
          (name) =>
            html`<li>
              ${name === 'lines' ? texts.complaints.lines : html`<a href="#${name}">${texts.complaints[name]}</a>`}
            </li>`,
        )}
    </ul>
  </div>`;
}

interface Field {
  readonly name: 'name' | 'email' | 'phone';
  readonly type: 'text' | 'email' | 'tel';
  readonly autocomplete: string;
  readonly required: boolean;
}

function field(
  view: View,
  entries: CheckoutEntries,
  { name, type, autocomplete, required }: Field,
) {
  const { texts } = view;
  const isWrong = entries.wrong.includes(name);
  const hint = name === 'phone' ? texts.phoneHint : '';
  return html`<div class="field">
    <label for=${name}>${texts[name]}</label>
    <input
      id=${name}
      name=${name}
      type=${type}
      autocomplete=${autocomplete}
      value=${entries[name]}
      data-test="customer-${name}"
      ?required=${required}
      dir=${name === 'name' ? 'auto' : 'ltr'}
      aria-invalid=${isWrong ? 'true' : 'false'}
      aria-describedby="${name}-note"
    />
    <span class=${isWrong ? 'wrong' : 'muted'} id="${name}-note"
      >${isWrong ? texts.complaints[name] : hint}</span
    >
  </div>`;
}
