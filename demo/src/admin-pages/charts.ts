import { html } from '@lit-labs/ssr';
import { paymentStates } from '../admin/admin-orders.ts';
import type { OrderStanding } from '../orders/standing.ts';
import type { Html, View } from '../pages/page.ts';

/** One bar of a chart. */
interface Bar {
  readonly label: string;
  readonly count: number;
  /** Gives the bar its colour. */
  readonly tone: string;
}

/** Upper ends of the spans of time, in seconds; the last one has none. */
const SPAN_ENDS = [10, 30, 120, 900, 7_200, Number.POSITIVE_INFINITY] as const;

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
  const bars = admin.spans.map((label, index) => ({
    label,
    count: seconds.filter((one) => spanOf(one) === index).length,
    tone: 'time',
  }));
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

function spanOf(seconds: number): number {
  return SPAN_ENDS.findIndex((end) => seconds < end);
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
