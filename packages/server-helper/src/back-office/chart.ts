import type { DayFigures, Figures } from '../flows/figures.ts';
import { amountTag, amountText, dayText } from './format.ts';
import { html, type Html } from './html.ts';
import type { Visit } from './office.ts';
import { overviewTexts } from './texts/overview.ts';

/** The drawing's own units: a day is so wide, with a gap beside it, and all bars are so high. */
const DAY = 10;
const GAP = 3;
const HEIGHT = 100;

/** The money of one currency on one day, as amounts and as heights to draw. */
interface Bar {
  readonly day: string;
  readonly taken: string;
  readonly refunded: string;
  readonly up: number;
  readonly down: number;
}

/** What was taken and refunded by day: drawn for eyes, and a table with the same numbers. */
export function moneyChart(visit: Visit, { days }: Figures, currency: string): Html {
  const { language } = visit;
  const texts = overviewTexts[language];
  const bars = days.map((one) => barOf(one, currency));
  const [first, last] = [bars[0]?.day ?? '', bars.at(-1)?.day ?? ''];
  const most = bars.toSorted((a, b) => b.up - a.up)[0]?.taken ?? '0.00';
  return html`<figure class="chart" data-test="chart" data-currency="${currency}">
    <figcaption class="line">
      <span class="key taken">${texts.taken}</span>
      <span class="key refunded">${texts.refunded}</span>
      <span class="end muted">${texts.chartMost}: ${amountTag(language, most, currency)}</span>
    </figcaption>
    ${drawing(visit, bars, currency)}
    <p class="ends muted" aria-hidden="true">
      <span>${dayText(language, first)}</span> <span>${dayText(language, last)}</span>
    </p>
    <details>
      <summary>${texts.asTable}</summary>
      ${table(visit, days, bars, currency)}
    </details>
  </figure>`;
}

function barOf({ day, money }: DayFigures, currency: string): Bar {
  const own = money.find((one) => one.currency === currency);
  const { taken = '0.00', refunded = '0.00' } = own ?? {};
  // Heights only: amounts are shown as they are.
  return { day, taken, refunded, up: Math.max(0, Number(taken)), down: Number(refunded) };
}

/** Taken above the line, refunded below; time goes as the language is read. */
function drawing({ language }: Visit, bars: readonly Bar[], currency: string): Html {
  const up = Math.max(...bars.map((bar) => bar.up));
  const down = Math.max(...bars.map((bar) => bar.down));
  const scale = HEIGHT / Math.max(up + down, 1);
  const zero = up * scale;
  const width = bars.length * DAY;
  const columns = bars.map((bar, index) => {
    const x = (language === 'ar' ? bars.length - 1 - index : index) * DAY + GAP / 2;
    const words = `${dayText(language, bar.day)}: ${amountText(language, bar.taken, currency)} / ${amountText(language, bar.refunded, currency)}`;
    return html`<g
      ><title>${words}</title
      ><rect class="room" x="${x}" y="0" width="${DAY - GAP}" height="${HEIGHT}" /><rect
        class="taken"
        x="${x}"
        y="${drawn(zero - bar.up * scale)}"
        width="${DAY - GAP}"
        height="${drawn(bar.up * scale)}" /><rect
        class="refunded"
        x="${x}"
        y="${drawn(zero)}"
        width="${DAY - GAP}"
        height="${drawn(bar.down * scale)}"
    /></g>`;
  });
  return html`<svg
    class="bars"
    aria-hidden="true"
    viewBox="0 0 ${width} ${HEIGHT}"
    preserveAspectRatio="none"
  >
    ${columns}
    <line x1="0" x2="${width}" y1="${drawn(zero)}" y2="${drawn(zero)}" />
  </svg>`;
}

const drawn = (length: number): string => length.toFixed(2);

function table(
  { language }: Visit,
  days: readonly DayFigures[],
  bars: readonly Bar[],
  currency: string,
): Html {
  const texts = overviewTexts[language];
  const rows = bars.map(
    ({ day, taken, refunded }, index) =>
      html`<tr>
        <th scope="row"><time datetime="${day}">${dayText(language, day)}</time></th>
        <td class="number">${amountTag(language, taken, currency)}</td>
        <td class="number">${amountTag(language, refunded, currency)}</td>
        <td class="number">${days[index]?.created.all ?? 0}</td>
        <td class="number">${days[index]?.created.succeeded ?? 0}</td>
      </tr>`,
  );
  return html`<div class="scroll" role="region" aria-label="${texts.chart(currency)}" tabindex="0">
    <table class="days" data-test="chart-table">
      <thead>
        <tr>
          <th scope="col">${texts.day}</th>
          <th scope="col" class="number">${texts.taken}</th>
          <th scope="col" class="number">${texts.refunded}</th>
          <th scope="col" class="number">${texts.created}</th>
          <th scope="col" class="number">${texts.succeeded}</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}
