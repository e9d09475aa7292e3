import type { Answer } from '../edges/http.ts';
import { ConfigurationError } from '../errors.ts';
import type { Explanation, ExplainedAttempt } from '../flows/list-payments.ts';
import type { MoneyOperation } from '../flows/views.ts';
import type { StatusRow } from '../payments/answer.ts';
import { describeEntry } from '../payments/timeline-text.ts';
import type { TimelineEntry } from '../payments/timeline.ts';
import { type Action, actionAnswer, actionForm, type Deed } from './action.ts';
import {
  amountTag,
  instant,
  html,
  Html,
  nothing,
  fact,
  panel,
  stateBadge,
  stateTexts,
  amountText,
  badge,
  code,
  byLanguage,
  isolated,
} from './html.ts';
import { pageAnswer, problemAnswer } from './layout.ts';
import { findMatter } from './matters.ts';
import { charge, capture, voidHeld, refund } from './money-actions.ts';
import type { OrderDescription } from './options.ts';
import {
  findOrder,
  type OrderCase,
  orderActionTexts,
  confirmNow,
  giveUp,
  reopen,
} from './order-actions.ts';
import { describeOrder } from './orders.ts';
import { redeliver } from './review-actions.ts';
import { reviewTexts, matterDeed } from './review.ts';
import { linkTo, orderAddress, type Visit } from './visit.ts';

const deedOf = (action: Action<OrderCase>, subject: OrderCase): Deed<OrderCase> => ({
  action,
  subject,
  page: orderAddress(subject.record.payment.orderId),
  section: 'orders',
});

/** Answers one action about an order. */
export async function orderActionPage(
  visit: Visit,
  orderId: string,
  action: Action<OrderCase>,
): Promise<Answer> {
  const found = await findOrder(visit, orderId);
  if (found === null) return problemAnswer(visit, 'not_found', { back: 'orders' });
  return actionAnswer(visit, deedOf(action, found));
}

/** Everything about one order, and what can be done about it now. */
export async function orderPage(visit: Visit, orderId: string): Promise<Answer> {
  const { language } = visit;
  const found = await findOrder(visit, orderId);
  if (found === null) return problemAnswer(visit, 'not_found', { back: 'orders' });
  const { explanation } = found;
  const texts = orderTexts[language];
  const described = await describeOrder(visit, orderId);
  return pageAnswer(visit, {
    title: texts.title(orderId),
    section: 'orders',
    main: html`<p class="up"><a href="${linkTo(visit, 'orders')}">${texts.all}</a></p>
      ${heading(visit, explanation, described)}
      <div class="columns">
        <div class="stack">
          ${await actions(visit, found)} ${await payLink(visit, explanation)}
          ${merchantsWords(visit, described)} ${transactions(visit, explanation)}
          ${operations(visit, explanation)} ${reviews(visit, explanation)}
        </div>
        <div class="stack">
          ${timeline(visit, explanation)} ${attempts(visit, explanation)}
          ${await events(visit, explanation)}
        </div>
      </div>`,
  });
}

function heading(visit: Visit, { payment }: Explanation, { title }: OrderDescription): Html {
  const { language } = visit;
  const { orderId, amount, currency, refunded, state, createdAt, updatedAt } = payment;
  const texts = orderTexts[language];
  return html`<div class="summary">
    <h1>${texts.title(orderId)}</h1>
    ${title !== undefined && html`<p class="muted"><bdi>${title}</bdi></p>`}
    <p class="total" data-test="order-amount">${amountTag(language, amount, currency)}</p>
    <p class="badges">${stateBadge(visit, payment, 'order-state')}</p>
    <p>${stateTexts[language].meaning[state]}</p>
    <dl class="facts">
      ${
        refunded === '0.00'
          ? nothing
          : fact(
              texts.refunded,
              html`<span data-test="refunded">${amountTag(language, refunded, currency)}</span>`,
            )
      }
      ${fact(texts.created, instant(visit, createdAt))}
      ${fact(texts.updated, instant(visit, updatedAt))}
    </dl>
  </div>`;
}

