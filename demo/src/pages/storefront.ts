import { html } from '@lit-labs/ssr';
import { catalog, findProduct, type Product } from '../catalog/catalog.ts';
import { priceTag } from './order-parts.ts';
import type { Html, Page, View } from './page.ts';

/** The shop's first page: everything it sells. `added` is the product just put into the basket. */
export function storefront(view: View, added: string | undefined): Page {
  const { texts, language } = view;
  const addedName = added === undefined ? undefined : findProduct(added)?.name[language];
  return {
    title: texts.tagline,
    styles: ['storefront'],
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
            : html`<p class="notice">
                <span>${texts.added(addedName)}</span> <a href="/basket">${texts.seeBasket}</a>
              </p>`
        }
      </div>
      <h2 class="visually-hidden">${texts.products}</h2>
      <ul class="products">
        ${catalog.map((product, index) => card(view, product, index < FIRST_ROW))}
      </ul>`,
  };
}

/** The most pictures that a wide window shows in the first row. */
const FIRST_ROW = 4;

function card(view: View, { sku, name, description, halalas }: Product, isFirst: boolean): Html {
  const { texts, language } = view;
  return html`<li class="card" id=${sku}>
    <img
      src="/images/${sku}.svg"
      alt=""
      width="320"
      height="240"
      loading=${isFirst ? 'eager' : 'lazy'}
    />
    <div class="card-text">
      <h3>${name[language]}</h3>
      <p>${description[language]}</p>
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
