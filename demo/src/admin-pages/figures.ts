import { html } from '@lit-labs/ssr';
import { halalasOf } from '../catalog/halalas.ts';
import { isPaid, type OrderStanding } from '../orders/standing.ts';
import { priceTag } from '../pages/amount.ts';
import type { Html, View } from '../pages/page.ts';

/** The figures that an admin looks at first: what was paid, what went back, how often paying works. */
export function figures(view: View, standings: readonly OrderStanding[]): Html {
  const { admin } = view.texts;
  const paid = standings.filter(isPaid);
  const ended = standings.filter(({ state }) => state === 'failed' || state === 'expired');
  const tried = paid.length + ended.length;
  const collected = sum(paid.map(({ order }) => order.halalas));
  const refunded = sum(standings.map((standing) => halalasOf(standing.refunded)));
  const share = tried === 0 ? '–' : `${Math.round((100 * paid.length) / tried)}%`;
  return html`<dl class="figures" data-test="figures">
    ${figure(admin.collected, priceTag(view, collected))}
    ${figure(admin.givenBack, priceTag(view, refunded))}
    ${figure(admin.paidOrders, html`${paid.length}`)}
    ${figure(admin.successShare, html`<bdi dir="ltr">${share}</bdi>`)}
  </dl>`;
}

function figure(label: string, value: Html): Html {
  return html`<div class="panel figure">
    <dt>${label}</dt>
    <dd>${value}</dd>
  </div>`;
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
