import { isHappening, type Delivery, type Happening } from '../../domain/events.ts';
import { newestDeliveries, newestSessions } from '../../domain/tenant.ts';
import type { Session, Transaction } from '../../domain/transaction.ts';
import { html } from '../html.ts';
import * as ui from '../html.ts';
import { actionButton, inspectorAddress, inspectorTexts, type View } from './view.ts';
import { checkoutAddress } from '../page.ts';
import type { LoggedRequest, Visit } from '../../request-log.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';

const mostPayments = 25;

export function paymentsPanel(view: View): ui.Html {
  const { payments, shown } = inspectorTexts[view.language];
  const tenant = view.parts.machine.tenant(view.tenant);
  const sessions = newestSessions(tenant).slice(0, mostPayments);
  const rows = sessions.map((session, index) => payment(view, session, index === 0));
  if (rows.length === 0) {
    return ui.panel('sessions', payments.title, html`<p class="soft">${payments.none}</p>`);
  }
  const aside = shown(rows.length, tenant.sessions.size);
  return ui.panel('sessions', payments.title, html`<div>${rows}</div>`, aside);
}

/** One payment; the newest one is unfolded. */
function payment({ parts, tenant, language }: View, session: Session, open: boolean): ui.Html {
  const { machine } = parts;
  const { columns, payments } = inspectorTexts[language];
  const now = machine.now(tenant);
  const { state } = ui.paymentStateOf(session, now);
  return html`<details class="payment-row lined" id="session-${session.id}" ${open && html` open`}>
    <summary class="row chevron">
      <bdi class="order">${session.merchantOrderId}</bdi>
      ${ui.badge(state, ui.stateTexts[language][state])}
      <span class="end order"
        >${ui.amountTag(session.amountMinor, session.currency, language)}</span
      >
    </summary>
    <div class="stack payment-body">
      ${ui.paymentDiagram(session, now, language)}
      ${
        session.attempts.length > 0 &&
        html`<ul aria-label="${payments.transactions}">
          ${session.attempts.map((transaction) => attempt(transaction, language))}
        </ul>`
      }
      ${ui.definitions('columns', [
        [payments.sessionId, ui.code(session.id)],
        [columns.created, ui.instant(session.createdAt)],
        [payments.expires, ui.instant(session.expiresAt)],
        [payments.environment, ui.ltr(session.environment)],
      ])}
      ${
        session.kind === 'link' &&
        html`<a href="${checkoutAddress(session.id, language)}"
          >${payments.openPage}${ui.hidden(` ${session.merchantOrderId}`)}</a
        >`
      }
    </div>
  </details>`;
}

function attempt(transaction: Transaction, language: ui.Language): ui.Html {
  const { columns, payments, transactionStates } = inspectorTexts[language];
  const { session, card, status, responseCode, decidedBy, id, entries } = transaction;
  const ledger = entries.map(
    ({ kind, amountMinor, result, createdAt }) =>
      html`<li>
        ${ui.ltr(kind)} ${ui.amountTag(amountMinor, session.currency, language)}
        <bdi dir="ltr" class="toned ${ui.toneOf(result)}">${result}</bdi> ${ui.instant(createdAt)}
      </li>`,
  );
  return html`<li>
    <p class="row">
      ${ui.badge(status, transactionStates[status])}
      ${ui.ltr(`${ui.schemeName(card.scheme)} ${card.firstSix}••••••${card.lastFour}`)}
      ${responseCode !== null && ui.ltr(`RR ${responseCode}`)}
      <span class="soft">${columns.decidedBy}: ${ui.ltr(decidedBy)}</span> ${ui.code(id)}
    </p>
    <ul class="ledger soft" aria-label="${payments.ledger}">
      ${ledger}
    </ul>
  </li>`;
}

const mostDeliveries = 40;

/** The deliveries to the merchant's webhooks, newest first, each with a button to send it again. */
export function deliveriesPanel(view: View): ui.Html {
  const { columns, deliveries } = inspectorTexts[view.language];
  const tenant = view.parts.machine.tenant(view.tenant);
  const hold = tenant.outbox.holds ? 'release' : 'hold';
  const { time, event, order, to, state, attempts, actions } = columns;
  const body = ui.table({
    labelledBy: 'deliveries',
    head: [time, event, order, to, state, attempts, actions],
    rows: newestDeliveries(tenant)
      .slice(0, mostDeliveries)
      .map((delivery) => deliveryRow(view, delivery)),
    empty: tenant.webhooks.length === 0 ? deliveries.noWebhooks : deliveries.none,
  });
  const aside = html`<form method="post" action="${inspectorAddress(view, '/deliveries')}">
    ${actionButton(`${hold}-deliveries`, hold, deliveries[hold])}
  </form>`;
  return ui.panel('deliveries', deliveries.title, body, aside);
}

