import {
  describeEntry,
  type ExplainedAttempt,
  type Explanation,
  isPayable,
  type MoneyOperation,
  type StatusRow,
  type TimelineEntry,
} from '../index.ts';
import type { Answer } from '../parts.ts';
import { ConfigurationError } from '../errors.ts';
import { type Action, actionAnswer, actionForm, actionForms, type Deed } from './action.ts';
import {
  amountTag,
  amountText,
  badge,
  byLanguage,
  cards,
  code,
  fact,
  Html,
  html,
  instant,
  type Language,
  moneyText,
  nothing,
  outcomeText,
  panel,
  stateBadge,
  stateTexts,
} from './html.ts';
import { pageAnswer, problemAnswer } from './layout.ts';
import { capture, charge, refund, voidHeld } from './money-actions.ts';
import type { OrderDescription } from './options.ts';
import { confirmNow, findOrder, giveUp, type OrderCase, reopen } from './order-actions.ts';
import { describeOrder } from './orders.ts';
import { findMatter, redeliver } from './review-actions.ts';
import { matterDeed, reasonTexts } from './review.ts';
import { linkTo, orderAddress, type Visit } from './visit.ts';

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

const deedOf = (action: Action<OrderCase>, subject: OrderCase): Deed<OrderCase> => ({
  action,
  subject,
  page: orderAddress(subject.record.payment.orderId),
  section: 'orders',
});

export async function orderActionPage(
  visit: Visit,
  orderId: string,
  action: Action<OrderCase>,
): Promise<Answer> {
  const found = await findOrder(visit, orderId);
  if (found === null) return problemAnswer(visit, 'not_found', { back: 'orders' });
  return actionAnswer(visit, deedOf(action, found));
}

/**
 * One order: what happened to its money and what can be done about it now. How the kit and the gateway
 * came to it is folded below, for whoever looks for a fault.
 */
export async function orderPage(visit: Visit, orderId: string): Promise<Answer> {
  const { language } = visit;
  const found = await findOrder(visit, orderId);
  if (found === null) return problemAnswer(visit, 'not_found', { back: 'orders' });
  const { explanation } = found;
  const texts = orderTexts[language];
  const described = await describeOrder(visit, orderId);
  const isFailing = explanation.effects.some(({ outcome }) => outcome === 'dead');
  return pageAnswer(visit, {
    title: texts.title({ orderId }),
    section: 'orders',
    main: html`<p class="up"><a href="${linkTo(visit, 'orders')}">${texts.all}</a></p>
      ${heading(visit, explanation, described)}
      <div class="columns">
        ${story(visit, explanation)}
        <div class="stack">
          ${await actions(visit, found)} ${await payLink(visit, explanation)}
          ${merchantsWords(visit, described)}
        </div>
      </div>
      <details data-test="records" ${isFailing && html` open`}>
        <summary>${texts.records}</summary>
        <div class="columns">
          ${timeline(visit, explanation)}
          <div class="stack">
            ${attempts(visit, explanation)} ${await events(visit, explanation)}
          </div>
        </div>
      </details>`,
  });
}

function heading(visit: Visit, { payment }: Explanation, { title }: OrderDescription): Html {
  const { language } = visit;
  const { orderId, amount, currency, refunded, state, createdAt, updatedAt } = payment;
  const texts = orderTexts[language];
  const given = html`<span data-test="refunded">${amountTag(language, refunded, currency)}</span>`;
  return html`<div class="summary">
    <h1>${texts.title({ orderId })}</h1>
    ${title !== undefined && html`<p class="muted"><bdi>${title}</bdi></p>`}
    <p class="total" data-test="order-amount">${amountTag(language, amount, currency)}</p>
    <p class="badges">${stateBadge(visit, payment, 'order-state')}</p>
    <p>${stateTexts[language].meaning[state]}</p>
    <dl class="facts">
      ${refunded !== '0.00' && fact(texts.refunded, given)}
      ${fact(texts.created, instant(visit, createdAt))}
      ${fact(texts.updated, instant(visit, updatedAt))}
    </dl>
  </div>`;
}

