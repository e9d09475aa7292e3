import { html } from '@lit-labs/ssr';
import { isPaid } from '@pay-button/server-helper';
import { hasReceipt, canBePaid, type OrderStanding, type Receipt } from '../orders/order.ts';
import { orderSummary, payButton, payButtonScript, stateBadge, stateLine } from './order-parts.ts';
import type { Html, Page, View } from './page.ts';
import { receipt, receiptActions, receiptScript, tracking } from './receipt.ts';

const styles = ['order', 'payment', 'receipt'] as const;

/** The order: while it can be paid for, the button that does; once paid, its receipt and its way. */
export function orderPage(
  view: View,
  standing: OrderStanding,
  paid: Receipt | null,
  showsTestCard: boolean,
): Page {
  const { texts } = view;
  const title = texts.order(standing.order.orderId);
  if (hasReceipt(standing)) {
    return {
      title,
      styles,
      scripts: receiptScript,
      body: html`<h1>${title}</h1>
        <div class="columns">
          ${receipt(view, standing, paid)} ${tracking(view, standing, paid)}
        </div>
        ${receiptActions(view, link('/orders', texts.myOrders))}`,
    };
  }
  return {
    title,
    styles,
    scripts: payButtonScript,
    body: html`<h1>${title}</h1>
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
  if (!canBePaid(standing)) return '';
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

const refresh = html`<meta http-equiv="refresh" content="5" />`;
const refreshWithoutScripts = html`<noscript><meta http-equiv="refresh" content="5" /></noscript>`;
const statusScripts = html`<script type="module" src="/pay/pay-status.js"></script>
  <script type="module" src="/wait.js"></script>`;

/**
 * Waits for the gateway's answer. With scripts `<pay-status>` asks the shop; without
 * scripts the page refreshes until the payment has an outcome.
 */
export function waitPage(view: View, standing: OrderStanding, statusUrl: string): Page {
  // Before the shopper first goes to pay there is no payment whose status could be asked.
  if (standing.state === 'unpaid') return thanksPage(view, standing, null);
  const { texts } = view;
  const { order } = standing;
  const canRetry = canBePaid(standing);
  const hasFailed = standing.state === 'failed' || standing.state === 'expired';
  const isWaiting = canRetry && (standing.isChecking || !hasFailed);
  return {
    ...(hasReceipt(standing) ? { leadsTo: `/thanks/${order.orderId}` } : {}),
    title: isWaiting ? texts.waitTitle : texts.waitSettledTitle,
    styles,
    scripts: html`${statusScripts}${payButtonScript}`,
    ...(isWaiting ? { unscripted: view.scripts ? refreshWithoutScripts : refresh } : {}),
    body: html`<section class="message">
        <h1>${texts.waitSettledTitle}</h1>
        <pay-status
          src=${statusUrl}
          data-thanks="/thanks/${order.orderId}"
          data-order-state=${standing.state}
        >
          ${isWaiting ? waitMessage(view) : html`<strong>${texts.states[standing.state]}</strong>`}
          ${isWaiting ? payButton(view, standing, { slot: 'retry', test: 'retry-payment' }) : ''}
        </pay-status>
        ${isWaiting ? '' : stateLine(view, standing)}
        ${canRetry && !isWaiting ? payButton(view, standing, { test: 'retry-payment' }) : ''}
        <p>
          ${isWaiting ? quietLink('', texts.checkAgain) : ''}
          ${quietLink(`/orders/${order.orderId}`, texts.toYourOrder)}
        </p>
      </section>
      ${orderSummary(view, standing, isWaiting ? stateBadge(view, standing, texts.confirming) : '')}`,
  };
}

/** The one message of a page that waits, also without scripts; the element replaces it once it knows more. */
function waitMessage({ texts }: View): Html {
  return html`<div slot="pending">
    <strong>${texts.waitTitle}</strong>
    <p>${texts.waitText}</p>
    <p class="no-script">${texts.waitNoScript}</p>
  </div>`;
}

/** The end of the journey. It thanks only for a payment that the gateway confirmed. */
export function thanksPage(view: View, standing: OrderStanding, paid: Receipt | null): Page {
  const { texts } = view;
  const { orderId, customer } = standing.order;
  const toOrder = `/orders/${orderId}`;
  if (!isPaid(standing.state)) return notPaidPage(view, standing, toOrder);
  return {
    title: texts.order(orderId),
    styles,
    scripts: receiptScript,
    body: html`<section class="message thanks">
        <img src="/images/thanks.svg" alt="" width="160" height="120" />
        <h1 dir="auto">${texts.thanksTitle(customer.name)}</h1>
        <p>${texts.thanksText}</p>
      </section>
      ${receipt(view, standing, paid)}
      ${receiptActions(view, html`${link(toOrder, texts.toYourOrder)} ${quietLink('/', texts.keepShopping)}`)}`,
  };
}

function notPaidPage(view: View, standing: OrderStanding, toOrder: string): Page {
  const [title, text] = notPaidWords(view, standing);
  return {
    title,
    styles,
    body: html`<section class="message">
        <h1>${title}</h1>
        <p>${text}</p>
        ${stateLine(view, standing)}
        <p>${link(toOrder, view.texts.toYourOrder)}</p>
      </section>
      ${orderSummary(view, standing)}`,
  };
}

/** The page after a decline or an expired link: nothing was charged, and another attempt. */
export function retryPage(view: View, standing: OrderStanding, paid: Receipt | null): Page {
  const { texts } = view;
  if (!canBePaid(standing)) return thanksPage(view, standing, paid);
  const wasTried = standing.state === 'failed' || standing.state === 'expired';
  const title = wasTried ? texts.retryTitle : texts.notPaidTitle;
  return {
    title,
    styles,
    scripts: payButtonScript,
    body: html`<section class="message">
        <h1>${title}</h1>
        <p>${wasTried ? texts.retryText : texts.notPaidText}</p>
        ${stateLine(view, standing)} ${payButton(view, standing, { test: 'retry-payment' })}
      </section>
      ${orderSummary(view, standing)}`,
  };
}

/** The words depend on the payment alone, since any link may lead here. */
function notPaidWords({ texts }: View, standing: OrderStanding): readonly [string, string] {
  if (standing.cancelled) return [texts.cancelledTitle, texts.cancelledText];
  if (canBePaid(standing)) return [texts.notPaidTitle, texts.notPaidText];
  return [texts.waitSettledTitle, ''];
}

function link(href: string, text: string): Html {
  return html`<a class="button" href=${href}>${text}</a>`;
}

function quietLink(href: string, text: string): Html {
  return html`<a class="button quiet" href=${href}>${text}</a>`;
}