async function actions(visit: Visit, found: OrderCase): Promise<Html> {
  const texts = orderActionTexts[visit.language];
  const forms: Html[] = [];
  for (const action of orderActions) {
    const form = await actionForm(visit, deedOf(action, found));
    if (form !== nothing) forms.push(form);
  }
  const content = forms.length === 0 ? html`<p class="muted">${texts.none}</p>` : forms;
  return panel('actions', texts.heading, content);
}

function merchantsWords({ language }: Visit, description: OrderDescription): Html {
  const { customer, url, lines = [] } = description;
  if (customer === undefined && url === undefined && lines.length === 0) return nothing;
  const texts = orderTexts[language];
  return panel(
    'shop',
    texts.merchantOrder,
    html`<dl class="facts">
        ${customer !== undefined && fact(texts.customer, html`<bdi>${customer}</bdi>`)}
      </dl>
      ${
        lines.length > 0 &&
        html`<ul>
          ${lines.map((line) => html`<li><bdi>${line}</bdi></li>`)}
        </ul>`
      }
      ${url !== undefined && html`<p><a href="${url}" rel="noreferrer">${texts.open}</a></p>`}`,
  );
}

/** What a person can do about an order, in the order in which its page shows it. */
export const orderActions: readonly Action<OrderCase>[] = [
  capture,
  voidHeld,
  refund,
  charge,
  confirmNow,
  reopen,
  giveUp,
];

/** States in which a customer can still pay the order. */
const payable: ReadonlySet<string> = new Set(['unpaid', 'pending', 'failed', 'expired']);

/** The order's stable address to send, and its picture where the package `qr` is installed. */
async function payLink(visit: Visit, { payment }: Explanation): Promise<Html> {
  const { orderId, state, cancelled } = payment;
  const address = payable.has(state) && !cancelled ? addressOf(visit, orderId) : null;
  if (address === null) return nothing;
  const texts = orderTexts[visit.language];
  const picture = await pictureOf(address, texts.qr(orderId));
  return panel(
    'pay-link',
    texts.payLink,
    html`<p class="hint">${texts.payLinkHint}</p>
      <p class="link">
        <code dir="ltr" data-copy="${texts.payLink}" data-test="pay-link">${address}</code>
      </p>
      ${picture !== null && html`<div class="qr" data-test="qr">${picture}</div>`}`,
  );
}

/** `null` where the shop left the link route out. */
function addressOf({ office }: Visit, orderId: string): string | null {
  try {
    return office.payments.payLink(orderId);
  } catch (error) {
    if (error instanceof ConfigurationError) return null;
    throw error;
  }
}

/** `null` where the optional package is not installed. */
async function pictureOf(address: string, label: string): Promise<Html | null> {
  try {
    const { qrSvg } = await import('../qr.ts');
    return new Html(qrSvg(address, { label }));
  } catch {
    return null;
  }
}

/** The attempts of an order, the latest first. */
function attempts(visit: Visit, { attempts: all, payment }: Explanation): Html {
  const texts = orderTexts[visit.language];
  if (all.length === 0) return nothing;
  const items = all.toReversed().map((one) => attempt(visit, one, payment.currency));
  return panel(
    'attempts',
    texts.attempts,
    html`<ul class="cards" data-test="attempts">
      ${items}
    </ul>`,
  );
}

