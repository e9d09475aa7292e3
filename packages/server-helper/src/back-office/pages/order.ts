import type { Answer } from '../../edges/http.ts';
import type { Explanation } from '../../flows/list-payments.ts';
import type { Action } from '../actions/action.ts';
import { orderActions } from '../actions.ts';
import { describeOrder } from '../describe-order.ts';
import { amountTag, instant } from '../format.ts';
import { html, type Html, nothing } from '../html.ts';
import { pageAnswer } from '../layout.ts';
import { linkTo, orderAddress, type Visit } from '../office.ts';
import { findOrder, type OrderCase } from '../order-case.ts';
import type { OrderDescription } from '../options.ts';
import { fact, panel, stateBadge } from '../parts.ts';
import { problemAnswer } from '../problems.ts';
import { actionAnswer, actionForm, type Deed } from '../run-action.ts';
import { orderActionTexts } from '../texts/order-actions.ts';
import { orderTexts } from '../texts/order.ts';
import { stateTexts } from '../texts/states.ts';
import { events, reviews, timeline } from './order-history.ts';
import { attempts, operations, transactions } from './order-money.ts';
import { payLink } from './pay-link.ts';

const deedOf = (action: Action<OrderCase>, subject: OrderCase): Deed<OrderCase> => ({
  action,
  subject,
  page: orderAddress(subject.record.payment.orderId),
  section: 'orders',
});

/** Answers one action about an order. */
export async function orderActionPage(
  visit: Visit,
  orderId: string,
  action: Action<OrderCase>,
): Promise<Answer> {
  const found = await findOrder(visit, orderId);
  if (found === null) return problemAnswer(visit, 'not_found', { back: 'orders' });
  return actionAnswer(visit, deedOf(action, found));
}

/** Everything about one order, and what can be done about it now. */
export async function orderPage(visit: Visit, orderId: string): Promise<Answer> {
  const { language } = visit;
  const found = await findOrder(visit, orderId);
  if (found === null) return problemAnswer(visit, 'not_found', { back: 'orders' });
  const { explanation } = found;
  const texts = orderTexts[language];
  const described = await describeOrder(visit, orderId);
  return pageAnswer(visit, {
    title: texts.title(orderId),
    section: 'orders',
    main: html`<p class="up"><a href="${linkTo(visit, 'orders')}">${texts.all}</a></p>
      ${heading(visit, explanation, described)}
      <div class="columns">
        <div class="stack">
          ${await actions(visit, found)} ${await payLink(visit, explanation)}
          ${merchantsWords(visit, described)} ${transactions(visit, explanation)}
          ${operations(visit, explanation)} ${reviews(visit, explanation)}
        </div>
        <div class="stack">
          ${timeline(visit, explanation)} ${attempts(visit, explanation)}
          ${await events(visit, explanation)}
        </div>
      </div>`,
  });
}

function heading(visit: Visit, { payment }: Explanation, { title }: OrderDescription): Html {
  const { language } = visit;
  const { orderId, amount, currency, refunded, state, createdAt, updatedAt } = payment;
  const texts = orderTexts[language];
  return html`<div class="summary">
    <h1>${texts.title(orderId)}</h1>
    ${title !== undefined && html`<p class="muted"><bdi>${title}</bdi></p>`}
    <p class="total" data-test="order-amount">${amountTag(language, amount, currency)}</p>
    <p class="badges">${stateBadge(visit, payment, 'order-state')}</p>
    <p>${stateTexts[language].meaning[state]}</p>
    <dl class="facts">
      ${
        refunded === '0.00'
          ? nothing
          : fact(
              texts.refunded,
              html`<span data-test="refunded">${amountTag(language, refunded, currency)}</span>`,
            )
      }
      ${fact(texts.created, instant(visit, createdAt))}
      ${fact(texts.updated, instant(visit, updatedAt))}
    </dl>
  </div>`;
}

async function actions(visit: Visit, found: OrderCase): Promise<Html> {
  const texts = orderActionTexts[visit.language];
  const forms: Html[] = [];
  for (const action of orderActions) {
    const form = await actionForm(visit, deedOf(action, found));
    if (form !== nothing) forms.push(form);
  }
  const content = forms.length === 0 ? html`<p class="muted">${texts.none}</p>` : forms;
  return panel('actions', texts.heading, content);
}

function merchantsWords({ language }: Visit, description: OrderDescription): Html {
  const { customer, url, lines = [] } = description;
  if (customer === undefined && url === undefined && lines.length === 0) return nothing;
  const texts = orderTexts[language];
  return panel(
    'shop',
    texts.merchantOrder,
    html`<dl class="facts">
        ${customer !== undefined && fact(texts.customer, html`<bdi>${customer}</bdi>`)}
      </dl>
      ${
        lines.length > 0 &&
        html`<ul>
          ${lines.map((line) => html`<li><bdi>${line}</bdi></li>`)}
        </ul>`
      }
      ${url !== undefined && html`<p><a href="${url}" rel="noreferrer">${texts.open}</a></p>`}`,
  );
}
