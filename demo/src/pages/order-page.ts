import { html } from '@lit-labs/ssr';
import { isPaid, isPayable, type OrderStanding } from '../orders/standing.ts';
import { orderSummary, payButton, payButtonScript, stateLine } from './order-parts.ts';
import type { Html, Page, View } from './page.ts';

/** The order, and the button that pays for it while it can be paid for. */
export function orderPage(view: View, standing: OrderStanding, showsTestCard: boolean): Page {
  const { texts } = view;
  const { order } = standing;
  return {
    title: texts.order(order.orderId),
    scripts: payButtonScript,
    body: html`<h1>${texts.order(order.orderId)}</h1>
      <div class="columns">
        ${orderSummary(view, standing)}
        <section class="panel pay" aria-labelledby="pay">
          <h2 id="pay">${standing.cancelled ? texts.cancelledTitle : texts.orderTitle}</h2>
          ${stateLine(view, standing)} ${nextStep(view, standing, showsTestCard)}
        </section>
      </div>`,
  };
}

function nextStep(view: View, standing: OrderStanding, showsTestCard: boolean): Html | string {
  const { texts } = view;
  if (standing.cancelled) return html`<p>${texts.cancelledText}</p>`;
  if (isPaid(standing)) {
    return html`<p>
      <a class="button" href="/thanks/${standing.order.orderId}">${texts.toThanks}</a>
    </p>`;
  }
  if (!isPayable(standing)) return '';
  return html`${payButton(view, standing)}
    <p class="muted">${texts.payNote}</p>
    ${
      showsTestCard
        ? html`<details class="hint">
            <summary>${texts.testCard}</summary>
            <p>${texts.testCardText}</p>
          </details>`
        : ''
    }`;
}
