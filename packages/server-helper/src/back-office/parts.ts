import { html, type Html, nothing } from './html.ts';
import type { Visit } from './office.ts';
import { stateTexts } from './texts/states.ts';
import type { PaymentView } from '../flows/views.ts';

/** A short word on a coloured ground; the ground follows `data-state`. */
export const badge = (state: string, words: string, test = ''): Html =>
  html`<span class="badge" data-state="${state}" ${test !== '' && html` data-test="${test}"`}
    >${words}</span
  >`;

/** The state of a payment, as `order-state` where a page is about one order. */
export function stateBadge(
  { language }: Visit,
  { state, cancelled, isChecking }: Pick<PaymentView, 'state' | 'cancelled' | 'isChecking'>,
  test = '',
): Html {
  const texts = stateTexts[language];
  return html`${badge(state, texts.payment[state], test)}
  ${cancelled ? badge('cancelled', texts.cancelled) : nothing}
  ${isChecking ? badge('checking', texts.checking) : nothing}`;
}

/** An id or another word of a machine, which has its own direction. */
export const code = (text: string): Html => html`<code dir="ltr">${text}</code>`;

/** A name and its value in a list of facts. */
export const fact = (name: string, value: Html | string): Html =>
  html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;

/** A part of a page with a heading of its own. */
export const panel = (id: string, heading: string, content: Html | readonly Html[]): Html =>
  html`<section class="panel" aria-labelledby="${id}">
    <h2 id="${id}">${heading}</h2>
    ${content}
  </section>`;
