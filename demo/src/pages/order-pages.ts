import { html } from '@lit-labs/ssr';
import { isPaid, isPayable, type OrderStanding } from '../orders/order.ts';
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

// A template cannot put one text in two places, and <noscript> takes no other template inside.
const withoutScripts = html`<meta http-equiv="refresh" content="5" />
  <link rel="stylesheet" href="/css/no-script.css" />`;
const ifWithoutScripts = html`<noscript
  ><meta http-equiv="refresh" content="5" /><link rel="stylesheet" href="/css/no-script.css"
/></noscript>`;
const statusScripts = html`<script type="module" src="/pay/pay-status.js"></script>
  <script type="module" src="/wait.js"></script>`;

/**
 * Waits for the gateway's answer. With scripts `<pay-status>` asks the shop; without
 * scripts the page refreshes until the payment has an outcome.
 */
export function waitPage(view: View, standing: OrderStanding, statusUrl: string): Page {
  // Before the shopper first goes to pay there is no payment whose status could be asked.
  if (standing.state === 'unpaid') return thanksPage(view, standing);
  const { texts } = view;
  const { order } = standing;
  const canRetry = isPayable(standing);
  const hasFailed = standing.state === 'failed' || standing.state === 'expired';
  const isWaiting = canRetry && (standing.isChecking || !hasFailed);
  return {
    ...(isPaid(standing) ? { leadsTo: `/thanks/${order.orderId}` } : {}),
    title: isWaiting ? texts.waitTitle : texts.waitSettledTitle,
    scripts: html`${statusScripts}${payButtonScript}`,
    ...(isWaiting ? { unscripted: view.scripts ? ifWithoutScripts : withoutScripts } : {}),
    body: html`<section class="message">
        <h1>${isWaiting ? texts.waitTitle : texts.waitSettledTitle}</h1>
        <pay-status
          src=${statusUrl}
          data-thanks="/thanks/${order.orderId}"
          data-order-state=${standing.state}
        >
          ${canRetry ? payButton(view, standing, { slot: 'retry', test: 'retry-payment' }) : ''}
        </pay-status>
        ${stateLine(view, standing)}
        ${isWaiting ? html`<p class="muted">${texts.waitText}</p>` : ''}
        ${isWaiting ? html`<p class="muted no-script">${texts.waitNoScript}</p>` : ''}
        <p>
          <a class="button quiet" href="/orders/${order.orderId}"
            >${isWaiting ? texts.notPaidYet : texts.toYourOrder}</a
          >
        </p>
      </section>
      ${orderSummary(view, standing)}`,
  };
}

/** The end of the journey. It thanks only for a payment that the gateway confirmed. */
export function thanksPage(view: View, standing: OrderStanding): Page {
  const { texts } = view;
  const { order } = standing;
  const paid = isPaid(standing);
  const [title, text] = thanksWords(view, standing);
  return {
    title: paid ? texts.order(order.orderId) : title,
    body: html`<section class="message">
        ${paid ? html`<img src="/images/thanks.svg" alt="" width="160" height="120" />` : ''}
        <h1 dir="auto">${title}</h1>
        <p>${text}</p>
        ${stateLine(view, standing)}
        <p>
          ${paid ? link('/', texts.keepShopping) : link(`/orders/${order.orderId}`, texts.toYourOrder)}
        </p>
      </section>
      ${orderSummary(view, standing)}`,
  };
}

/** The page after a decline or an expired link: nothing was charged, and another attempt. */
export function retryPage(view: View, standing: OrderStanding): Page {
  const { texts } = view;
  if (!isPayable(standing)) return thanksPage(view, standing);
  const wasTried = standing.state === 'failed' || standing.state === 'expired';
  const title = wasTried ? texts.retryTitle : texts.notPaidTitle;
  return {
    title,
    scripts: payButtonScript,
    body: html`<section class="message">
        <h1>${title}</h1>
        <p>${wasTried ? texts.retryText : texts.notPaidText}</p>
        ${stateLine(view, standing)} ${payButton(view, standing, { test: 'retry-payment' })}
      </section>
      ${orderSummary(view, standing)}`,
  };
}

/** The words of the thanks page. They depend on the payment alone, since any link may lead here. */
function thanksWords({ texts }: View, standing: OrderStanding): readonly [string, string] {
  if (isPaid(standing)) {
    return [texts.thanksTitle(standing.order.customer.name), texts.thanksText];
  }
  if (standing.cancelled) return [texts.cancelledTitle, texts.cancelledText];
  if (isPayable(standing)) return [texts.notPaidTitle, texts.notPaidText];
  return [texts.waitSettledTitle, ''];
}

function link(href: string, text: string): Html {
  return html`<a class="button" href=${href}>${text}</a>`;
}
