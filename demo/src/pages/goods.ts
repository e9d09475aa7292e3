import { html } from '@lit-labs/ssr';
import {
  basketTotal,
  type Customer,
  encodeBasket,
  type Line,
  MAX_QUANTITY,
  type OrderField,
} from '../shop/basket.ts';
import { catalog, priceOf, type Product } from '../shop/catalog.ts';
import { nameOf, priceTag, totals } from './order.ts';
import { type Html, messagePage, type Page, type View } from './page.ts';

/** The shop's first page: everything it sells. `added` is the product just put into the basket. */
export function storefront(view: View, added: unknown): Page {
  const { texts, language } = view;
  const addedName = catalog.get(String(added))?.name[language];
  return {
    title: texts.tagline,
    body: html`<section class="hero">
        <div>
          <h1>${texts.heroTitle}</h1>
          <p>${texts.heroText}</p>
        </div>
        <img src="/images/hero.svg" alt=${texts.heroAlt} width="420" height="262" />
      </section>
      <div class="notice-place" role="status">
        ${
          addedName === undefined
            ? ''
            : html`<p class="notice row spread">
                <span>${texts.added(addedName)}</span> <a href="/basket">${texts.seeBasket}</a>
              </p>`
        }
      </div>
      <h2 class="visually-hidden">${texts.products}</h2>
      <ul class="products">
        ${[...catalog].map((entry, index) => card(view, entry, index < FIRST_ROW))}
      </ul>`,
  };
}

/** The most pictures that a wide window shows in the first row. */
const FIRST_ROW = 4;

function card(view: View, [sku, product]: readonly [string, Product], isFirst: boolean): Html {
  const { texts, language } = view;
  const { name, description, halalas } = product;
  return html`<li class="panel card" id=${sku}>
    <img
      src="/images/${sku}.svg"
      alt=""
      width="320"
      height="240"
      loading=${isFirst ? 'eager' : 'lazy'}
    />
    <div class="card-text">
      <h3>${name[language]}</h3>
      <p class="muted">${description[language]}</p>
    </div>
    <form method="post" action="/basket/add" class="card-buy">
      <input type="hidden" name="sku" value=${sku} />
      ${priceTag(view, halalas)}
      <button
        class="small"
        data-test="add-${sku}"
        aria-label=${texts.addToBasketOf(name[language])}
      >
        ${texts.addToBasket}
      </button>
    </form>
  </li>`;
}

/** The basket, and under it the form that makes an order of it. */
export function basketPage(view: View, lines: readonly Line[], entries: CheckoutEntries): Page {
  const { texts } = view;
  if (lines.length === 0) {
    const { basketTitle: title, basketEmpty: heading, basketEmptyText: text } = texts;
    return messagePage({ title, heading, text, link: texts.keepShopping });
  }
  const isWrong = entries.wrong.length > 0;
  return {
    title: isWrong ? texts.errorTitle(texts.basketTitle) : texts.basketTitle,
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
  const each = priceOf(sku);
  return html`<li>
    <img src="/images/${sku}.svg" alt="" width="96" height="72" />
    <div class="line-name">
      <strong>${name}</strong>
      <span class="muted">${priceTag(view, each)} ${texts.each}</span>
    </div>
    <span class="line-total">${priceTag(view, each * quantity)}</span>
    <form method="post" action="/basket/set" class="line-form row">
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
export interface CheckoutEntries extends Customer {
  readonly wrong: readonly OrderField[];
  /** The same in every sending of one form, so that a double click makes one order. */
  readonly requestId: string;
}

/** The form that places the order. It carries the lines that the shopper saw: nothing else is sold. */
function checkoutForm(view: View, lines: string, entries: CheckoutEntries): Html {
  const { texts } = view;
  return html`<section aria-labelledby="details">
    <form method="post" action="/orders" class="panel" novalidate>
      <h2 id="details">${texts.yourDetails}</h2>
      ${complaints(view, entries.wrong)}
      <input type="hidden" name="lines" value=${lines} />
      <input type="hidden" name="requestId" value=${entries.requestId} />
      ${field(view, entries, 'name')} ${field(view, entries, 'phone')}
      ${field(view, entries, 'email')}
      <button data-test="place-order">${texts.placeOrder}</button>
      <p class="muted">${texts.placeOrderNote}</p>
    </form>
  </section>`;
}

/** What is wrong, as the page's first word, from top to bottom: a screen reader begins here. */
function complaints({ texts }: View, wrong: readonly OrderField[]): Html | string {
  if (wrong.length === 0) return '';
  const fields = (['name', 'phone', 'email'] as const).filter((name) => wrong.includes(name));
  return html`<div class="complaints" role="alert" tabindex="-1" autofocus data-test="complaints">
    <p>${texts.correct}</p>
    <ul>
      ${wrong.includes('lines') ? html`<li>${texts.complaints.lines}</li>` : ''}
      ${fields.map((name) => html`<li><a href="#${name}">${texts.complaints[name]}</a></li>`)}
    </ul>
  </div>`;
}

function field({ texts }: View, entries: CheckoutEntries, name: 'name' | 'email' | 'phone'): Html {
  const isWrong = entries.wrong.includes(name);
  const hint = name === 'phone' ? texts.phoneHint : '';
  // The browser's name of a phone number is another one.
  const kind = name === 'phone' ? 'tel' : name;
  return html`<div class="field">
    <label for=${name}>${texts[name]}</label>
    <input
      id=${name}
      name=${name}
      type=${name === 'name' ? 'text' : kind}
      autocomplete=${kind}
      value=${entries[name]}
      data-test="customer-${name}"
      ?required=${name !== 'email'}
      dir=${name === 'name' ? 'auto' : 'ltr'}
      aria-invalid=${isWrong ? 'true' : 'false'}
      aria-describedby="${name}-note"
    />
    <span class=${isWrong ? 'wrong' : 'muted'} id="${name}-note"
      >${isWrong ? texts.complaints[name] : hint}</span
    >
  </div>`;
}
