import { approvedCode, findTestCard, publishedNumbers } from '../../domain/outcome.ts';
import type { CardFaults, CardField, TestCard } from '../../domain/outcome.ts';
import type { savedCardsOf } from '../../domain/tenant.ts';
import type { Session } from '../../domain/transaction.ts';
import { methodMarks } from './method-marks.ts';
import { declineText, hostedTexts, magicText } from './texts.ts';
import { html } from '../html.ts';
import * as ui from '../html.ts';
import { checkoutAddress, withQuery, type Page } from '../page.ts';

/** How a shopper can pay; the value of the form's field `method`. */
export type Method = 'card' | 'apple-pay' | 'saved-card';

/** Why a way to pay is not open to this session. */
type Refusal = 'unknown-saved-card' | 'phone-missing';

/** The fields that the card form shows again after a refusal; a CVV is never shown again. */
export const noValues = { number: '', expiry: '', cvv: '', holder: '' };

export const nothingSent = {
  faults: {} as CardFaults,
  values: noValues,
  /** Index of the drawer's card to fill in, from the address. */
  fill: null as number | null,
  choice: '',
  /** The way to pay that is unfolded, and why it was refused. */
  method: 'card' as Method,
  refusal: null as Refusal | null,
};

export type Sent = Readonly<typeof nothingSent>;

interface HostedPageParts extends Sent {
  readonly language: ui.Language;
  readonly session: Session;
  readonly merchant: string;
  readonly savedCards: ReturnType<typeof savedCardsOf>;
  /** The sandbox clock: a filled-in card expires some years after it. */
  readonly now: number;
}

export function hostedPage(parts: HostedPageParts): Page {
  const { language, session, merchant, fill, now } = parts;
  const texts = hostedTexts[language];
  const pay = `${texts.pay} ${ui.amountText(session.amountMinor, session.currency, language)}`;
  const expiry = `12/${String(new Date(now).getUTCFullYear() + 5).slice(-2)}`;
  const filled = fill === null ? undefined : drawerCards[fill];
  const values =
    filled === undefined
      ? parts.values
      : { ...noValues, number: groupedNumber(filled.number), expiry, cvv: '123' };
  const main = html`<main class="wide checkout">
    <h1 class="visually-hidden">${pay}</h1>
    ${summary(parts)}
    <section class="panel payment" aria-label="${texts.paymentMethod}">
      ${magicBanner(session, language)} ${errorBox(parts)} ${payForm({ ...parts, values })}
    </section>
    ${testDrawer({ ...parts, expiry }, filled !== undefined || parts.choice !== '')}
  </main>`;
  return {
    title: `${pay} · ${merchant}`,
    description: texts.describe(merchant),
    main,
    formTargets: [session.successUrl, session.failureUrl],
    scripts: ['checkout.js'],
  };
}

/** Whom the shopper pays, how much, and what for. */
function summary({ session, merchant, language }: HostedPageParts): ui.Html {
  const texts = hostedTexts[language];
  const { amountMinor, currency, merchantOrderId, customerName } = session;
  // A shop names each attempt of an order anew, such as `1001~2` (§4.1).
  const order = [texts.order, html`<bdi>${merchantOrderId.replace(/~\d+$/, '')}</bdi>`] as const;
  const customer = [texts.customer, html`<bdi>${customerName}</bdi>`] as const;
  return html`<section class="summary">
    <p class="toned" data-test="merchant"><bdi>${merchant}</bdi></p>
    <p class="soft">${texts.amountDue}</p>
    <p class="summary-amount">${ui.amountTag(amountMinor, currency, language)}</p>
    ${ui.definitions('pairs', customerName === null ? [order] : [order, customer])}
    <p class="summary-note soft">${texts.standIn}</p>
  </section>`;
}

/** An amount that decides the outcome says so on the page. */
function magicBanner({ amountMinor, currency }: Session, language: ui.Language): ui.Html | null {
  const text = magicText(amountMinor, currency, language);
  if (text === null) return null;
  return html`<p class="note magic tone-wait" data-test="magic-banner">
    <b>${hostedTexts[language].magic}</b> ${text}
  </p>`;
}

/** The decline of the newest attempt is shown until another attempt follows. */
function errorBox({ faults, session, language, refusal }: HostedPageParts): ui.Html | null {
  const texts = hostedTexts[language];
  const lastAttempt = session.attempts.at(-1);
  const box = (text: string, more: string | null) => ui.alertBox('payment-error', text, more);
  if (refusal !== null) return box(texts.refusals[refusal], texts.notCharged);
  if (Object.keys(faults).length > 0) return box(texts.fixFields, null);
  if (lastAttempt?.status !== 'FAILED') return null;
  const reason = declineText(lastAttempt.responseCode, language);
  return box(texts.declined(lastAttempt.card.lastFour, reason), texts.notCharged);
}

