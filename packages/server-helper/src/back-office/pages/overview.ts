import type { Answer } from '../../edges/http.ts';
import { PaymentsError } from '../../errors.ts';
import type { Figures } from '../../flows/figures.ts';
import { moneyChart } from '../chart.ts';
import { type FigureDays, figuresQuery, presetFields, presets, readSpan } from '../figure-span.ts';
import { amountTag, durationText, instant, shareText } from '../format.ts';
import { html, type Html, nothing } from '../html.ts';
import { pageAnswer } from '../layout.ts';
import { linkTo, type Visit } from '../office.ts';
import { panel } from '../parts.ts';
import { overviewTexts } from '../texts/overview.ts';
import { type Waiting, waitingIn } from '../waiting.ts';

/** What waits, and the figures of a span that the address holds. */
export async function overviewPage(visit: Visit): Promise<Answer> {
  const texts = overviewTexts[visit.language];
  const span = readSpan(visit);
  const [items, figures] = await Promise.all([waitingIn(visit.office), figuresOf(visit, span)]);
  return pageAnswer(visit, {
    title: texts.title,
    section: 'overview',
    main: html`<h1>${texts.title}</h1>
      ${waiting(visit, items)}
      <section class="stack" aria-labelledby="figures">
        <h2 id="figures">${texts.figures}</h2>
        ${spanForm(visit, span)} ${figures === null ? notRead(visit) : sums(visit, figures)}
      </section>`,
  });
}

/** The figures; `null` where the store did not answer in time, since what waits is shown all the same. */
async function figuresOf({ office }: Visit, span: FigureDays): Promise<Figures | null> {
  try {
    return await office.payments.figures(figuresQuery(span, office.settings.timeZone));
  } catch (error) {
    if (error instanceof PaymentsError && error.code === 'store_unavailable') return null;
    throw error;
  }
}

const notRead = ({ language }: Visit): Html =>
  html`<p class="mistake" role="alert" data-test="not-read">${overviewTexts[language].notRead}</p>`;

function waiting(visit: Visit, items: readonly Waiting[]): Html {
  const texts = overviewTexts[visit.language];
  const content =
    items.length === 0
      ? html`<p class="muted" data-test="nothing-waits">${texts.nothingWaits}</p>`
      : html`<ul class="waits" data-test="waiting">
          ${items.map((item) => waitingItem(visit, item))}
        </ul>`;
  return panel('waiting', texts.waiting, content);
}

function waitingItem(visit: Visit, { kind, count, since, page }: Waiting): Html {
  const texts = overviewTexts[visit.language];
  const words = texts.waits[kind];
  return html`<li class="line" data-kind="${kind}">
    ${page === null ? html`<span>${words}</span>` : html`<a href="${linkTo(visit, page.address, page.query)}">${words}</a>`}
    ${
      since !== null &&
      html`<span class="muted"
        >${texts.since} ${instant(visit, new Date(since).toISOString())}</span
      >`
    }
    <strong class="end">${count}</strong>
  </li>`;
}

function spanForm(visit: Visit, span: FigureDays): Html {
  const texts = overviewTexts[visit.language];
  const links = presets.map((days) => {
    const fields = presetFields(visit, days);
    const isShown = fields['since'] === span.since && fields['until'] === span.until;
    return html`<li>
      <a href="${linkTo(visit, '', fields)}" ${isShown && html` aria-current="true"`}
        >${texts.preset(days)}</a
      >
    </li>`;
  });
  return html`<form class="filter" method="get" action="${linkTo(visit, '') || './'}">
    <nav class="presets" aria-label="${texts.spans}">
      <ul>
        ${links}
      </ul>
    </nav>
    <p class="field">
      <label for="since">${texts.from}</label
      ><input id="since" name="since" type="date" required value="${span.since}" />
    </p>
    <p class="field">
      <label for="until">${texts.to}</label
      ><input id="until" name="until" type="date" value="${span.until}" />
    </p>
    <p class="buttons"><button>${texts.show}</button></p>
    ${span.isBad && html`<p class="mistake" role="alert" data-test="bad-span">${texts.badSpan}</p>`}
  </form>`;
}

function sums(visit: Visit, figures: Figures): Html {
  const { language } = visit;
  const texts = overviewTexts[language];
  const { money } = figures.total;
  const meanings = [texts.takenMeans, texts.refundedMeans, texts.successMeans, texts.confirmMeans];
  return html`<dl class="tiles" data-test="figures">
      ${moneyTile(
        visit,
        'taken',
        texts.taken,
        money.map(({ currency, taken }) => [taken, currency]),
      )}
      ${moneyTile(
        visit,
        'refunded',
        texts.refunded,
        money.map(({ currency, refunded }) => [refunded, currency]),
      )}
      ${successTile(visit, figures)} ${confirmTile(visit, figures)} ${heldTile(visit, figures)}
    </dl>
    <div class="panel">
      ${
        money.length === 0
          ? html`<p class="muted" data-test="no-money">${texts.noMoney}</p>`
          : money.map(({ currency }) => moneyChart(visit, figures, currency))
      }
      <details>
        <summary>${texts.means}</summary>
        <ul class="meanings">
          ${meanings.map((meaning) => html`<li>${meaning}</li>`)}
        </ul>
      </details>
    </div>`;
}

const tile = (
  name: string,
  label: string,
  value: Html | readonly Html[],
  below: Html = nothing,
): Html =>
  html`<div class="panel" data-figure="${name}">
    <dt>${label}</dt>
    <dd class="value">${value}</dd>
    ${below}
  </div>`;

const belowValue = (words: string): Html => html`<dd class="below">${words}</dd>`;

function moneyTile(
  { language }: Visit,
  name: string,
  label: string,
  amounts: readonly (readonly [amount: string, currency: string])[],
): Html {
  const some = amounts.length === 0 ? ([['0.00', 'SAR']] as const) : amounts;
  const tags = some.map(
    ([amount, currency]) => html`<span>${amountTag(language, amount, currency)}</span>`,
  );
  return tile(name, label, tags);
}

function successTile({ language }: Visit, { total }: Figures): Html {
  const texts = overviewTexts[language];
  const { succeeded, failed, open } = total.created;
  const { successRate } = total;
  const ended = texts.ofEnded(String(succeeded), String(succeeded + failed));
  return tile(
    'success',
    texts.success,
    html`<bdi>${successRate === null ? '–' : shareText(language, successRate)}</bdi>`,
    html`${belowValue(ended)}${open > 0 && belowValue(texts.open(String(open)))}`,
  );
}

function confirmTile({ language }: Visit, { total }: Figures): Html {
  const texts = overviewTexts[language];
  const { medianMs, p95Ms } = total.timeToConfirm;
  return tile(
    'confirm',
    texts.confirm,
    html`<bdi>${medianMs === null ? '–' : durationText(language, medianMs)}</bdi>`,
    p95Ms === null ? nothing : belowValue(texts.p95(durationText(language, p95Ms))),
  );
}

/** Held money is of this moment and of no span; a shop that holds none needs no tile. */
function heldTile(visit: Visit, { held }: Figures): Html {
  if (held.length === 0) return nothing;
  const texts = overviewTexts[visit.language];
  const link = html`<dd class="below">
    <a href="${linkTo(visit, 'orders', { state: 'authorized' })}">${texts.waits.held}</a>
  </dd>`;
  const amounts = held.map(
    ({ amount, currency }) => html`<span>${amountTag(visit.language, amount, currency)}</span>`,
  );
  return tile('held', texts.held, amounts, link);
}