function attempt(visit: Visit, one: ExplainedAttempt, currency: string): Html {
  const { language } = visit;
  const texts = orderTexts[language];
  const states = stateTexts[language];
  const { number, kind, state, amount, merchantOrderId, sessionId, redirectUrl } = one;
  return html`<li>
    <p class="line">
      <strong>${texts.attempt(number)}</strong> ${badge(state, states.attempt[state])}
      <span class="end">${amountTag(language, amount, currency)}</span>
    </p>
    <dl class="facts small">
      ${fact(states.means[kind], code(merchantOrderId))}
      ${sessionId !== null && fact(texts.session, code(sessionId))}
      ${fact(texts.at, instant(visit, one.createdAt))}
      ${state === 'open' && fact(texts.expires, instant(visit, one.expiresAt))}
      ${one.lastCheckAt !== null && fact(texts.lastCheck, instant(visit, one.lastCheckAt))}
      ${fact(texts.nextCheck, one.nextCheckAt === null ? texts.never : instant(visit, one.nextCheckAt))}
    </dl>
    ${
      redirectUrl !== null &&
      state === 'open' &&
      html`<p><a href="${redirectUrl}" rel="noreferrer" target="_blank">${texts.hostedPage}</a></p>`
    }
  </li>`;
}

/** Each transaction of an order, its role, and what was refunded of it. */
function transactions(visit: Visit, { transactions: all }: Explanation): Html {
  const { language } = visit;
  const texts = orderTexts[language];
  if (all.length === 0) return nothing;
  const items = all.map(({ transactionId, kind, amount, currency, refunded, recordedAt }) => {
    const given = refunded === '0.00' ? '' : amountText(language, refunded, currency);
    return html`<li>
      <p class="line">
        ${badge(kind, stateTexts[language].role[kind])}
        <span class="end">${amountTag(language, amount, currency)}</span>
      </p>
      <p class="line muted">
        <span data-copy="${transactionId}">${code(transactionId)}</span>
        ${given !== '' && html`<span class="end">${texts.ofWhichRefunded(given)}</span>`}
      </p>
      <p class="muted">${instant(visit, recordedAt)}</p>
    </li>`;
  });
  return panel(
    'transactions',
    texts.transactions,
    html`<ul class="cards" data-test="transactions">
      ${items}
    </ul>`,
  );
}

/** The money operations of an order, the latest first. */
function operations(visit: Visit, { operations: all }: Explanation): Html {
  const texts = orderTexts[visit.language];
  if (all.length === 0) return nothing;
  const items = all.toReversed().map((one) => operation(visit, one));
  return panel(
    'operations',
    texts.operations,
    html`<ul class="cards" data-test="operations">
      ${items}
    </ul>`,
  );
}

function operation(visit: Visit, one: MoneyOperation): Html {
  const { language } = visit;
  const texts = orderTexts[language];
  const states = stateTexts[language];
  const { kind, state, amount, currency, requestId, reference, reason } = one;
  const people = [
    [texts.requestedBy, one.requestedBy],
    [texts.approvedBy, one.approvedBy],
    [texts.resolvedBy, one.resolvedBy],
  ] as const;
  return html`<li data-kind="${kind}" data-state="${state}">
    <p class="line">
      <strong>${states.operationKind[kind]}</strong> ${badge(state, states.operation[state])}
      <span class="end">${amountTag(language, amount, currency)}</span>
    </p>
    <dl class="facts small">
      ${fact(texts.at, instant(visit, one.createdAt))}
      ${reason !== null && fact(texts.reason, html`<bdi>${outcomeText(language, reason)}</bdi>`)}
      ${people.map(([name, by]) => (by === null ? nothing : fact(name, html`<bdi>${by}</bdi>`)))}
      ${fact(texts.requestId, code(requestId))}
      ${reference !== null && fact(texts.reference, code(reference))}
    </dl>
  </li>`;
}

/** Everything that happened to an order, the oldest first, in the reader's language. */
function timeline(visit: Visit, { timeline: all }: Explanation): Html {
  const { language } = visit;
  const items = all.map(
    (entry) =>
      html`<li data-kind="${entry.kind}">
        <p class="line">
          <strong>${stateTexts[language].entry[entry.kind]}</strong>
          <span class="end muted">${instant(visit, entry.at)}</span>
        </p>
        <p>
          ${describeEntry(entry, language)}
          ${entry.kind === 'review' && html`<span class="muted">${code(entry.reason)}</span>`}
        </p>
        ${evidence(visit, entry)}
      </li>`,
  );
  return panel(
    'timeline',
    orderTexts[language].timeline,
    html`<ol class="timeline" data-test="admin-timeline">
      ${items}
    </ol>`,
  );
}