/** Browsers are to offer no real card. `formKey`: submitted twice, the form is one attempt. */
function payForm(parts: HostedPageParts): ui.Html {
  const { language, session } = parts;
  const texts = hostedTexts[language];
  return html`<form
    id="card-form"
    class="stack card-form"
    method="post"
    action="${checkoutAddress(session.id, language)}"
    novalidate
    autocomplete="off"
    data-paying="${texts.paying}"
  >
    <input type="hidden" name="formKey" value="${session.attempts.length}" />
    ${paymentMethods(parts)}
    <button
      class="button button-main button-large row pay"
      type="submit"
      data-test="submit-payment"
    >
      <svg class="drawn" viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
        <rect x="4" y="9" width="12" height="8" rx="2" />
        <path d="M6.8 9V6.6a3.2 3.2 0 0 1 6.4 0V9" /></svg
      ><span class="pay-text"
        >${texts.pay} ${ui.amountTag(session.amountMinor, session.currency, language)}</span
      >
    </button>
    <p class="visually-hidden" role="status" id="paying"></p>
    <a class="back" href="${session.failureUrl}" data-test="back-to-shop">${texts.backToShop}</a>
  </form>`;
}

/** The style sheet alone unfolds the chosen way, so that the page works without scripts. */
function paymentMethods(parts: HostedPageParts): ui.Html {
  const { language, method: chosen, savedCards } = parts;
  const texts = hostedTexts[language];
  const method = (value: Method, test: string, name: ui.Html, body: ui.Html) =>
    html`<div class="method lined">
      ${ui.choiceField('method-choice', ui.radio('method', value, test), chosen === value, name)}
      <div class="stack method-body">${body}</div>
    </div>`;
  const card = html`<span>${texts.card}</span>${marks('mada', 'visa', 'mastercard')}`;
  const apple = html`${ui.ltr('Apple Pay')}${marks('apple-pay')}`;
  const count = html`<span class="pill end" aria-hidden="true">${savedCards.length}</span>`;
  const saved = html`<span>${texts.savedCard}</span>${count}`;
  return html`<fieldset>
    <legend>${texts.paymentMethod}</legend>
    <div class="method-list">
      ${method('card', 'pay-card', card, cardFields(parts))}
      ${method('apple-pay', 'pay-apple', apple, appleSheet(parts))}
      ${savedCards.length > 0 && method('saved-card', 'pay-saved', saved, savedList(parts))}
    </div>
  </fieldset>`;
}

/** Brands as drawings, for the eye. */
function marks(...methods: readonly string[]): ui.Html {
  const mark = (method: string) => {
    const [, ...shapes] = methodMarks.get(method) ?? [method];
    return html`<svg class="mark mark-${method}" viewBox="0 0 34 22">
      ${shapes.map(([color, path]) => html`<path fill="${color}" d="${path}" />`)}
    </svg>`;
  };
  return html`<span class="marks end" aria-hidden="true">${methods.map(mark)}</span>`;
}

/** A field's limit leaves room for separators between pasted digits, because a browser cuts first. */
function cardFields(parts: HostedPageParts): ui.Html {
  const texts = hostedTexts[parts.language];
  return html`${cardField(parts, 'number', html`maxlength="30" placeholder="0000 0000 0000 0000"`)}
    <div class="columns field-pair">
      ${cardField(parts, 'expiry', html`maxlength="9" placeholder="MM/YY"`, texts.expiryHint)}
      ${cardField(parts, 'cvv', html`maxlength="16" placeholder="•••"`, texts.cvvHint)}
    </div>
    ${ui.field({
      id: 'card-holder',
      label: html`${texts.holder} <span class="soft">(${texts.optional})</span>`,
      input: html`name="holder" dir="auto" maxlength="100" autocomplete="off"
      value="${parts.values.holder}" data-test="card-holder"`,
    })}`;
}

function cardField(
  { language, values, faults }: HostedPageParts,
  name: CardField,
  limits: ui.Html,
  hint?: string,
): ui.Html {
  const texts = hostedTexts[language];
  const fault = faults[name];
  return ui.field({
    id: `card-${name}`,
    label: texts[name],
    input: html`name="${name}" dir="ltr" inputmode="numeric" required autocomplete="off"
    spellcheck="false" value="${values[name]}" data-test="card-${name}" ${limits}`,
    error: fault === undefined ? null : (texts.cardFaults[`${name} ${fault}`] ?? null),
    hint,
  });
}

