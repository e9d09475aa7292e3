import { everyPaymentState } from '../../payments/record.ts';
import { html, type Html } from '../html.ts';
import { linkTo, type Visit } from '../office.ts';
import type { OrderFilter } from '../order-filter.ts';
import { orderListTexts } from '../texts/orders.ts';
import { stateTexts } from '../texts/states.ts';

/** The form that narrows the list of orders; its fields end in the address. */
export function filterForm(visit: Visit, filter: OrderFilter): Html {
  const { language } = visit;
  const texts = orderListTexts[language];
  const input = (name: 'q' | 'amount' | 'from' | 'to', value: string, more: Html): Html =>
    html`<p class="${name === 'q' ? 'field grow' : 'field'}">
      <label for="${name}">${texts.fields[name]}</label>
      <input id="${name}" name="${name}" value="${value}" ${more} />
    </p>`;
  const wrong = (name: 'day' | 'amount'): Html | false =>
    filter.mistakes.includes(name) && html` aria-invalid="true" aria-describedby="mistake-${name}"`;
  return html`<form
    class="filter"
    method="get"
    action="${linkTo(visit, 'orders')}"
    role="search"
    aria-label="${texts.filter}"
  >
    ${input('q', filter.search, html` type="search" dir="auto" autocomplete="off"`)}
    ${stateField(visit, filter)}
    ${input('amount', filter.amount, html` inputmode="decimal" dir="ltr" autocomplete="off"${wrong('amount')}`)}
    ${input('from', filter.from, html` type="date"${wrong('day')}`)}
    ${input('to', filter.to, html` type="date"${wrong('day')}`)}
    <p class="buttons">
      <button>${texts.apply}</button>
      <a class="button quiet" href="${linkTo(visit, 'orders')}">${texts.clear}</a>
    </p>
    ${filter.mistakes.map((name) => html`<p class="mistake" id="mistake-${name}" role="alert">${texts.mistakes[name]}</p>`)}
  </form>`;
}

function stateField({ language }: Visit, filter: OrderFilter): Html {
  const texts = orderListTexts[language];
  const { payment } = stateTexts[language];
  const options = everyPaymentState.map(
    (state) =>
      html`<option value="${state}" ${state === filter.state && html` selected`}>
        ${payment[state]}
      </option>`,
  );
  return html`<p class="field">
    <label for="state">${texts.state}</label>
    <select id="state" name="state">
      <option value="">${texts.anyState}</option>
      ${options}
    </select>
  </p>`;
}