interface Happening {
  readonly at: string;
  readonly kind: TimelineEntry['kind'];
  /** In plain words. */
  readonly words: string;
  readonly badge?: Html;
  /** Who and why, and the ids by which the gateway's dashboard finds it. */
  readonly details?: readonly (Html | false)[];
}

/** What happened to the money, the newest first. */
function story(visit: Visit, explanation: Explanation): Html {
  const { language } = visit;
  const texts = orderTexts[language];
  const { transactions, operations, reviews, timeline: entries } = explanation;
  // Of one moment, what came of it stands above what was done.
  const happenings = [
    ...operations.map((one) => operation(visit, explanation, one)),
    ...transactions.map((one) => money(visit, explanation, one)),
    ...reviews.map((one) => decision(language, one)),
    ...entries.flatMap((entry) => changeIn(language, entry)),
  ]
    .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
    .toReversed();
  const items = happenings.map(
    ({ at, kind, words, badge: state = nothing, details = [] }) =>
      html`<li data-kind="${kind}">
        <p class="line">
          <span>${words}</span> ${state} <span class="end muted">${instant(visit, at)}</span>
        </p>
        <p class="line muted">
          ${details.map((one) => one !== false && html`<span>${one}</span>`)}
        </p>
      </li>`,
  );
  const isOpen = reviews.some(({ resolvedAt }) => resolvedAt === null);
  return panel(
    'money',
    texts.money,
    html`${
      items.length === 0
        ? html`<p class="muted">${texts.noMoney}</p>`
        : html`<ol class="timeline" data-test="money">
            ${items}
          </ol>`
    }
    ${isOpen && html`<p><a href="${linkTo(visit, 'review')}">${texts.toReview}</a></p>`}`,
  );
}

/** Whether a transaction holds money on the card, so that none of it is paid before a capture. */
const holds = ({ attempts: all, transactions }: Explanation, id: string | null): boolean =>
  transactions.some(
    ({ transactionId, attempt: number }) =>
      transactionId === id &&
      all.some((one) => one.number === number && one.kind === 'authorization'),
  );

/** A transaction, by its role, with what was refunded of it. */
function money(
  { language }: Visit,
  explanation: Explanation,
  one: Explanation['transactions'][number],
): Happening {
  const { paid, held, ofWhichRefunded } = orderTexts[language];
  const { transactionId, kind, currency, refunded, recordedAt: at } = one;
  const amount = amountText(language, one.amount, currency);
  const given = ofWhichRefunded({ amount: amountText(language, refunded, currency) });
  return {
    at,
    kind: 'payment',
    words: holds(explanation, transactionId) ? held({ amount }) : paid[kind]({ amount }),
    details: [
      refunded !== '0.00' && html`${given}`,
      html`<span data-copy="${transactionId}">${code(transactionId)}</span>`,
    ],
  };
}

/** An operation as it stands, with who asked for it. */
function operation({ language }: Visit, explanation: Explanation, one: MoneyOperation): Happening {
  const texts = orderTexts[language];
  const states = stateTexts[language];
  const { kind, state, currency, updatedAt: at, requestId, reference, reason } = one;
  const amount = amountText(language, one.amount, currency);
  const isHold = kind === 'sale' && holds(explanation, one.transactionId);
  const name = isHold ? states.means.authorization : states.operationKind[kind];
  const people = [
    [texts.requestedBy, one.requestedBy],
    [texts.approvedBy, one.approvedBy],
    [texts.resolvedBy, one.resolvedBy],
  ] as const;
  return {
    at,
    kind: 'operation',
    words: texts.operation({ kind: name, amount }),
    badge: badge(state, states.operation[state]),
    details: [
      reason !== null && html`<bdi>${outcomeText(language, reason)}</bdi>`,
      ...people.map(([did, by]) => by !== null && html`${did} <bdi>${by}</bdi>`),
      html`${texts.requestId} ${code(requestId)}`,
      reference !== null && html`${texts.reference} ${code(reference)}`,
    ],
  };
}