/** The sheet that a phone would show. No real wallet is opened; Apple Pay needs the session's phone. */
function appleSheet({ language, session, merchant }: HostedPageParts): ui.Html {
  const texts = hostedTexts[language];
  if (session.customerKey === null) return html`<p class="soft">${texts.appleWithoutPhone}</p>`;
  return html`<div class="panel stack apple-sheet">
    <p><b>${texts.appleSheet}</b></p>
    ${ui.definitions('pairs', [
      [texts.card, ui.ltr('mada •••• 0007')],
      [texts.contact, texts.phoneOnFile],
      [texts.payTo, html`<bdi>${merchant}</bdi>`],
      [texts.total, ui.amountTag(session.amountMinor, session.currency, language)],
    ])}
    <p class="soft">${texts.appleHint}</p>
  </div>`;
}

function savedList({ language, savedCards, now }: HostedPageParts): ui.Html {
  const texts = hostedTexts[language];
  const rows = savedCards.map(({ id, card: { scheme, lastFour, goodUntil } }, index) => {
    const name = html`<bdi dir="ltr"
        >${ui.schemeName(scheme)} <span aria-hidden="true">••••</span> ${lastFour}</bdi
      >${goodUntil <= now && html`<span class="field-error end">${texts.expired}</span>`}`;
    const input = ui.radio('savedCard', id, `saved-${lastFour}`);
    return html`<li>${ui.choiceField('saved-card', input, index === 0, name)}</li>`;
  });
  return html`<ul class="stack saved-cards">
      ${rows}
    </ul>
    <p class="soft">${texts.savedHint}</p>`;
}

const nothingCharged = `Nothing was charged. Return to the shop and start the payment again.
  لم يُخصم أي مبلغ. ارجع إلى المتجر وابدأ الدفع من جديد.`;

const noticeTexts = ui.byLanguage({
  toShop: ['Return to the shop', 'العودة إلى المتجر'],
  onToShop: ['Continue to the shop', 'المتابعة إلى المتجر'],
  titles: {
    'unknown-session': ['We do not know this payment page', 'صفحة الدفع هذه غير معروفة'],
    expired: ['This payment page has expired', 'انتهت صلاحية صفحة الدفع'],
    closed: ['This payment did not go through', 'لم تتم عملية الدفع'],
    'already-paid': ['This order is already paid', 'هذا الطلب مدفوع مسبقًا'],
    'waiting-for-bank': ['Waiting for your bank', 'في انتظار رد البنك'],
  },
  reasons: {
    'unknown-session': `Check that the address is complete. If you came from a shop, go back there and start the payment again.
      تأكد من اكتمال الرابط. إذا وصلت من متجر، فارجع إليه وابدأ الدفع من جديد.`,
    expired: nothingCharged,
    closed: nothingCharged,
    'already-paid': `The payment went through once. Nothing more was charged.
      تمت عملية الدفع مرة واحدة، ولم يُخصم أي مبلغ إضافي.`,
    'waiting-for-bank': `Your bank has not confirmed the payment yet. You can return to the shop, which will receive the result.
      لم يؤكد البنك عملية الدفع بعد. يمكنك العودة إلى المتجر، وستظهر لك النتيجة هناك.`,
  },
});

export type NoticeKind = keyof (typeof noticeTexts)['en']['titles'];

const exclamation = 'M14 8.5v7M14 19.2v.1';
const clock = 'M14 8v6.4l4 2.4';
const icons: Readonly<Record<NoticeKind, string>> = {
  'unknown-session': exclamation,
  expired: clock,
  closed: exclamation,
  'already-paid': 'm9 14.3 3.4 3.4L19.2 11',
  'waiting-for-bank': clock,
};

/** A page that only reports the payment's state and leads on; without a link, no shop is known. */
export function noticePage(language: ui.Language, kind: NoticeKind, link: string | null): Page {
  const { titles, reasons, toShop, onToShop } = noticeTexts[language];
  const title = titles[kind];
  const main = html`<main class="panel stack notice" data-test="notice-${kind}">
    <svg class="drawn ${ui.toneOf(kind)}" width="64" viewBox="0 0 28 28" aria-hidden="true">
      <circle class="drawn-on" cx="14" cy="14" r="12.5" />
      <path d="${icons[kind]}" />
    </svg>
    <h1>${title}</h1>
    <p>${reasons[kind]}</p>
    ${link !== null && html`<a class="button button-main button-large" href="${link}" data-test="back-to-shop">${kind === 'already-paid' ? onToShop : toShop}</a>`}
  </main>`;
  return { title, main };
}

interface DrawerCard {
  readonly number: string;
  readonly card: TestCard;
  readonly group: 'approved' | 'declined' | 'challenge';
}

