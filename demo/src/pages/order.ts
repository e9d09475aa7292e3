import { html } from '@lit-labs/ssr';
import { isPaid } from '@pay-button/server-helper';
import { CURRENCY, decimal } from '../shop/catalog.ts';
import type { Receipt } from '../shop/database.ts';
import { canBePaid, hasReceipt, type OrderStanding } from '../shop/orders.ts';
import { orderSummary, stateBadge, stateLine } from './order-parts.ts';
import type { Html, Page, View } from './page.ts';
import { receipt, receiptActions, receiptScript, tracking } from './receipt.ts';

/** The script that makes `<pay-button>` work; without it the form inside does. */
export const payButtonScript = html`<link rel="stylesheet" href="/pay/reserve.css" />
  <script type="module" src="/pay/pay-button.js"></script>`;

/**
 * The pay button: one custom element, and inside it a plain form for browsers without scripts.
 * The amount is for show; the price comes from the shop's own record of the order.
 */
export function payButton(
  view: View,
  { order }: OrderStanding,
  { slot = '', test = 'pay-button' }: { readonly slot?: string; readonly test?: string } = {},
): Html {
  const { texts } = view;
  const amount = decimal(order.halalas);
  return html`<pay-button
    endpoint="/pay/checkout"
    order-id=${order.orderId}
    amount=${amount}
    currency=${CURRENCY}
    methods="mada visa mastercard apple-pay"
    size="large"
    full-width
    slot=${slot}
    data-test=${test}
  >
    <form method="post" action="/pay/checkout">
      <input type="hidden" name="orderId" value=${order.orderId} />
      <button>${texts.pay}</button>
    </form>
  </pay-button>`;
}

const quiet = 'button quiet';

function link(href: string, text: string, looks = 'button'): Html {
  return html`<a class=${looks} href=${href}>${text}</a>`;
}

/** The order: while it can be paid for, the button that does; once paid, its receipt and its way. */
export function orderPage(view: View, standing: OrderStanding, paid: Receipt | null): Page {
  const { texts } = view;
  const title = texts.order(standing.order.orderId);
  if (hasReceipt(standing)) {
    return {
      title,
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
    scripts: payButtonScript,
    body: html`<h1>${title}</h1>
      <div class="columns">
        ${orderSummary(view, standing)}
        <section class="panel pay" aria-labelledby="pay">
          <h2 id="pay">${standing.cancelled ? texts.cancelledTitle : texts.orderTitle}</h2>
          ${stateLine(view, standing)} ${nextStep(view, standing)}
        </section>
      </div>`,
  };
}

function nextStep(view: View, standing: OrderStanding): Html | string {
  const { texts } = view;
  if (standing.cancelled) return html`<p>${texts.cancelledText}</p>`;
  if (!canBePaid(standing)) return '';
  return html`${payButton(view, standing)}
    <p class="muted">${texts.payNote}</p>
    ${view.foot === '' ? '' : testCard(view)}`;
}

/** Only where the gateway is the sandbox, which is where testers have tools. */
function testCard({ texts }: View): Html {
  return html`<details class="hint">
    <summary>${texts.testCard}</summary>
    <p>${texts.testCardText}</p>
  </details>`;
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
  const isWaiting = canRetry && (standing.isChecking || !hasFailed(standing));
  return {
    ...(hasReceipt(standing) ? { leadsTo: `/thanks/${order.orderId}` } : {}),
    title: isWaiting ? texts.waitTitle : texts.waitSettledTitle,
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
          ${isWaiting ? link('', texts.checkAgain, quiet) : ''}
          ${link(`/orders/${order.orderId}`, texts.toYourOrder, quiet)}
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

function hasFailed({ state }: OrderStanding): boolean {
  return state === 'failed' || state === 'expired';
}

/** The end of the journey. It thanks only for a payment that the gateway confirmed. */
export function thanksPage(view: View, standing: OrderStanding, paid: Receipt | null): Page {
  const { texts } = view;
  const { orderId, customer } = standing.order;
  const toOrder = link(`/orders/${orderId}`, texts.toYourOrder);
  if (!isPaid(standing.state)) {
    return messageOf(view, standing, notPaidWords(view, standing), html`<p>${toOrder}</p>`);
  }
  return {
    title: texts.order(orderId),
    scripts: receiptScript,
    body: html`<section class="message thanks">
        <img src="/images/thanks.svg" alt="" width="160" height="120" />
        <h1 dir="auto">${texts.thanksTitle(customer.name)}</h1>
        <p>${texts.thanksText}</p>
      </section>
      ${receipt(view, standing, paid)}
      ${receiptActions(view, html`${toOrder} ${link('/', texts.keepShopping, quiet)}`)}`,
  };
}

/** The words depend on the payment alone, since any link may lead here. */
function notPaidWords({ texts }: View, standing: OrderStanding): readonly [string, string] {
  if (standing.cancelled) return [texts.cancelledTitle, texts.cancelledText];
  if (canBePaid(standing)) return [texts.notPaidTitle, texts.notPaidText];
  return [texts.waitSettledTitle, ''];
}

/** The page after a decline or an expired link: nothing was charged, and another attempt. */
export function retryPage(view: View, standing: OrderStanding, paid: Receipt | null): Page {
  if (!canBePaid(standing)) return thanksPage(view, standing, paid);
  const { texts } = view;
  const words = hasFailed(standing)
    ? ([texts.retryTitle, texts.retryText] as const)
    : notPaidWords(view, standing);
  const button = payButton(view, standing, { test: 'retry-payment' });
  return { ...messageOf(view, standing, words, button), scripts: payButtonScript };
}

/** What there is to say of an order, and the way on. */
function messageOf(
  view: View,
  standing: OrderStanding,
  [title, text]: readonly [string, string],
  wayOn: Html,
): Page {
  return {
    title,
    body: html`<section class="message">
        <h1>${title}</h1>
        <p>${text}</p>
        ${stateLine(view, standing)} ${wayOn}
      </section>
      ${orderSummary(view, standing)}`,
  };
}
