import { html } from '@lit-labs/ssr';
import type { OrderField } from '../orders/order-input.ts';
import type { Html, View } from './page.ts';

/** What the shopper typed so far, and what has to be put right. */
export interface CheckoutEntries {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly wrong: readonly OrderField[];
  /** The same in every sending of one form, so that a double click makes one order. */
  readonly requestId: string;
}

/** The form that places the order. It carries the lines that the shopper saw: nothing else is sold. */
export function checkoutForm(view: View, lines: string, entries: CheckoutEntries): Html {
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

function complaints({ texts }: View, wrong: readonly OrderField[]): Html | string {
  if (wrong.length === 0) return '';
  return html`<div class="complaints" role="alert">
    <p>${texts.correct}</p>
    <ul>
      ${wrong.map(
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
