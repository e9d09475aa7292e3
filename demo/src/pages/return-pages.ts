import { html } from '@lit-labs/ssr';
import { isPaid, isPayable, type OrderStanding } from '../orders/standing.ts';
import { orderSummary, payButton, payButtonScript, stateLine } from './order-parts.ts';
import type { Html, Page, View } from './page.ts';

const refresh = html`<noscript><meta http-equiv="refresh" content="5" /></noscript>`;
const statusScripts = html`<script type="module" src="/pay/pay-status.js"></script>
  <script type="module" src="/wait.js"></script>`;

/**
 * Where a shopper waits for the gateway's word. With scripts `<pay-status>` asks on its own; without
 * them the page refreshes itself until the payment is settled.
 */
export function waitPage(view: View, standing: OrderStanding, statusUrl: string): Page {
  const { texts } = view;
  const { order } = standing;
  const isWaiting = isPayable(standing) && standing.state !== 'failed';
  return {
    title: isWaiting ? texts.waitTitle : texts.waitSettledTitle,
    head: html`${statusScripts}${payButtonScript}${isWaiting ? refresh : ''}`,
    body: html`<section class="message">
        <h1>${isWaiting ? texts.waitTitle : texts.waitSettledTitle}</h1>
        <pay-status src=${statusUrl} data-thanks="/thanks/${order.orderId}">
          <div slot="retry">${payButton(view, standing)}</div>
        </pay-status>
        ${stateLine(view, standing)}
        ${isWaiting ? html`<p class="muted">${texts.waitText}</p>` : ''}
        ${isWaiting ? html`<noscript><p class="muted">${texts.waitNoScript}</p></noscript>` : ''}
        <p><a class="button quiet" href="/orders/${order.orderId}">${texts.toYourOrder}</a></p>
      </section>
      ${orderSummary(view, standing)}`,
  };
}

/** The end of the journey. It thanks only for a payment that the gateway confirmed. */
export function thanksPage(view: View, standing: OrderStanding): Page {
  const { texts } = view;
  const { order } = standing;
  const paid = isPaid(standing);
  const title = paid ? texts.thanksTitle(order.customer.name) : texts.notPaidTitle;
  return {
    title: paid ? texts.order(order.orderId) : title,
    body: html`<section class="message">
        ${paid ? html`<img src="/images/thanks.svg" alt="" width="160" height="120" />` : ''}
        <h1 dir="auto">${title}</h1>
        <p>${paid ? texts.thanksText : texts.notPaidText}</p>
        ${stateLine(view, standing)}
        <p>
          ${paid ? link('/', texts.keepShopping) : link(`/orders/${order.orderId}`, texts.toYourOrder)}
        </p>
      </section>
      ${orderSummary(view, standing)}`,
  };
}

/** After a decline or an expired link: what happened to the money, and another try. */
export function retryPage(view: View, standing: OrderStanding): Page {
  const { texts } = view;
  const canRetry = isPayable(standing);
  return {
    title: canRetry ? texts.retryTitle : texts.waitSettledTitle,
    head: payButtonScript,
    body: html`<section class="message">
        <h1>${canRetry ? texts.retryTitle : texts.waitSettledTitle}</h1>
        ${canRetry ? html`<p>${texts.retryText}</p>` : ''} ${stateLine(view, standing)}
        ${
          canRetry
            ? payButton(view, standing, 'retry-payment')
            : html`<p>${link(`/orders/${standing.order.orderId}`, texts.toYourOrder)}</p>`
        }
      </section>
      ${orderSummary(view, standing)}`,
  };
}

function link(href: string, text: string): Html {
  return html`<a class="button" href=${href}>${text}</a>`;
}