function deliveryRow(view: View, { id, webhookId, event, state, dueAt, attempts }: Delivery) {
  const { parts, tenant, language } = view;
  const { deliveries, deliveryStates } = inspectorTexts[language];
  const { webhooks } = parts.machine.tenant(tenant);
  const url = attempts.at(-1)?.url ?? webhooks.find((one) => one.id === webhookId)?.url ?? '';
  const button = (action: 'replay' | 'release-one', text: string) => {
    const whole = html`${text}${ui.hidden(` ${event.merchantOrderId}`)}`;
    return actionButton(action, action, whole, 'button button-small');
  };
  const answers = attempts.map(
    ({ status, outcome }) =>
      html`<span class="pill toned ${ui.toneOf(outcome === 'acknowledged' ? 'ok' : 'failed')}"
        >${status ?? '×'}</span
      > `,
  );
  const cells = [
    ui.timeOfDay(dueAt),
    html`${ui.ltr(`${event.type} ${event.status}`)}
      <span class="soft">${ui.amountTag(event.amountMinor, event.currency, language)}</span>`,
    html`<bdi>${event.merchantOrderId}</bdi>`,
    html`<bdi dir="ltr" class="delivery-url" title="${url}"
      >${url.replace(/^https?:\/\//, '')}</bdi
    >`,
    ui.badge(state, deliveryStates[state]),
    html`<bdi dir="ltr">${answers}</bdi>`,
    html`<form method="post" action="${inspectorAddress(view, '/deliveries')}" class="row">
      <input type="hidden" name="id" value="${id}" />
      ${state === 'held' && button('release-one', deliveries.releaseOne)}
      ${state !== 'sending' && button('replay', deliveries.replay)}
    </form>`,
  ];
  return { cells };
}

const mostRequests = 60;

/** The requests to the gateway, newest first, with the rule that decided and that rule's tier. */
export function requestsPanel(view: View): ui.Html {
  const { columns, requests, shown } = inspectorTexts[view.language];
  const all = view.parts.requestLog.list(view.tenant);
  const newest = all.toReversed().slice(0, mostRequests);
  const { time, operation, order, status, decidedBy, tier, fields } = columns;
  const body = ui.table({
    labelledBy: 'requests',
    head: [time, operation, order, status, decidedBy, tier, fields],
    rows: newest.map((entry) => requestRow(view, entry)),
    empty: requests.none,
  });
  const aside = all.length > newest.length ? shown(newest.length, all.length) : null;
  return ui.panel('requests', requests.title, body, aside);
}

function requestRow({ language }: View, entry: LoggedRequest) {
  const { id, at, operation, method, path, status, merchantOrderId, decidedBy, tier } = entry;
  const hint = hintOf(entry);
  const fields = Object.entries(entry.request);
  const cells = [
    ui.timeOfDay(at, 12),
    html`${ui.ltr(operation ?? `${method} ${path}`)}${hint !== null && html`<div class="toned tone-wait">${hintTexts[language][hint].title}</div>`}`,
    html`<bdi>${merchantOrderId ?? ''}</bdi>`,
    httpStatus(status, '×'),
    ui.ltr(decidedBy),
    ui.tierMark(tier),
    fields.length > 0 &&
      html`<details class="asked soft" id="asked-${id}">
        <summary class="row chevron">
          ${inspectorTexts[language].requests.fields(fields.length)}
        </summary>
        <code dir="ltr"
          >${fields.map(([name, value]) => html`<span>${name}: ${JSON.stringify(value)}</span>`)}</code
        >
      </details>`,
  ];
  return { id, cells };
}

/** A request's HTTP status in its colour; `lost` in place of a status that was never sent. */
export function httpStatus(status: number | null, lost: string): ui.Html {
  const tone = ui.toneOf(status === null || status >= 400 ? 'failed' : 'ok');
  return html`<span class="toned ${tone}">${status ?? lost}</span>`;
}

/** The known mistakes: the rule that refuses each, and the right spelling, where there is one. */
const mistakes = {
  'corrected-spelling': ['corrected-spelling', 'POST /payment/checkout/intiate'],
  'session-id-as-transaction': ['session-id', 'data.content[].transactionId'],
  'payment-id-as-transaction': ['payment-id', 'data.content[].transactionId'],
  'key-from-browser': ['browser-call', null],
  'key-on-portal': ['wrong-credential-type', 'Authorization: Bearer <token>'],
  'string-amount': ['validation', '"amount": 115.00'],
  'refund-above-balance': ['above-balance', 'amount − totalRefundAmount'],
  'void-after-capture': ['already-captured', 'POST /payment/s2s/refund'],
} as const;

type HintKind = keyof typeof mistakes;
const hintKinds = Object.keys(mistakes) as readonly HintKind[];

