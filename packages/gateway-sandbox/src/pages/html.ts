import type { Request } from 'express';
import { formatAmount } from '../domain/requests.ts';
import {
  balanceOf,
  hasDone,
  isApproved,
  isOpen,
  refundStatusOf,
  sessionState,
} from '../domain/transaction.ts';
import type { Session, Transaction } from '../domain/transaction.ts';

/** Text that is already HTML. The template escapes every other value. */
export class Html {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

type Part = Html | string | number | null | false | readonly (Html | string)[];

const replacements: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Builds a piece of a page. Values are escaped; `null` and `false` become nothing. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const pieces = strings.map((text, index) => text + render(parts[index] ?? null));
  return new Html(pieces.join(''));
}

function render(part: Part): string {
  if (part === null || part === false) return '';
  if (part instanceof Html) return part.toString();
  if (typeof part === 'object') return part.map(render).join('');
  return String(part).replace(/[&<>"']/g, (character) => replacements[character] ?? '');
}

export type Language = 'en' | 'ar';

/** Side by side, or one below the other where long; what fills a long one has no line break. */
export type Pair = readonly [english: string, arabic: string] | `${string}\n${string}`;

interface Texts {
  readonly [name: string]: Pair | ((...values: never[]) => Pair) | Texts;
}

type InOneLanguage<T> = {
  readonly [Name in keyof T]: T[Name] extends Pair
    ? string
    : T[Name] extends (...values: infer Values) => Pair
      ? (...values: Values) => string
      : InOneLanguage<T[Name]>;
};

/** Both languages of a text stand together in the source, so that neither is forgotten. */
export function byLanguage<T extends Texts>(
  texts: T,
): Readonly<Record<Language, InOneLanguage<T>>> {
  const inLanguage = (index: 0 | 1) => pick(texts, index) as InOneLanguage<T>;
  return { en: inLanguage(0), ar: inLanguage(1) };
}

function pick(entry: Texts[string], index: 0 | 1): unknown {
  if (typeof entry === 'string') return entry.split('\n')[index]?.trim();
  if (isSideBySide(entry)) return entry[index];
  if (typeof entry === 'function') return (...values: never[]) => pick(entry(...values), index);
  return Object.fromEntries(Object.entries(entry).map(([name, one]) => [name, pick(one, index)]));
}

function isSideBySide(entry: Texts[string]): entry is Exclude<Pair, string> {
  return Array.isArray(entry);
}

/** The page's language: `?lang=`, else the browser's preference, else English. */
export function languageOf(request: Request): Language {
  const { lang } = request.query;
  if (lang === 'ar' || lang === 'en') return lang;
  return request.acceptsLanguages(['en', 'ar']) === 'ar' ? 'ar' : 'en';
}

/** The riyal sign of 2025 (U+20C1) as a path, since few fonts have the character yet. */
const riyalPath =
  'M70 111l-4 15 43-9 4-15zM109 90l4-15-33 7V69l29-6 4-15-33 7V7Q72 11 66 18v40l-13 3V0Q45 4 40 11v53L10 70 7 84l33-7v17L4 102 0 116l38-8q4-1 7-5l7-10q1-2 1-4V74l13-3v28z';

/** Keeps the sign and the number on one line. */
const space = '\u00a0';

/** Every page's header holds the sign once; amounts refer to it. */
export const riyalSymbol = html`<symbol id="riyal" viewBox="0 0 113 126">
  <path d="${riyalPath}" />
</symbol>`;

/**
 * An amount as every page shows it: Latin digits, and the riyal sign left of the number in both
 * languages, as the central bank asks. From right to left, what is read last stands at the left.
 */
export function amountTag(minor: number, currency: string, language: Language): Html {
  const digits = groupedDigits(minor);
  if (currency !== 'SAR') {
    return html`<bdi dir="ltr" class="money">${currency}${space}${digits}</bdi>`;
  }
  const sign = html`<svg role="img" aria-label="${riyalNames[language]}" viewBox="0 0 113 126">
    <use href="#riyal" />
  </svg>`;
  return language === 'en'
    ? html`<bdi dir="ltr" class="money">${sign}${space}${digits}</bdi>`
    : html`<bdi dir="rtl" class="money"><bdi dir="ltr">${digits}</bdi>${space}${sign}</bdi>`;
}

/** An amount where no drawing can stand: in a title or a name. */
export function amountText(minor: number, currency: string, language: Language): string {
  const digits = groupedDigits(minor);
  const isArabicRiyal = language === 'ar' && currency === 'SAR';
  return isArabicRiyal ? `${digits}${space}${riyalNames.ar}` : `${currency}${space}${digits}`;
}

const riyalNames: Readonly<Record<Language, string>> = { en: 'SAR', ar: 'ريال' };

function groupedDigits(minor: number): string {
  const [whole = '', fraction = ''] = formatAmount(minor).split('.');
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${fraction}`;
}

type Text = Html | string;

export function hidden(text: string): Html {
  return html`<span class="visually-hidden">${text}</span>`;
}

/** `id` is the heading's. The inspector's script replaces panels by this id. */
export function panel(id: string, title: string, body: Html, aside: Text | null = null): Html {
  return html`<section class="panel" aria-labelledby="${id}" data-live="${id}">
    <div class="row between">
      <h2 id="${id}">${title}</h2>
      ${aside !== null && html`<div class="soft">${aside}</div>`}
    </div>
    ${body}
  </section>`;
}

interface Pill {
  readonly href: string;
  readonly text: Text;
  readonly isCurrent: boolean;
}

/** Links to the same page about something else. */
export function pills(label: string, links: readonly Pill[]): Html {
  const link = ({ href, text, isCurrent }: Pill) =>
    html`<li>
      <a class="pill" href="${href}" ${isCurrent && html` aria-current="true"`}>${text}</a>
    </li>`;
  return html`<nav aria-label="${label}">
    <ul class="row">
      ${links.map(link)}
    </ul>
  </nav>`;
}

interface TableParts {
  readonly labelledBy: string;
  readonly head: readonly string[];
  readonly rows: readonly TableRow[];
  readonly empty: string;
  /** Whether the last column holds amounts, which stand at the line's end. */
  readonly hasAmounts?: boolean;
}

interface TableRow {
  readonly id?: string;
  readonly cells: readonly (Text | null | false)[];
}

/** A table that scrolls in a narrow window, by keyboard too. On a phone each row is a card. */
export function table({ labelledBy, head, rows, empty, hasAmounts = false }: TableParts): Html {
  if (rows.length === 0) return html`<p class="soft">${empty}</p>`;
  const row = ({ id = '', cells }: TableRow) =>
    html`<tr ${id !== '' && html` id="${id}"`}>
      ${cells.map((cell, index) => html`<td data-label="${head[index] ?? ''}">${cell}</td>`)}
    </tr>`;
  return html`<div class="scroller" tabindex="0" role="group" aria-labelledby="${labelledBy}">
    <table class="${hasAmounts && 'amounts'}">
      <thead>
        <tr>
          ${head.map((text) => html`<th scope="col">${text}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(row)}
      </tbody>
    </table>
  </div>`;
}

/**
 * Names with their values. `style` is `pairs` (at both ends), `terms` (in a row), `columns`
 * or `totals lined` (amounts beside each other).
 */
export function definitions(
  style: 'pairs' | 'terms' | 'columns' | 'totals lined',
  entries: readonly (readonly [name: Text, value: Text])[],
): Html {
  const entry = ([name, value]: readonly [Text, Text]) =>
    html`<div>
      <dt>${name}</dt>
      <dd>${value}</dd>
    </div>`;
  return html`<dl class="${style}">${entries.map(entry)}</dl>`;
}

/** The states that are good, bad or neither, in whatever shows them. The others wait. */
const tones = {
  good: 'paid already-paid success captured running active delivered ok done acknowledged spec',
  bad: 'failed declined expired dropped voided revoked production contradiction',
  plain: 'staging analogue',
};

export function toneOf(state: string): string {
  const [tone = 'wait'] =
    Object.entries(tones).find(([, of]) => of.split(' ').includes(state)) ?? [];
  return `tone-${tone}`;
}

export function badge(kind: string, text: Text): Html {
  const state = kind.toLowerCase();
  return html`<span class="pill badge badge-${state} ${toneOf(state)}">${text}</span>`;
}

/** How firmly a rule is known, and its source; what is not stated has a dashed edge. */
export function tierMark(text: string): Html {
  return html`<bdi dir="ltr" lang="en" class="pill tier ${toneOf(text.split(' ')[0] ?? '')}"
    >${text}</bdi
  >`;
}

/** Text of the wire or of code: left to right in both languages. */
export function ltr(text: string): Html {
  return html`<bdi dir="ltr">${text}</bdi>`;
}

export function code(text: string): Html {
  return html`<code dir="ltr">${text}</code>`;
}

interface FieldParts {
  readonly id: string;
  readonly label: Text;
  /** The input's attributes besides those that the label, hint and error need. */
  readonly input: Html;
  readonly hint?: string | undefined;
  readonly error?: string | null;
}

export function field({ id, label, input, hint, error = null }: FieldParts): Html {
  const described = [hint === undefined ? '' : `${id}-hint`, error === null ? '' : `${id}-error`];
  const describedBy = described.filter((text) => text !== '').join(' ');
  return html`<div class="field">
    <label for="${id}">${label}</label>
    <input
      id="${id}"
      ${input}
      ${error !== null && html` aria-invalid="true"`}${describedBy !== '' && html` aria-describedby="${describedBy}"`}
    />
    ${hint !== undefined && html`<span class="soft" id="${id}-hint">${hint}</span>`}
    ${error !== null && html`<span class="field-error" id="${id}-error">${error}</span>`}
  </div>`;
}

/** A button that sends its form; `more` is its other attributes. */
export function button(test: string, text: Text, style = 'button', more: Html | null = null): Html {
  return html`<button class="${style}" data-test="${test}" ${more}>${text}</button>`;
}

export function mainButton(test: string, text: Text): Html {
  return button(test, text, 'button button-main');
}

export function radio(name: string, value: string, test: string): Html {
  return html`type="radio" name="${name}" value="${value}" data-test="${test}"`;
}

/** A radio button or a check box in its label; `input` is its attributes. */
export function choiceField(style: string, input: Html, isChosen: boolean, text: Text): Html {
  return html`<label class="row ${style}"
    ><input ${input} ${isChosen && html` checked`} />${text}</label
  >`;
}

interface SelectParts {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  /** Values with their texts; a value alone is its own text. */
  readonly options: readonly (string | readonly [value: string, text: string])[];
  readonly direction?: 'ltr';
  /** The value that is chosen; the first by default. */
  readonly chosen?: string;
}

export function selectField({ id, name, label, options, direction, chosen }: SelectParts): Html {
  const option = (one: string | readonly [string, string]) => {
    const [value, text] = typeof one === 'string' ? [one, one] : one;
    return html`<option value="${value}" ${value === chosen && html` selected`}>${text}</option>`;
  };
  return html`<div class="field">
    <label for="${id}">${label}</label>
    <select id="${id}" name="${name}" ${direction === 'ltr' && html` dir="ltr"`} data-test="${id}">
      ${options.map(option)}
    </select>
  </div>`;
}

/** Something that went wrong. The box takes the focus on load, so that a screen reader begins with it. */
export function alertBox(test: string, text: string, more: string | null = null): Html {
  return html`<div class="note tone-bad" role="alert" tabindex="-1" autofocus data-test="${test}">
    <p class="toned"><bdi>${text}</bdi></p>
    ${more !== null && html`<p><bdi>${more}</bdi></p>`}
  </div>`;
}

/** An instant of the sandbox clock in UTC, from a character of its ISO text to another. */
export function instant(at: number | string, from = 0, to = 19): Html {
  const iso = new Date(at).toISOString();
  const text = iso.slice(from, to).replace('T', ' ');
  return html`<time datetime="${iso}" dir="ltr" title="${iso}">${text}</time>`;
}

/** The time of day of an instant; `digits` counts from the hours. */
export const timeOfDay = (at: number | string, digits = 8): Html => instant(at, 11, 11 + digits);

const schemeNames: Readonly<Record<string, string>> = {
  MADA: 'mada',
  VISA: 'Visa',
  MASTERCARD: 'Mastercard',
};

export function schemeName(scheme: string): string {
  return schemeNames[scheme] ?? scheme;
}

/** The states of payments and of transactions, in the words of the trade. */
export const stateTexts = byLanguage({
  open: ['Open', 'بانتظار الدفع'],
  challenge: ['3-D Secure', 'التحقق الآمن'],
  paid: ['Paid', 'مدفوعة'],
  authorized: ['Authorized', 'مبلغ محجوز'],
  captured: ['Captured', 'تم التحصيل'],
  voided: ['Voided', 'فُك الحجز'],
  'partly-refunded': ['Partly refunded', 'مستردة جزئيًا'],
  refunded: ['Refunded', 'مستردة بالكامل'],
  declined: ['Declined', 'مرفوضة'],
  expired: ['Expired', 'منتهية الصلاحية'],
  pending: ['Pending', 'معلّقة'],
});

/** The states of one transaction, in the order in which a list offers them. */
export const transactionStates = [
  'paid',
  'authorized',
  'captured',
  'voided',
  'partly-refunded',
  'refunded',
  'declined',
  'pending',
] as const;
type TransactionState = (typeof transactionStates)[number];

export function transactionStateOf(transaction: Transaction): TransactionState {
  const { entries } = transaction;
  if (isOpen(transaction)) return 'pending';
  if (!isApproved(transaction)) return 'declined';
  if (hasDone(entries, 'void')) return 'voided';
  const isAuthorization = entries[0].kind === 'authorization';
  if (isAuthorization && !hasDone(entries, 'capture')) return 'authorized';
  const none = isAuthorization ? 'captured' : 'paid';
  const states = { NONE: none, PARTIAL: 'partly-refunded', FULL: 'refunded' } as const;
  return states[refundStatusOf(balanceOf(entries))];
}

const refunds = ['partly-refunded', 'refunded'] as const;

/**
 * The possible states of a payment (§3), in the rows of their drawing: on the hosted page, where a
 * decline leaves the payment open, and of an authorization, which is captured or voided later.
 */
const diagrams = {
  checkout: ['open', 'challenge', 'paid', ...refunds, 'expired', 'declined'],
  authorization: ['challenge', 'authorized', 'captured', ...refunds, 'declined', 'voided'],
} as const;

type PaymentState = (typeof diagrams)[keyof typeof diagrams][number];

/** The state of a payment by its last attempt, or by the one that paid it, and its diagram. */
export function paymentStateOf(
  session: Session,
  now: number,
  last = session.paidBy ?? session.attempts.at(-1),
): { readonly diagram: keyof typeof diagrams; readonly state: PaymentState } {
  const isAuthorization = last?.entries[0].kind === 'authorization';
  const diagram = isAuthorization ? 'authorization' : 'checkout';
  const state = last === undefined ? 'open' : transactionStateOf(last);
  if (state === 'pending') return { diagram, state: 'challenge' };
  const isUnpaid = state === 'open' || (state === 'declined' && !isAuthorization);
  const hasExpired = isUnpaid && sessionState(session, now) === 'EXPIRED';
  return { diagram, state: hasExpired ? 'expired' : state };
}

const currentState = { en: 'Current state', ar: 'الحالة الحالية' } as const;

/** The possible states of a payment as a drawing, with its current one lit. The style draws the steps. */
export function paymentDiagram(
  session: Session,
  now: number,
  language: Language,
  attempt?: Transaction,
): Html {
  const { diagram, state: current } = paymentStateOf(session, now, attempt);
  const texts = stateTexts[language];
  const label = currentState[language];
  const node = (state: PaymentState) =>
    html`<span class="state ${state === current && `state-lit state-${state} ${toneOf(state)}`}"
      >${texts[state]}</span
    >`;
  return html`<div class="scroller" tabindex="0" role="group" aria-label="${label}">
    <div class="states states-${diagram}" role="img" aria-label="${label}: ${texts[current]}">
      ${diagrams[diagram].map(node)}
    </div>
  </div>`;
}