const grammarExamples = ['9682990151000005', '9682990200000006', '9682990600000002'];

/** The published cards first, then examples of the sandbox's own grammar. */
const drawerCards: readonly DrawerCard[] = [...publishedNumbers, ...grammarExamples].flatMap(
  (number) => {
    const card = findTestCard(number);
    return card === null ? [] : [{ number, card, group: groupOf(card) }];
  },
);

function groupOf({ mode, responseCode }: TestCard): DrawerCard['group'] {
  if (mode !== 'none') return 'challenge';
  return responseCode === approvedCode ? 'approved' : 'declined';
}

function groupedNumber(number: string): string {
  return number.replace(/(\d{4})(?=\d)/g, '$1 ');
}

/** `expiry` is what a filled-in card gets, `MM/YY`. */
type DrawerParts = Pick<HostedPageParts, 'language' | 'session' | 'choice'> & {
  readonly expiry: string;
};

/** The tester's tools, folded away: pick an outcome, fill in a test card, expire the session. */
function testDrawer(parts: DrawerParts, isOpen: boolean): ui.Html {
  const { language, session } = parts;
  const texts = hostedTexts[language];
  const expire = withQuery('/checkout/expire', { sessionId: session.id, lang: language });
  const body = html`<fieldset>
      <legend>${texts.outcome}</legend>
      <div class="panel columns segments">
        ${outcome(parts, '', 'card')} ${outcome(parts, 'approve', 'approve')}
        ${outcome(parts, 'decline', 'decline')}
      </div>
    </fieldset>
    <h2>${texts.testCards}</h2>
    ${cardList(parts, 'approved')} ${cardList(parts, 'declined')} ${cardList(parts, 'challenge')}
    <p class="soft">${texts.otherCards} ${ui.ltr('9682 99 MM RR 00000 C')}</p>
    <form method="post" action="${expire}" class="row">
      <button class="button" data-test="expire-now">${texts.expireNow}</button
      ><span class="soft">${texts.expireNote}</span>
    </form>`;
  return drawer(language, isOpen, body);
}

/** A drawer of test tools, on the hosted page and on the 3-D Secure page. */
export function drawer(language: ui.Language, isOpen: boolean, body: ui.Html): ui.Html {
  const texts = hostedTexts[language];
  return html`<details class="drawer" data-test="test-drawer" ${isOpen && html` open`}>
    <summary class="row chevron">
      <b>${texts.drawer}</b> <span class="soft">${texts.drawerNote}</span>
    </summary>
    <div class="stack drawer-body">${body}</div>
  </details>`;
}

function outcome(
  { choice: chosen, language }: DrawerParts,
  value: string,
  name: 'card' | 'approve' | 'decline',
): ui.Html {
  const input = html`${ui.radio('outcome', value, `outcome-${name}`)} form="card-form"`;
  const text = hostedTexts[language].outcomes[name];
  return ui.choiceField('segment', input, chosen === value, text);
}

function cardList(parts: DrawerParts, group: DrawerCard['group']): ui.Html {
  const rows = drawerCards.map((card, index) =>
    card.group === group ? cardRow(parts, card, index) : html``,
  );
  return html`<div>
    <h3 id="cards-${group}">${hostedTexts[parts.language].cardGroups[group]}</h3>
    <ul class="columns test-cards" aria-labelledby="cards-${group}">
      ${rows}
    </ul>
  </div>`;
}

/** A card with its effect. Without scripts, the link leads to the page with the card filled in. */
function cardRow(
  { language, session, expiry }: DrawerParts,
  { number, card }: DrawerCard,
  index: number,
): ui.Html {
  const { fill } = hostedTexts[language];
  return html`<li class="test-card row between lined">
    <span
      ><bdi class="test-number" dir="ltr">${groupedNumber(number)}</bdi
      ><span class="soft"
        >${ui.ltr(ui.schemeName(card.scheme))} · ${effectText(card, language)}</span
      ></span
    ><a
      class="button button-small fill"
      href="${checkoutAddress(session.id, language, { card: String(index) })}"
      data-number="${number}"
      data-expiry="${expiry}"
      data-cvv="123"
      data-test="fill-${number}"
      aria-label="${fill} ${groupedNumber(number)}"
      >${fill}</a
    >
  </li>`;
}

function effectText({ mode, responseCode }: TestCard, language: ui.Language): string {
  const effects = hostedTexts[language].cardEffects;
  const answer =
    responseCode === approvedCode
      ? effects.approved
      : `${declineText(responseCode, language)} (${responseCode})`;
  if (mode === 'challenge') return effects.challenge(answer);
  return mode === 'none' || mode === 'attempted' || mode === 'not-enrolled'
    ? answer
    : effects[mode];
}