const hintTexts = ui.byLanguage({
  'corrected-spelling': {
    title: ['The path is spelled intiate', 'المسار يُكتب intiate'],
    text: `The gateway’s own spelling is wrong and stays so; the corrected one is an unknown route (§4.1, §9).
      هكذا كتبته البوابة خطأً ولن يتغير؛ أما التهجئة الصحيحة فمسار غير معروف (§4.1 و§9).`,
  },
  'session-id-as-transaction': {
    title: ['A session id is not a transaction id', 'معرّف الجلسة ليس معرّف العملية'],
    text: `Ask the status of the session and use the transactionId of the row that is SUCCESS and APPROVED (§2.3).
      استعلم عن حالة الجلسة واستخدم transactionId من السطر الذي حالته SUCCESS وAPPROVED (§2.3).`,
  },
  'payment-id-as-transaction': {
    title: `The numeric payment id is for reconciliation only
      المعرّف الرقمي للدفعة مخصص للمطابقة فقط`,
    text: `Money operations name the transaction by its UUID, never by paymentId, payment_id or trans_id (§2.3).
      تُعرَّف العملية بمعرّفها UUID، لا بأحد الأرقام paymentId أو payment_id أو trans_id (§2.3).`,
  },
  'key-from-browser': {
    title: ['An API key arrived from a browser', 'وصل مفتاح API من متصفح'],
    text: `Keys belong on the server (§5). Anyone who opens the page’s network tab can refund your payments: rotate this key and call from your server.
      مكان المفتاح هو الخادم (§5). كل من يفتح أدوات المتصفح يستطيع استرداد مدفوعاتك: بدّل المفتاح ونفّذ الطلب من خادمك.`,
  },
  'key-on-portal': {
    title: `Portal routes take a portal token, not the API key
      مسارات لوحة التاجر تتطلب رمز دخول لا مفتاح API`,
    text: `Sign in with the portal’s login and send the token (§5).
      سجّل الدخول بحساب لوحة التاجر وأرسل الرمز (§5).`,
  },
  'string-amount': {
    title: ['An amount is a number, not a string', 'المبلغ رقم وليس نصًا'],
    text: `Requests carry a number with at most two decimals; only answers carry strings (§2.2, §4.1).
      يُرسل المبلغ رقمًا بخانتين عشريتين كحد أقصى؛ النصوص في الردود فقط (§2.2 و§4.1).`,
  },
  'refund-above-balance': {
    title: ['The refund is larger than what is left', 'مبلغ الاسترداد أكبر من المتبقي'],
    text: `Ask the status first: the balance is amount minus totalRefundAmount (§4.3).
      استعلم عن الحالة أولًا: المتبقي هو amount ناقص totalRefundAmount (§4.3).`,
  },
  'void-after-capture': {
    title: ['A captured payment cannot be voided', 'لا يمكن فك حجز مبلغ تم تحصيله'],
    text: `A void gives up an authorization that was not captured. Refund the payment instead (§3, §4.6).
      يُفك حجز المبلغ قبل تحصيله فقط. أعِد المبلغ إلى البطاقة بدلًا من ذلك (§3 و§4.6).`,
  },
});

/** The mistake in a refused request, or null; three of the rules refuse other calls too. */
function hintOf({ operation, decidedBy, path, status, request }: LoggedRequest): HintKind | null {
  const kind = hintKinds.find((one) => mistakes[one][0] === decidedBy);
  if (kind === undefined || (status !== null && status < 400)) return null;
  if (kind === 'key-on-portal') return path.includes('/merchant/') ? kind : null;
  if (kind === 'string-amount') return typeof request['amount'] === 'string' ? kind : null;
  return kind === 'void-after-capture' && operation !== 'void' ? null : kind;
}

/** The newest hint of each kind, newest first; an empty element when there is none. */
export function hintsPanel({ parts, tenant, language }: View): ui.Html {
  const newest = new Map<HintKind, LoggedRequest>();
  for (const request of parts.requestLog.list(tenant).toReversed()) {
    const kind = hintOf(request);
    if (kind !== null && !newest.has(kind)) newest.set(kind, request);
  }
  if (newest.size === 0) return html`<div data-live="hints"></div>`;
  const rows = [...newest].map(([kind, { id }]) => {
    const { title, text } = hintTexts[language][kind];
    const [, spelling] = mistakes[kind];
    return html`<li data-test="hint-${kind}">
      <p><b>${title}</b> <a href="#${id}" dir="ltr">${id}</a></p>
      <p>${text}${spelling !== null && html` ${ui.code(spelling)}`}</p>
    </li>`;
  });
  return html`<section class="note stack tone-wait" aria-labelledby="hints" data-live="hints">
    <h2 id="hints">${inspectorTexts[language].requests.hints}</h2>
    <ul class="columns hints">
      ${rows}
    </ul>
  </section>`;
}