/** A review, and how it was decided. */
function decision(language: Language, one: Explanation['reviews'][number]): Happening {
  const { mustDecide, decided, resolvedBy } = orderTexts[language];
  const { reason, about, createdAt, resolvedAt, resolution, resolvedBy: by } = one;
  const { title } = reasonTexts[language][reason];
  return {
    at: resolvedAt ?? createdAt,
    kind: 'review',
    words: resolution === null ? mustDecide({ title }) : decided({ title }),
    details: [
      resolution !== null && html`<bdi>${outcomeText(language, resolution)}</bdi>`,
      by !== null && html`${resolvedBy} <bdi>${by}</bdi>`,
      code(about),
    ],
  };
}

/** A change that is no transaction, no operation and no review of ours. */
function changeIn(language: Language, entry: TimelineEntry): readonly Happening[] {
  const { changes, backInAll, cancelled } = orderTexts[language];
  const { at, kind } = entry;
  if (kind === 'refunded') {
    return [{ at, kind, words: backInAll({ amount: moneyText(language, entry.total) }) }];
  }
  if (kind === 'cancelled') {
    const by = entry.by !== undefined && html`<bdi>${entry.by}</bdi>`;
    return [{ at, kind, words: cancelled, details: [by] }];
  }
  const words: Readonly<Partial<Record<string, string>>> = changes;
  const change = kind === 'payment' ? words[entry.state] : undefined;
  return change === undefined ? [] : [{ at, kind, words: change }];
}

async function actions(visit: Visit, found: OrderCase): Promise<Html> {
  const texts = orderTexts[visit.language];
  const deeds = orderActions.map((action) => deedOf(action, found));
  const forms = await actionForms(visit, deeds);
  const none = html`<p class="muted">${texts.noActions}</p>`;
  return panel('actions', texts.actions, forms.length === 0 ? none : forms);
}

