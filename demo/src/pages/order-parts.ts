import { html } from '@lit-labs/ssr';
import type { PaymentState } from '@pay-button/server-helper';
import { CURRENCY, decimal } from '../catalog/halalas.ts';
import type { OrderStanding } from '../orders/standing.ts';
import { totals } from './amount.ts';
import { goods } from './goods.ts';
import type { Html, View } from './page.ts';

/** The script that makes `<pay-button>` work; without it the form inside does. */
export const payButtonScript = html`<script type="module" src="/pay/pay-button.js"></script>`;

/** Where the order's money stands, for eyes, screen readers and tests alike. */
export function stateLine(view: View, standing: OrderStanding): Html {
  const told = toldState(standing);
  const note = Object.entries(view.texts.stateNotes).find(([name]) => name === told)?.[1];
  return html`${stateBadge(view, standing)}
  ${note === undefined ? '' : html`<p class="state-note">${note}</p>`}`;
}

/** The state alone, without what it means to the shopper. */
export function stateBadge({ texts }: View, standing: OrderStanding): Html {
  const told = toldState(standing);
  return html`<p
    class="state"
    data-test="order-state"
    data-state=${standing.state}
    data-told=${told}
  >
    <span class="muted">${texts.state}</span> <strong class="pill">${texts.states[told]}</strong>
  </p>`;
}

/** A decline that is being asked about again is no news to tell yet. */
function toldState({ state, isChecking }: OrderStanding): PaymentState {
  return isChecking && state === 'failed' ? 'pending' : state;
}

/** What was ordered, by whom, and what it costs. */
export function orderSummary(view: View, { order }: OrderStanding): Html {
  const { texts } = view;
  return html`<section class="panel" aria-labelledby="summary">
    <h2 id="summary">${texts.summary}</h2>
    ${goods(view, order.lines)} ${totals(view, order.halalas)}
    <p class="muted">${texts.deliverTo} <bdi>${order.customer.name}</bdi></p>
  </section>`;
}

/**
 * The pay button: one custom element, and inside it a plain form for browsers without scripts.
 * The amount is for show; the price comes from the shop's own record of the order.
 */
export function payButton(
  view: View,
  { order, state }: OrderStanding,
  { slot = '', test = 'pay-button' }: { readonly slot?: string; readonly test?: string } = {},
): Html {
  const { texts } = view;
  const amount = decimal(order.halalas);
  return html`<pay-button
    endpoint="/pay/checkout"
    order-id=${order.orderId}
    amount=${amount}
    currency=${CURRENCY}
    size="large"
    full-width
    slot=${slot}
    data-test=${test}
    data-order-state=${state}
  >
    <form method="post" action="/pay/checkout">
      <input type="hidden" name="orderId" value=${order.orderId} />
      <button>${texts.pay}</button>
    </form>
  </pay-button>`;
}