/** The actors: the columns of the timeline, in the order of a payment. */
const lanes = ['browser', 'merchant', 'gateway', 'webhook', 'clock'] as const;
type Lane = (typeof lanes)[number];

interface Entry {
  readonly at: number;
  readonly lane: Lane;
  readonly towards: Lane | null;
  /** The place among entries of one instant: a browser's step, its effects, its call, the redirect. */
  readonly order: 0 | 1 | 2 | 3;
  readonly text: (language: ui.Language) => ui.Html;
}

const shownAtMost = 80;

/** The timeline: a rail for each actor with that actor's entries, newest first. */
export function timelinePanel({ parts, tenant, language }: View): ui.Html {
  const { timeline, lanes: names } = inspectorTexts[language];
  const entries = timelineOf(parts, tenant);
  const legend = lanes.map(
    (lane) =>
      html`<li class="lane-${lane}"><i class="dot" aria-hidden="true"></i>${names[lane]}</li>`,
  );
  const list =
    entries.length === 0
      ? html`<p class="soft">${timeline.none}</p>`
      : html`<ol class="moments" tabindex="0" aria-labelledby="timeline">
          ${entries.map((entry) => row(entry, language))}
        </ol>`;
  const body = html`<ul class="row soft">
      ${legend}
    </ul>
    ${list}`;
  return ui.panel('timeline', timeline.title, body);
}

function row(entry: Entry, language: ui.Language): ui.Html {
  const { lane, at } = entry;
  const actor = inspectorTexts[language].lanes[lane];
  return html`<li class="moment lane-${lane}">
    ${railOf(entry, language)}${ui.timeOfDay(at)}<span class="moment-text"
      >${ui.hidden(`${actor}: `)}${entry.text(language)}</span
    >
  </li>`;
}

function eventText(kind: Visit['kind'] | Happening['kind'], id: string): Entry['text'] {
  return (language) =>
    html`<b>${inspectorTexts[language].events[kind]}</b> ${ui.code(id.slice(0, 8))}`;
}

function requestText(request: LoggedRequest): Entry['text'] {
  const { id, operation, method, path, status, merchantOrderId } = request;
  const name = operation ?? `${method} ${path.replace(/^\/\w+\/v1(?=\/)/, '')}`;
  return (language) => {
    const { noAnswer } = inspectorTexts[language].timeline;
    return html`<b><a href="#${id}">${ui.ltr(name)}</a></b> ${httpStatus(status, noAnswer)}
      ${merchantOrderId !== null && html`<bdi class="order">${merchantOrderId}</bdi>`}`;
  };
}

/** The rails of one entry: a dot in the actor's lane, and an arrow to the lane that it addresses. */
function railOf({ lane, towards }: Entry, language: ui.Language): ui.Html {
  const from = lanes.indexOf(lane);
  const to = lanes.indexOf(towards ?? lane);
  const head = to > from === (language === 'en') ? '▸' : '◂';
  const mark = (index: number) => {
    if (index === from) return '●';
    if (index === to) return head;
    return index > from === index < to ? '─' : '';
  };
  const marks = lanes.map((_lane, index) => html`<span>${mark(index)}</span>`);
  return html`<span class="rail" aria-hidden="true">${marks}</span>`;
}

/** All entries, newest first; entries of one instant keep their causal order. */
function timelineOf({ machine, requestLog, visits }: SandboxParts, tenant: string): Entry[] {
  const steps = visits.list(tenant).map(({ at, kind, id }): Entry => {
    const text = eventText(kind, id);
    return kind === 'sent-to-shop'
      ? { at, lane: 'gateway', towards: 'browser', order: 3, text }
      : { at, lane: 'browser', towards: 'gateway', order: 0, text };
  });
  const calls = requestLog.list(tenant).map((request): Entry => ({
    at: Date.parse(request.at),
    lane: request.decidedBy === 'browser-call' ? 'browser' : 'merchant',
    towards: 'gateway',
    order: 2,
    text: requestText(request),
  }));
  const effects = machine
    .effects(tenant)
    .filter(isHappening)
    .toReversed()
    .map(({ at, kind, id }): Entry => {
      const isSent = kind === 'webhook-delivered' || kind === 'webhook-failed';
      const towards = isSent ? 'merchant' : null;
      return { at, lane: laneOf(kind), towards, order: 1, text: eventText(kind, id) };
    });
  return [...steps, ...calls, ...effects]
    .toSorted((a, b) => a.at - b.at || a.order - b.order)
    .toReversed()
    .slice(0, shownAtMost);
}

/** Events that the clock causes have their own lane. */
function laneOf(kind: Happening['kind']): Lane {
  if (kind === 'clock-changed' || kind.endsWith('-expired') || kind.endsWith('-timed-out')) {
    return 'clock';
  }
  return /^(webhook|delivery)/.test(kind) ? 'webhook' : 'gateway';
}
