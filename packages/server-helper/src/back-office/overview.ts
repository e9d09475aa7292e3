import type { DayFigures, Figures } from '../index.ts';
import { isDay } from '../days.ts';
import { type Answer, dayAt, MAX_DAYS, nextDay } from '../parts.ts';
import { PaymentsError } from '../errors.ts';
import {
  amountTag,
  amountText,
  byLanguage,
  dayText,
  durationText,
  field,
  html,
  type Html,
  instant,
  nothing,
  panel,
  shareText,
} from './html.ts';
import { backlogIn, counted, pageAnswer } from './layout.ts';
import { type Fields, linkTo, type Office, type Visit } from './visit.ts';

/** What waits, and the figures of a span that the address holds. */
export async function overviewPage(visit: Visit): Promise<Answer> {
  const texts = overviewTexts[visit.language];
  const span = readSpan(visit);
  const [items, figures] = await Promise.all([waitingIn(visit.office), figuresOf(visit, span)]);
  const notRead = html`<p class="mistake" role="alert" data-test="not-read">${texts.notRead}</p>`;
  return pageAnswer(visit, {
    title: texts.title,
    section: 'overview',
    main: html`<h1>${texts.title}</h1>
      ${waiting(visit, items)}
      <section class="stack" aria-labelledby="figures">
        <h2 id="figures">${texts.figures}</h2>
        ${spanForm(visit, span)} ${figures === null ? notRead : sums(visit, figures)}
      </section>`,
  });
}

/** The figures; `null` where the store did not answer in time, since what waits is shown all the same. */
async function figuresOf({ office }: Visit, span: FigureDays): Promise<Figures | null> {
  const { since, until } = span;
  const { timeZone } = office.settings;
  try {
    return await office.payments.figures({ since, until: nextDay(until), timeZone });
  } catch (error) {
    if (error instanceof PaymentsError && error.code === 'store_unavailable') return null;
    throw error;
  }
}

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
    const fields = lastDays(visit, days);
    const isShown = fields.since === span.since && fields.until === span.until;
    return html`<li>
      <a href="${linkTo(visit, '', fields)}" ${isShown && html` aria-current="true"`}
        >${texts.presets[days]}</a
      >
    </li>`;
  });
  return html`<form class="filter" method="get" action="${linkTo(visit, '') || './'}">
    <nav class="presets" aria-label="${texts.spans}">
      <ul>
        ${links}
      </ul>
    </nav>
    ${field({ id: 'since', label: texts.from, value: span.since }, html`type="date" required`)}
    ${field({ id: 'until', label: texts.to, value: span.until }, html`type="date"`)}
    <p class="buttons"><button>${texts.show}</button></p>
    ${span.isBad && html`<p class="mistake" role="alert" data-test="bad-span">${texts.badSpan}</p>`}
  </form>`;
}