/** The words of the gateway behind an entry, as it wrote them. */
function evidence({ language }: Visit, entry: TimelineEntry): Html {
  if (entry.kind !== 'evidence' || entry.rows.length === 0) return nothing;
  return html`<details>
    <summary>${orderTexts[language].evidence}</summary>
    ${entry.rows.map((row) => html`<dl class="raw" dir="ltr">${rawFacts(row)}</dl>`)}
  </details>`;
}

const rawFacts = (row: StatusRow): readonly Html[] =>
  Object.entries(row)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => fact(name, code(String(value))));

/** The reviews of an order, open ones first. */
function reviews(visit: Visit, { reviews: all }: Explanation): Html {
  const { language } = visit;
  const texts = orderTexts[language];
  if (all.length === 0) return nothing;
  const isOpen = ({ resolvedAt }: (typeof all)[number]): boolean => resolvedAt === null;
  const items = all
    .toSorted((one, other) => Number(isOpen(other)) - Number(isOpen(one)))
    .map((one) => {
      const { reason, about, createdAt, resolution, resolvedBy } = one;
      return html`<li data-reason="${reason}">
        <p class="line">
          <strong>${reviewTexts[language].reasons[reason].title}</strong>
          ${isOpen(one) ? badge('review', texts.openReview) : badge('done', texts.resolved)}
        </p>
        <p class="muted">${code(about)} · ${instant(visit, createdAt)}</p>
        ${resolution !== null && html`<p><bdi>${outcomeText(language, resolution)}</bdi>${resolvedBy !== null && html` <span class="muted">— <bdi>${resolvedBy}</bdi></span>`}</p>`}
      </li>`;
    });
  const link = all.some(isOpen)
    ? html`<p><a href="${linkTo(visit, 'review')}">${texts.toReview}</a></p>`
    : nothing;
  return panel(
    'reviews',
    texts.reviews,
    html`<ul class="cards">
        ${items}
      </ul>
      ${link}`,
  );
}

/** The events that the shop's handlers get, and how their deliveries ended. */
async function events(visit: Visit, { effects }: Explanation): Promise<Html> {
  const texts = orderTexts[visit.language];
  if (effects.length === 0) return nothing;
  const items = await Promise.all(effects.map((one) => event(visit, one)));
  return panel(
    'events',
    texts.events,
    html`<ul class="cards" data-test="events">
      ${items}
    </ul>`,
  );
}

/** An event is delivered again by the question that the review list leads to. */
async function event(visit: Visit, effect: Explanation['effects'][number]): Promise<Html> {
  const { language } = visit;
  const { eventId, type, outcome, tries, occurredAt } = effect;
  const matter = outcome === 'dead' ? await findMatter(visit, eventId) : null;
  const isLeft = outcome === 'waiting' && !visit.office.parts.handled.includes(type);
  const state = isLeft ? 'unhandled' : outcome;
  const tried = orderTexts[language].tries(tries);
  return html`<li>
    <p class="line">
      ${code(type)} ${badge(state, stateTexts[language].delivery[state])}
      <span class="end muted">${instant(visit, occurredAt)}</span>
    </p>
    <p class="muted">${code(eventId)}${tries > 1 && html` · ${tried}`}</p>
    ${
      matter !== null &&
      html`<div class="actions">${await actionForm(visit, matterDeed(redeliver, matter))}</div>`
    }
  </li>`;
}

