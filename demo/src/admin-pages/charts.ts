import { html } from '@lit-labs/ssr';
import { paymentStates } from '../admin/admin-orders.ts';
import { halalasOf } from '../catalog/halalas.ts';
import { isPaid, type OrderStanding } from '../orders/order.ts';
import { priceTag } from '../pages/order-parts.ts';
import type { Html, View } from '../pages/page.ts';

/** The most important figures: paid, refunded, and the share of paid attempts. */
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
    ${figure(admin.refundedTotal, priceTag(view, refunded))}
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

/** One bar of a chart. */
interface Bar {
  readonly label: string;
  readonly count: number;
  /** Gives the bar its colour. */
  readonly tone: string;
}

/** How many payments stand in each state. */
export function stateChart(view: View, standings: readonly OrderStanding[]): Html {
  const { admin, states } = view.texts;
  const bars = paymentStates
    .map((state) => ({
      label: states[state],
      count: standings.filter((one) => one.state === state).length,
      tone: state,
    }))
    .filter(({ count }) => count > 0);
  return chart('chart-states', admin.byState, bars, admin.noOrders);
}

/** How long shoppers waited from their order to the confirmed payment. */
export function confirmChart(view: View, seconds: readonly number[]): Html {
  const { admin } = view.texts;
  // The texts name each span by its end in seconds, which is the start of the next span.
  const spans = Object.entries<string>(admin.spans).map(([end, label]) => ({
    end: Number(end),
    label,
  }));
  const bars = spans.map(({ end, label }, index) => {
    const start = spans[index - 1]?.end ?? 0;
    const count = seconds.filter((one) => one >= start && one < end).length;
    return { label, count, tone: 'time' };
  });
  const median = seconds.toSorted((a, b) => a - b)[Math.floor(seconds.length / 2)];
  const note = median === undefined ? '' : admin.median(admin.seconds(Math.round(median)));
  return chart(
    'chart-times',
    admin.toConfirm,
    median === undefined ? [] : bars,
    admin.nothingConfirmed,
    note,
  );
}

/** A table whose middle column is drawn: readable by eyes, and by screen readers as numbers. */
function chart(
  id: string,
  title: string,
  bars: readonly Bar[],
  empty: string,
  note: string = '',
): Html {
  const most = Math.max(1, ...bars.map(({ count }) => count));
  return html`<figure class="panel chart" data-test=${id}>
    <figcaption>
      <h2>${title}</h2>
      <span class="muted">${note}</span>
    </figcaption>
    ${
      bars.length === 0
        ? html`<p class="muted">${empty}</p>`
        : html`<table>
            <tbody>
              ${bars.map(
                ({ label, count, tone }) =>
                  html`<tr>
                    <th scope="row">${label}</th>
                    <td class="bar">
                      <svg
                        viewBox="0 0 100 10"
                        preserveAspectRatio="none"
                        aria-hidden="true"
                        width="100%"
                        height="14"
                      >
                        <rect
                          x="0"
                          y="0"
                          rx="1.5"
                          width=${count === 0 ? '0' : String(Math.max(1.5, (100 * count) / most))}
                          height="10"
                          data-tone=${tone}
                        />
                      </svg>
                    </td>
                    <td class="count">${count}</td>
                  </tr>`,
              )}
            </tbody>
          </table>`
    }
  </figure>`;
}