function sums(visit: Visit, figures: Figures): Html {
  const { language } = visit;
  const texts = overviewTexts[language];
  const { money } = figures.total;
  const some = money.length === 0 ? [{ taken: '0.00', refunded: '0.00', currency: 'SAR' }] : money;
  const sum = (name: 'taken' | 'refunded'): Html =>
    tile(
      name,
      texts[name],
      some.map((one) => amountLine(visit, one[name], one.currency)),
    );
  const meanings = [texts.takenMeans, texts.refundedMeans, texts.successMeans, texts.confirmMeans];
  return html`<dl class="tiles" data-test="figures">
      ${sum('taken')} ${sum('refunded')} ${successTile(visit, figures)}
      ${confirmTile(visit, figures)} ${heldTile(visit, figures)}
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

const tile = (name: string, label: string, value: Html | readonly Html[], below = nothing): Html =>
  html`<div class="panel" data-figure="${name}">
    <dt>${label}</dt>
    <dd class="value">${value}</dd>
    ${below}
  </div>`;

const belowValue = (words: string): Html => html`<dd class="below">${words}</dd>`;

const amountLine = ({ language }: Visit, amount: string, currency: string): Html =>
  html`<span>${amountTag(language, amount, currency)}</span>`;

function successTile({ language }: Visit, { total }: Figures): Html {
  const texts = overviewTexts[language];
  const { succeeded, failed, open } = total.created;
  const { successRate } = total;
  const ended = succeeded + failed;
  return tile(
    'success',
    texts.success,
    html`<bdi>${successRate === null ? '–' : shareText(language, successRate)}</bdi>`,
    html`${belowValue(texts.ofEnded({ succeeded, ended }))}
    ${open > 0 && belowValue(texts.open({ count: open }))}`,
  );
}

function confirmTile({ language }: Visit, { total }: Figures): Html {
  const texts = overviewTexts[language];
  const { medianMs, p95Ms } = total.timeToConfirm;
  return tile(
    'confirm',
    texts.confirm,
    html`<bdi>${medianMs === null ? '–' : durationText(language, medianMs)}</bdi>`,
    html`${p95Ms !== null && belowValue(texts.p95({ time: durationText(language, p95Ms) }))}`,
  );
}

/** Held money is of this moment and of no span; a shop that holds none needs no tile. */
function heldTile(visit: Visit, { held }: Figures): Html {
  if (held.length === 0) return nothing;
  const texts = overviewTexts[visit.language];
  const link = html`<dd class="below">
    <a href="${linkTo(visit, 'orders', { state: 'authorized' })}">${texts.waits.held}</a>
  </dd>`;
  const amounts = held.map(({ amount, currency }) => amountLine(visit, amount, currency));
  return tile('held', texts.held, amounts, link);
}

/** Something that waits, and where a person acts on it. */
interface Waiting {
  readonly kind: keyof (typeof overviewTexts)['en']['waits'];
  /** How many; empty where that says nothing. */
  readonly count: string;
  /** Milliseconds since the epoch of the oldest one, where that is known. */
  readonly since: number | null;
  /** The page to act on below the mount; `null` where the kit goes on by itself. */
  readonly page: { readonly address: string; readonly query?: Fields } | null;
}

/** The kit does so much within seconds; older work waits because something is wrong. */
const OVERDUE_MS = 60_000;

/** What waits at this moment, for a person first; empty where all is well. */
export async function waitingIn({ parts, payments }: Office): Promise<readonly Waiting[]> {
  const [backlog, proposals] = await backlogIn({ parts });
  const { oldestDueAt, oldestUnknownAt, oldestFailingAt } = backlog;
  const { oldestUndeliveredAt: undeliveredAt } = backlog;
  const isHeldBack = Object.values(payments.gateway.breakers()).includes('open');
  const review = { address: 'review' };
  const pending = { address: 'orders', query: { state: 'pending' } };
  const gateway = { address: 'gateway' };
  const overdue = (at: number | null, count: number): string =>
    (at ?? Infinity) < parts.clock.now() - OVERDUE_MS ? counted(count) : '0';
  type Row = readonly [Waiting['kind'], count: string, Waiting['since'], Waiting['page']];
  const rows: readonly Row[] = [
    ['reviews', counted(backlog.openReviews), null, review],
    ['proposals', counted(proposals.length), proposals[0]?.createdAt ?? null, review],
    ['deadLetters', counted(backlog.deadLetters), null, review],
    ['unknown', oldestUnknownAt === null ? '0' : '', oldestUnknownAt, review],
    ['failing', counted(backlog.failingOrders), oldestFailingAt, pending],
    ['overdue', overdue(oldestDueAt, backlog.dueAttempts), oldestDueAt, pending],
    ['undelivered', overdue(undeliveredAt, backlog.undelivered), undeliveredAt, null],
    ['breaker', isHeldBack ? '' : '0', null, gateway],
  ];
  return rows
    .filter(([, count]) => count !== '0')
    .map(([kind, count, since, page]) => ({ kind, count, since, page }));
}

/** The spans that one press shows, in days that end today. */
const presets = [1, 7, 30, 90] as const;

/** What is shown where the address names no span: short, since every visit begins here. */
const DEFAULT_DAYS = 7;
const DAY_MS = 86_400_000;

/** The days that the figures are of, both included. */
interface FigureDays {
  readonly since: string;
  readonly until: string;
  /** Whether the address named days that could not be read. */
  readonly isBad: boolean;
}

function readSpan(visit: Visit): FigureDays {
  const { since = '', until = '' } = visit.query;
  const shown = lastDays(visit, DEFAULT_DAYS);
  if (since === '' && until === '') return { ...shown, isBad: false };
  const last = until === '' ? shown.until : until;
  const isGood =
    isDay(since) && isDay(last) && since <= last && daysBetween(since, last) < MAX_DAYS;
  return isGood ? { since, until: last, isBad: false } : { ...shown, isBad: true };
}

function lastDays({ office }: Visit, days: number) {
  const today = dayAt(office.parts.clock.now(), office.settings.timeZone);
  const first = new Date(Date.parse(today) - (days - 1) * DAY_MS);
  return { since: first.toISOString().slice(0, 10), until: today };
}

const daysBetween = (since: string, until: string): number =>
  (Date.parse(until) - Date.parse(since)) / DAY_MS;

/** The drawing's own units: a day is so wide, with a gap beside it, and all bars are so high. */
const DAY = 10;
const GAP = 3;
const HEIGHT = 100;

/** The money of one currency on one day, as amounts and as heights to draw. */
interface Bar extends Pick<DayFigures, 'day' | 'created'> {
  readonly taken: string;
  readonly refunded: string;
  readonly up: number;
  readonly down: number;
}

/** What was taken and refunded by day: drawn for eyes, and a table with the same numbers. */
function moneyChart(visit: Visit, { days }: Figures, currency: string): Html {
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
      ${table(visit, bars, currency)}
    </details>
  </figure>`;
}