/** The order's stable address to send, and its picture where the package `qr` is installed. */
async function payLink(visit: Visit, { payment }: Explanation): Promise<Html> {
  const { orderId, state, cancelled } = payment;
  const address = isPayable(state) && !cancelled ? addressOf(visit, orderId) : null;
  if (address === null) return nothing;
  const texts = orderTexts[visit.language];
  // Its package may not be installed.
  const picture = await import('../qr.ts')
    .then(({ qrSvg }) => new Html(qrSvg(address, { label: texts.qr({ orderId }) })))
    .catch(() => null);
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

/** The attempts of an order, the latest first. */
const attempts = (visit: Visit, { attempts: all, payment }: Explanation): Html =>
  cards(
    'attempts',
    orderTexts[visit.language].attempts,
    all.toReversed().map((one) => attempt(visit, one, payment.currency)),
  );

function attempt(visit: Visit, one: ExplainedAttempt, currency: string): Html {
  const { language } = visit;
  const texts = orderTexts[language];
  const states = stateTexts[language];
  const { number, kind, state, amount, merchantOrderId, sessionId, redirectUrl } = one;
  return html`<li>
    <p class="line">
      <strong>${texts.attempt({ number })}</strong> ${badge(state, states.attempt[state])}
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

/** Every step of the kit and of the gateway, the oldest first. */
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

/** The events that the shop's handlers get, and how their deliveries ended. */
async function events(visit: Visit, { effects }: Explanation): Promise<Html> {
  const items = await Promise.all(effects.map((one) => event(visit, one)));
  return cards('events', orderTexts[visit.language].events, items);
}

/** An event is delivered again by the question that the review list leads to. */
async function event(visit: Visit, effect: Explanation['effects'][number]): Promise<Html> {
  const { language } = visit;
  const { eventId, type, outcome, tries, occurredAt } = effect;
  const matter = outcome === 'dead' ? await findMatter(visit, eventId) : null;
  const form = matter === null ? nothing : await actionForm(visit, matterDeed(redeliver, matter));
  const isLeft = outcome === 'waiting' && !visit.office.parts.handled.includes(type);
  const state = isLeft ? 'unhandled' : outcome;
  const tried = orderTexts[language].tries({ count: tries });
  return html`<li>
    <p class="line">
      ${code(type)} ${badge(state, stateTexts[language].delivery[state])}
      <span class="end muted">${instant(visit, occurredAt)}</span>
    </p>
    <p class="muted">${code(eventId)}${tries > 1 && html` · ${tried}`}</p>
    ${form !== nothing && html`<div class="actions">${form}</div>`}
  </li>`;
}

const orderTexts = byLanguage({
  title: ['Order {orderId}', 'الطلب {orderId}'],
  all: ['All orders', 'كل الطلبات'],
  refunded: ['Refunded', 'المسترد'],
  created: ['Created', 'أُنشئت الدفعة'],
  updated: ['Last change', 'آخر تغيير'],
  money: ['What happened to the money', 'ما حدث للمبلغ'],
  noMoney: ['No money has been seen yet.', 'لم تصل أي دفعة بعد.'],
  paid: {
    payment: ['{amount} was paid for the order.', 'دُفع {amount} عن الطلب.'],
    late: ['{amount} was paid after the order was over.', 'دُفع {amount} بعد انتهاء الطلب.'],
    duplicate: ['{amount} was paid again for a paid order.', 'دُفع {amount} مجددًا لطلب مدفوع.'],
    discrepancy: ['{amount} was paid, and does not match.', 'دُفع {amount} ولا يطابق الطلب.'],
    charge: ['{amount} was taken by a recurring charge.', 'خُصم {amount} بخصم دوري.'],
  },
  held: ['{amount} was held on the card.', 'حُجز {amount} على البطاقة.'],
  changes: {
    captured: ['Held money was taken.', 'تم التحصيل من المبلغ المحجوز.'],
    voided: ['The held amount was released.', 'فُك حجز المبلغ.'],
    failed: ['The card was declined. No money was taken.', 'رُفضت البطاقة، ولم يُخصم أي مبلغ.'],
    expired: ['The payment link ended unpaid.', 'انتهى رابط الدفع دون دفع.'],
  },
  backInAll: ['{amount} in all went back to the card.', 'عاد إلى البطاقة {amount} إجمالًا.'],
  cancelled: ['The order was given up.', 'أُلغي الطلب.'],
  mustDecide: ['A person must decide: {title}', 'بانتظار قرار: {title}'],
  decided: ['Decided: {title}', 'حُسم: {title}'],
  toReview: ['Go to the review list', 'إلى قائمة المراجعة'],
  operation: ['{kind} of {amount}', '{kind} بمبلغ {amount}'],
  ofWhichRefunded: ['{amount} of it refunded', 'استُرد منه {amount}'],
  requestId: ['Request', 'معرّف الإجراء'],
  requestedBy: ['Asked by', 'طلبه'],
  approvedBy: ['Approved by', 'وافق عليه'],
  resolvedBy: ['Decided by', 'حسمه'],
  reference: ['Reference', 'المرجع'],
  actions: ['Actions', 'الإجراءات'],
  noActions: ['Nothing can be done in this state.', 'لا إجراء متاح في هذه الحالة.'],
  payLink: ['Payment link', 'رابط الدفع'],
  payLinkHint: `Send it to the customer. It always leads to a link that can be paid, or to the thanks page once the order is paid.
    أرسله إلى العميل. يقود دائمًا إلى رابط صالح للدفع، أو إلى صفحة الشكر بعد الدفع.`,
  qr: ['QR code: pay order {orderId}', 'رمز QR لدفع الطلب {orderId}'],
  merchantOrder: ['Order in the shop', 'الطلب في المتجر'],
  customer: ['Customer', 'العميل'],
  open: ['Open it in the shop', 'فتحه في المتجر'],
  records: ['Attempts, events and every step', 'المحاولات والأحداث وكل الخطوات'],
  timeline: ['Timeline', 'سجل الأحداث'],
  evidence: ['The gateway’s own words', 'نص رد البوابة'],
  attempts: ['Attempts', 'المحاولات'],
  attempt: ['Attempt {number}', 'المحاولة {number}'],
  session: ['Session', 'جلسة الدفع'],
  at: ['Made', 'الوقت'],
  expires: ['Ends', 'ينتهي'],
  lastCheck: ['Checked', 'آخر تحقق'],
  nextCheck: ['Next check', 'التحقق القادم'],
  never: ['not checked any more', 'لا يُتحقق منها بعد الآن'],
  hostedPage: ['Open the gateway’s page', 'فتح صفحة البوابة'],
  events: ['Events for your shop', 'الأحداث المرسلة إلى متجرك'],
  tries: ['{count} tries', 'عدد المحاولات: {count}'],
});