/** The texts of an order's page. */
const orderTexts = byLanguage({
  title: (orderId: string) => [`Order ${isolated(orderId)}`, `الطلب ${isolated(orderId)}`],
  all: ['All orders', 'كل الطلبات'],
  amount: ['Amount', 'المبلغ'],
  refunded: ['Refunded', 'المسترد'],
  left: ['Left', 'المتبقي'],
  created: ['Created', 'أُنشئت الدفعة'],
  updated: ['Last change', 'آخر تغيير'],
  customer: ['Customer', 'العميل'],
  merchantOrder: ['Order in the shop', 'الطلب في المتجر'],
  open: ['Open it in the shop', 'فتحه في المتجر'],
  session: ['Session', 'جلسة الدفع'],
  payLink: ['Payment link', 'رابط الدفع'],
  payLinkHint: `Send it to the customer. It always leads to a link that can be paid, or to the thanks page once the order is paid.
    أرسله إلى العميل. يقود دائمًا إلى رابط صالح للدفع، أو إلى صفحة الشكر بعد الدفع.`,
  qr: (orderId: string) => [`QR code: pay order ${orderId}`, `رمز QR لدفع الطلب ${orderId}`],
  attempts: ['Attempts', 'المحاولات'],
  attempt: (number: number) => [`Attempt ${number}`, `المحاولة ${number}`],
  expires: ['Ends', 'ينتهي'],
  lastCheck: ['Checked', 'آخر تحقق'],
  nextCheck: ['Next check', 'التحقق القادم'],
  never: ['not checked any more', 'لا يُتحقق منها بعد الآن'],
  hostedPage: ['Open the gateway’s page', 'فتح صفحة البوابة'],
  transactions: ['Transactions', 'العمليات لدى البوابة'],
  ofWhichRefunded: (amount: string) => [`${amount} refunded`, `استُرد ${amount}`],
  operations: ['Operations', 'العمليات المالية'],
  at: ['Made', 'الوقت'],
  requestId: ['Request', 'معرّف الإجراء'],
  requestedBy: ['Asked by', 'طلبه'],
  approvedBy: ['Approved by', 'وافق عليه'],
  reference: ['Reference', 'المرجع'],
  reason: ['Because', 'السبب'],
  resolvedBy: ['Resolved by', 'حسمه'],
  reviews: ['Reviews', 'المراجعات'],
  openReview: ['Open', 'مفتوحة'],
  resolved: ['Resolved', 'منتهية'],
  toReview: ['Go to the review list', 'إلى قائمة المراجعة'],
  events: ['Events for your shop', 'الأحداث المرسلة إلى متجرك'],
  tries: (count: number) => [`${count} tries`, `عدد المحاولات: ${count}`],
  timeline: ['Timeline', 'سجل الأحداث'],
  evidence: ['The gateway’s own words', 'نص رد البوابة'],
  token: ['Recurring token', 'رمز الخصم الدوري'],
});

/** Why an operation or a review ended as it did, where the kit's own code says so. */
const outcomeTexts = byLanguage({
  accepted: ['the gateway accepted it', 'قبلته البوابة'],
  connection_failed: ['no connection to the gateway', 'تعذّر الاتصال بالبوابة'],
  connection_lost: ['the connection broke', 'انقطع الاتصال'],
  contradicting_words: ['the gateway’s answer contradicts itself', 'رد البوابة متناقض'],
  declined: ['the bank declined', 'رفض البنك العملية'],
  evidence: ['the gateway’s status shows it', 'أكدته حالة العملية لدى البوابة'],
  gateway_fault: ['the gateway had a fault', 'حدث خلل لدى البوابة'],
  interrupted: ['the shop stopped before the answer', 'توقف المتجر قبل وصول الرد'],
  no_evidence: ['accepted, and not shown for two days', 'قُبل ولم يظهر لدى البوابة خلال يومين'],
  rejected: ['the gateway rejected the request', 'رفضت البوابة الطلب'],
  timeout: ['no answer in time', 'لم يصل الرد في الوقت المحدد'],
  unreadable_answer: ['the answer could not be read', 'تعذّرت قراءة الرد'],
});

/** The words for a reason; what a person wrote, and a code without words, stay as they are. */
function outcomeText(language: keyof typeof outcomeTexts, reason: string): string {
  const known: Readonly<Record<string, string>> = outcomeTexts[language];
  return Object.hasOwn(known, reason) ? (known[reason] ?? reason) : reason;
}