function barOf({ day, created, money }: DayFigures, currency: string): Bar {
  const own = money.find((one) => one.currency === currency);
  const { taken = '0.00', refunded = '0.00' } = own ?? {};
  // Heights only: amounts are shown as they are.
  return { day, created, taken, refunded, up: Math.max(0, Number(taken)), down: Number(refunded) };
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

function table({ language }: Visit, bars: readonly Bar[], currency: string): Html {
  const texts = overviewTexts[language];
  const label = texts.chart({ currency });
  const heads = [texts.taken, texts.refunded, texts.created, texts.succeeded];
  const rows = bars.map(
    ({ day, taken, refunded, created }) =>
      html`<tr>
        <th scope="row"><time datetime="${day}">${dayText(language, day)}</time></th>
        <td class="number">${amountTag(language, taken, currency)}</td>
        <td class="number">${amountTag(language, refunded, currency)}</td>
        <td class="number">${created.all}</td>
        <td class="number">${created.succeeded}</td>
      </tr>`,
  );
  return html`<div class="scroll" role="region" aria-label="${label}" tabindex="0">
    <table class="days" data-test="chart-table">
      <thead>
        <tr>
          <th scope="col">${texts.day}</th>
          ${heads.map((head) => html`<th scope="col" class="number">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

const overviewTexts = byLanguage({
  title: ['Overview', 'نظرة عامة'],
  waiting: ['What waits', 'بانتظار إجراء'],
  nothingWaits: `Nothing waits: no decision, no overdue check, no undelivered event.
    لا شيء معلّق: لا قرار مطلوب، ولا تحقق متأخر، ولا حدث لم يُسلَّم.`,
  since: ['since', 'منذ'],
  waits: {
    reviews: ['Payments that need a decision', 'دفعات تحتاج إلى قرار'],
    proposals: ['Refunds that wait for approval', 'عمليات استرداد تنتظر الموافقة'],
    deadLetters: ['Events that your handlers failed to take', 'أحداث تعذّر على متجرك استلامها'],
    unknown: ['Refunds or charges whose outcome is unknown', 'عمليات لا تُعرف نتيجتها'],
    failing: ['Orders whose status checks fail', 'طلبات يتعذّر التحقق من حالتها'],
    overdue: ['Status checks that are overdue', 'عمليات تحقق متأخرة'],
    undelivered: ['Events that are not delivered yet', 'أحداث لم تُسلَّم بعد'],
    breaker: `The gateway is held back: it kept failing
      أوقفنا الاتصال بالبوابة مؤقتًا لتكرر أعطالها`,
    held: ['Authorizations to capture or void', 'مبالغ محجوزة لم تُحصَّل ولم يُفك حجزها'],
  },
  spans: ['Time span', 'المدة'],
  presets: {
    1: ['Today', 'اليوم'],
    7: ['7 days', 'آخر 7 أيام'],
    30: ['30 days', 'آخر 30 يومًا'],
    90: ['90 days', 'آخر 90 يومًا'],
  },
  from: ['From', 'من تاريخ'],
  to: ['To', 'إلى تاريخ'],
  show: ['Show', 'عرض'],
  badSpan: `A day is written as 2026-11-23; the first must not be behind the last, and a span has 366 days at most. The last 7 days are shown.
    يُكتب التاريخ بالصيغة 2026-11-23، ويجب ألا يكون الأول بعد الأخير، وألا تتجاوز المدة 366 يومًا. المعروض آخر 7 أيام.`,
  notRead: `The figures could not be read in time. Choose a shorter span, or try again later.
    تعذّرت قراءة الأرقام في الوقت المتاح. اختر مدة أقصر، أو حاول لاحقًا.`,
  figures: ['Figures', 'الأرقام'],
  taken: ['Taken', 'المحصّل'],
  refunded: ['Refunded', 'المسترد'],
  held: ['Held now', 'المحجوز الآن'],
  success: ['Success', 'نسبة النجاح'],
  ofEnded: `{succeeded} of {ended} that ended
    {succeeded} من أصل {ended} انتهت`,
  open: ['{count} still open', '{count} لم تنتهِ بعد'],
  confirm: ['Time to confirm', 'زمن التأكيد'],
  p95: ['95% within {time}', '95% خلال {time}'],
  noMoney: ['No money moved in this span.', 'لا توجد حركات مالية في هذه المدة.'],
  chart: ['By day, {currency}', 'حسب اليوم، {currency}'],
  chartMost: ['Highest day', 'أعلى يوم'],
  asTable: ['As a table', 'عرض كجدول'],
  day: ['Day', 'اليوم'],
  created: ['Created', 'المنشأة'],
  succeeded: ['Succeeded', 'الناجحة'],
  means: ['What these figures mean', 'معنى هذه الأرقام'],
  takenMeans: `Taken is what the gateway confirmed on that day, captures and recurring charges included, and also money that came late, twice or is in review.
    المحصّل هو ما أكدته البوابة في ذلك اليوم، ومنه تحصيل المبالغ المحجوزة والخصم الدوري، وكذلك ما وصل متأخرًا أو مكررًا أو ما زال قيد المراجعة.`,
  refundedMeans: `Refunded is what the gateway showed as refunded on that day, whenever it was taken and wherever the refund was made.
    المسترد هو ما أظهرت البوابة استرداده في ذلك اليوم، أيًّا كان تاريخ الدفع ومكان تنفيذ الاسترداد.`,
  successMeans: `Success counts the payments created in the span, by how they stand now: with money, beside declined and expired ones.
    نسبة النجاح للدفعات المنشأة خلال المدة بحسب حالتها الآن: الناجحة مقارنةً بالمرفوضة والمنتهية.`,
  confirmMeans: `Time to confirm runs from the payment link to the recorded payment; most of it is the shopper’s own.
    زمن التأكيد من إنشاء رابط الدفع حتى تسجيل الدفعة، ويقضي المتسوق أغلبه في الدفع.`,
});
