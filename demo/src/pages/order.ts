import { html } from '@lit-labs/ssr';
import { formatAmount, isPaid, type PaymentState } from '@pay-button/server-helper';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { catalog, CURRENCY, decimal, halalasOf, includedVat } from '../shop/catalog.ts';
import type { OrderLine, Receipt } from '../shop/database.ts';
import { canBePaid, hasReceipt, type OrderStanding } from '../shop/orders.ts';
import { moment } from '../texts/language.ts';
import { type Html, messagePage, type Page, type View } from './page.ts';

/** The script that makes `<pay-button>` work; without it the form inside does. */
const payButtonScript = html`<link rel="stylesheet" href="/pay/reserve.css" />
  <script type="module" src="/pay/pay-button.js"></script>`;

/**
 * The pay button: one custom element, and inside it a plain form for browsers without scripts.
 * The amount is for show; the price comes from the shop's own record of the order.
 */
function payButton(
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
        <section class="panel" aria-labelledby="pay">
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
  const slot = isWaiting ? 'retry' : '';
  const retryButton = canRetry ? payButton(view, standing, { slot, test: 'retry-payment' }) : '';
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
          ${isWaiting ? retryButton : ''}
        </pay-status>
        ${isWaiting ? '' : html`${stateLine(view, standing)} ${retryButton}`}
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
        <img src="/images/thanks.svg" alt="" width="120" height="90" />
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

/** The script that writes times in the shopper's own zone and offers to print. */
const receiptScript = html`<script type="module" src="/receipt.js"></script>`;

/** The receipt of a paid order, ready for the printer. */
function receipt(view: View, standing: OrderStanding, paid: Receipt | null): Html {
  const { texts } = view;
  const { order } = standing;
  return html`<section class="panel receipt" aria-labelledby="receipt" data-test="receipt">
    <div class="row spread">
      <h2 id="receipt">${texts.receipt}</h2>
      <p class="receipt-shop">${texts.shopName}</p>
      ${stateBadge(view, standing)}
    </div>
    <dl class="facts">
      ${fact(texts.orderNumber, html`<bdi dir="ltr" data-test="order-number">${order.orderId}</bdi>`)}
      ${fact(texts.date, when(view, paid?.paidAt ?? order.placedAt))}
      ${paid?.card ? fact(texts.paidWith, paidWith(view, paid.card)) : ''}
      ${fact(texts.deliverTo, html`<bdi>${order.customer.name}</bdi>`)}
    </dl>
    ${stateNote(view, standing)} ${goods(view, order.lines)}
    ${totals(view, order.halalas, halalasOf(standing.refunded))}
  </section>`;
}

function fact(name: string, value: Html): Html {
  return html`<div>
    <dt class="muted">${name}</dt>
    <dd>${value}</dd>
  </div>`;
}

function paidWith({ texts }: View, { scheme, lastFour }: NonNullable<Receipt['card']>): Html {
  const names: Readonly<Record<string, string>> = texts.schemes;
  const card = texts.cardEnding(names[scheme.toUpperCase()] ?? scheme, lastFour);
  return html`<span data-test="paid-with">${card}</span>`;
}

/** How far an order has come, from the shop to the shopper. */
function tracking(view: View, standing: OrderStanding, paid: Receipt | null): Html {
  const { texts } = view;
  const { placedAt } = standing.order;
  const isRefunded = standing.state === 'refunded';
  return html`<section class="panel" aria-labelledby="tracking" data-test="tracking">
    <h2 id="tracking">${texts.tracking}</h2>
    <ol class="steps">
      ${step('done', texts.steps.placed, when(view, placedAt))}
      ${step('done', texts.steps.paid, paid === null ? '' : when(view, paid.paidAt))}
      ${
        isRefunded
          ? step('current', texts.steps.refunded)
          : html`${step('current', texts.steps.packing)} ${step('next', texts.steps.delivered)}`
      }
    </ol>
  </section>`;
}

function step(state: 'done' | 'current' | 'next', name: string, time: Html | '' = ''): Html {
  return html`<li class=${state} aria-current=${state === 'current' ? 'step' : 'false'}>
    <span>${name}</span> ${time}
  </li>`;
}

/** What a shopper may do with a receipt. */
function receiptActions({ texts }: View, way: Html): Html {
  return html`<p class="actions row">
    ${way}
    <button type="button" class="quiet" data-print hidden>${texts.print}</button>
  </p>`;
}

/** The orders that were placed in this browser, newest first. */
export function myOrdersPage(view: View, standings: readonly OrderStanding[]): Page {
  const { texts } = view;
  if (standings.length === 0) {
    const { myOrders: title, noOrders: heading, noOrdersText: text } = texts;
    return messagePage({ title, heading, text, link: texts.toShop });
  }
  return {
    title: texts.myOrders,
    scripts: receiptScript,
    body: html`<h1>${texts.myOrders}</h1>
      <p class="muted">${texts.myOrdersText}</p>
      <ul class="orders">
        ${standings.map((standing) => orderItem(view, standing))}
      </ul>`,
  };
}

function orderItem(view: View, { order, state }: OrderStanding): Html {
  const { orderId, placedAt, lines, halalas } = order;
  const names = lines.map(({ sku, quantity }) => `${nameOf(view, sku)}\u00a0×\u00a0${quantity}`);
  return html`<li class="panel">
    <h2>
      <a href="/orders/${orderId}">${view.texts.order(orderId)}</a>
    </h2>
    ${priceTag(view, halalas)} ${when(view, placedAt)} ${pill(view, state)}
    <p class="muted">${names.join(view.language === 'ar' ? '، ' : ', ')}</p>
  </li>`;
}

/** A price on one line, with the drawn sign of the riyal. */
export function priceTag({ language }: View, halalas: number): Html {
  const { html: markup } = formatAmount(decimal(halalas), CURRENCY, language);
  return html`<span class="price">${unsafeHTML(markup)}</span>`;
}

/** The rows under a list of goods: delivery, total, the tax inside, and what was refunded. */
export function totals(view: View, halalas: number, refunded = 0): Html {
  const { texts } = view;
  return html`<dl class="totals">
    <div>
      <dt>${texts.delivery}</dt>
      <dd>${texts.deliveryFree}</dd>
    </div>
    <div class="total">
      <dt>${texts.total}</dt>
      <dd data-test="order-amount">${priceTag(view, halalas)}</dd>
    </div>
    <div class="muted">
      <dt>${texts.ofWhichVat}</dt>
      <dd data-test="order-vat">${priceTag(view, includedVat(halalas))}</dd>
    </div>
    ${
      refunded === 0
        ? ''
        : html`<div>
            <dt>${texts.refunded}</dt>
            <dd data-test="order-refunded">${priceTag(view, refunded)}</dd>
          </div>`
    }
  </dl>`;
}

/** The name of a product; its article number when the shop no longer sells it. */
export function nameOf(view: View, sku: string): string {
  return catalog.get(sku)?.name[view.language] ?? sku;
}

/** The goods of an order, at the prices of that day. */
function goods(view: View, lines: readonly OrderLine[]): Html {
  return html`<ul class="goods">
    ${lines.map(
      ({ sku, quantity, halalas }) =>
        html`<li>
          ${catalog.has(sku) ? html`<img src="/images/${sku}.svg" alt="" width="64" height="48" />` : html`<span></span>`}
          <div class="line-name">
            <span>${nameOf(view, sku)}</span>
            <span class="muted" data-test="unit-price"
              >${quantity} × ${priceTag(view, halalas)}</span
            >
          </div>
          ${priceTag(view, halalas * quantity)}
        </li>`,
    )}
  </ul>`;
}

/** A moment, in Riyadh's time until the script writes it in the reader's own. */
function when({ language, texts }: View, iso: string): Html {
  return html`<span class="when"
    ><time datetime=${iso}>${moment(iso, language)}</time>
    <span class="muted">${texts.riyadhTime}</span></span
  >`;
}

/** The payment's state, for eyes, screen readers and tests alike. */
export function stateLine(view: View, standing: OrderStanding): Html {
  return html`${stateBadge(view, standing)} ${stateNote(view, standing)}`;
}

/** What the state means for the shopper, where its name does not say it. */
function stateNote({ texts }: View, standing: OrderStanding): Html | '' {
  const notes: Partial<Record<PaymentState, string>> = texts.stateNotes;
  const note = notes[shownState(standing)];
  return note === undefined ? '' : html`<p>${note}</p>`;
}

/** The state alone, without its explanation; `name` is what the page calls it. */
function stateBadge(view: View, standing: OrderStanding, name?: string): Html {
  return html`<p class="row" data-test="order-state" data-state=${standing.state}>
    <span class="muted">${view.texts.state}</span> ${pill(view, shownState(standing), name)}
  </p>`;
}

const looks: Partial<Readonly<Record<PaymentState, string>>> = {
  paid: 'good',
  captured: 'good',
  refunded: 'good',
  partially_refunded: 'good',
  failed: 'bad',
  expired: 'bad',
  review: 'bad',
  paid_late: 'bad',
};

/** The name of a state, in a colour that says whether all is well. */
export function pill({ texts }: View, state: PaymentState, name?: string): Html {
  return html`<strong class="pill ${looks[state] ?? ''}">${name ?? texts.states[state]}</strong>`;
}

/** A decline that is being checked again is not shown yet. */
function shownState({ state, isChecking }: OrderStanding): PaymentState {
  return isChecking && state === 'failed' ? 'pending' : state;
}

/** The goods, the customer and the price of an order. */
export function orderSummary(view: View, { order }: OrderStanding, facts: Html | '' = ''): Html {
  const { texts } = view;
  return html`<section class="panel" aria-labelledby="summary">
    <h2 id="summary">${texts.summary}</h2>
    ${facts} ${goods(view, order.lines)} ${totals(view, order.halalas)}
    <p class="muted">${texts.deliverTo} <bdi>${order.customer.name}</bdi></p>
  </section>`;
}
