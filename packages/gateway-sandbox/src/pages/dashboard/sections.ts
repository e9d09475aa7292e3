import type { Request } from 'express';
import { iso } from '../../domain/clock.ts';
import { webhookTypes } from '../../domain/events.ts';
import { refusalOfAuthorization } from '../../domain/moves.ts';
import { formatAmount, isFields } from '../../domain/requests.ts';
import { newestSessions, sdkTokenTypes } from '../../domain/tenant.ts';
import { balanceOf, type Environment, type Transaction } from '../../domain/transaction.ts';
import { html } from '../html.ts';
import * as ui from '../html.ts';
import type { Page } from '../page.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import { sections, type dashboardTexts, type DoneKind, type Section } from './texts.ts';

/** The merchant who is signed in, by the portal's own token (§5.4). */
export interface Merchant {
  readonly tenant: string;
  readonly environment: Environment;
  readonly token: string;
}

export type ApiRecord = Readonly<Record<string, unknown>>;

/** An answer of the gateway's API, which the dashboard shows as it is. */
export interface ApiAnswer {
  readonly status: number;
  readonly body: ApiRecord;
}

function recordsOf({ body }: ApiAnswer, name: string): readonly ApiRecord[] {
  const list = body[name];
  return Array.isArray(list) ? list.filter(isFields) : [];
}

/** A field as text; a value of another type counts as empty. */
export function textOf(record: ApiRecord, name: string): string {
  const value = record[name];
  return typeof value === 'string' ? value : '';
}

/** The result of a form, shown once on the next page. */
export type Notice =
  | { readonly kind: 'done'; readonly what: DoneKind; readonly secret: string }
  | { readonly kind: 'refused'; readonly complaint: string };

export interface View {
  readonly parts: SandboxParts;
  readonly merchant: Merchant;
  readonly language: ui.Language;
  readonly texts: (typeof dashboardTexts)[ui.Language];
  readonly notice: Notice | null;
}

export function sectionAddress(section: Section, language: ui.Language, more = ''): string {
  return `/dashboard/${section}${more}?lang=${language}`;
}

/** One section's page: navigation, the last form's result, and the section itself. */
function dashboardPage(view: View, section: Section, heading: string, body: ui.Html): Page {
  const { language, texts, merchant } = view;
  const link = (to: Section) =>
    html`<li>
      <a href="${sectionAddress(to, language)}" ${to === section && html` aria-current="page"`}
        >${texts.sections[to]}</a
      >
    </li>`;
  const main = html`<div class="stack wide dashboard">
    <nav class="dashboard-nav row between" aria-label="${texts.navigation}">
      <p class="row">
        <b>${texts.title}</b>
        ${ui.badge(merchant.environment, texts.environments[merchant.environment])}
      </p>
      <ul class="row">
        ${sections.map(link)}
      </ul>
      ${apiForm(view, 'sign-out', ui.button('sign-out', texts.signOut))}
    </nav>
    <main class="stack">
      <h1 id="section"><bdi>${heading}</bdi></h1>
      ${noticeBox(view)} ${body}
    </main>
  </div>`;
  return { title: `${heading} · ${texts.title}`, main, isTool: true };
}

function noticeBox({ notice, texts }: View): ui.Html | null {
  if (notice === null) return null;
  if (notice.kind === 'refused')
    return ui.alertBox('refused', texts.refusedTitle, notice.complaint);
  return html`<div class="note tone-good" role="status" data-test="done">
    <p>${texts.done[notice.what]}</p>
    ${
      notice.secret !== '' &&
      html`<p><code dir="ltr" class="pill secret" data-test="secret">${notice.secret}</code></p>
        <p class="soft">${texts.shownOnce}</p>`
    }
  </div>`;
}

/** A form below `/dashboard`; the guard turns forms of other sites away. */
function apiForm(
  { language }: View,
  path: string,
  body: ui.Html,
  style: 'stack wide-form' | 'row amount-form' | null = null,
): ui.Html {
  return html`<form method="post" action="/dashboard/${path}?lang=${language}" class="${style}">
    ${body}
  </form>`;
}

/** A step that cannot be taken back: its button is hidden behind another one. */
function guardedForm(
  view: View,
  path: string,
  [test, open, confirm]: readonly [test: string, open: string, confirm: string],
): ui.Html {
  return html`<details class="guarded">
    <summary class="button button-danger" data-test="${test}">${open}</summary>
    ${apiForm(view, path, ui.button(`confirm-${test}`, confirm, 'button button-danger'))}
  </details>`;
}

/** An instant of the API's answer, to the minute. */
function instantText(text: string, { texts }: View): ui.Html {
  if (text === '') return html`<span class="soft">${texts.never}</span>`;
  return ui.instant(text, 0, 16);
}

function statusBadge(status: string, { texts }: View): ui.Html {
  return ui.badge(status, texts.statuses[status] ?? status);
}

const shownAtMost = 100;

/** The transactions of the environment, newest first, with the sums of those that the filter finds. */
export function transactionsPage(view: View, filter: TransactionFilter): Page {
  const { texts, parts, merchant } = view;
  const found = newestSessions(parts.machine.tenant(merchant.tenant))
    .filter(({ environment }) => environment === merchant.environment)
    .flatMap(({ attempts }) => attempts.toReversed())
    .filter((transaction) => matches(filter, transaction));
  const rows = found.slice(0, shownAtMost).map((one) => ({ cells: cellsOf(view, one) }));
  const isFiltered = Object.values(filter).some((value) => value !== '');
  const body = html`<div class="panel">
    ${filterForm(view, filter)} ${totals(view, found)}
    ${ui.table({
      labelledBy: 'section',
      head: [texts.order, texts.status, texts.card, texts.created, texts.amount],
      rows,
      empty: isFiltered ? texts.noneFound : texts.noTransactions,
      hasAmounts: true,
    })}
    ${found.length > shownAtMost && html`<p class="soft">${texts.newestShown(shownAtMost, found.length)}</p>`}
  </div>`;
  return dashboardPage(view, 'transactions', texts.sections.transactions, body);
}

function cellsOf(view: View, transaction: Transaction): readonly ui.Html[] {
  const { amount, state, card, created, refunded } = shownOf(view, transaction);
  const link = html`<a
    href="${sectionAddress('transactions', view.language, `/${transaction.id}`)}"
    data-test="open-transaction"
    ><bdi>${transaction.session.merchantOrderId}</bdi></a
  >`;
  const more = html`<div class="soft">${view.texts.refunded} ${refunded}</div>`;
  return [link, state, card, created, html`${amount}${refunded !== null && more}`];
}

/** What both the list and its own page show of a transaction. */
function shownOf(view: View, transaction: Transaction) {
  const { language } = view;
  const { session, card, entries, createdAt, amountMinor } = transaction;
  const state = ui.transactionStateOf(transaction);
  const { refundedMinor } = balanceOf(entries);
  const amount = (minor: number) => ui.amountTag(minor, session.currency, language);
  return {
    amount: amount(amountMinor),
    state: ui.badge(state, ui.stateTexts[language][state]),
    card: ui.ltr(`${ui.schemeName(card.scheme)} •••• ${card.lastFour}`),
    created: instantText(iso(createdAt), view),
    refunded: refundedMinor > 0 ? amount(refundedMinor) : null,
  };
}

/** The sums of each currency among these transactions; a sum of two currencies would mean nothing. */
function totals({ language, texts: { totals: texts } }: View, found: readonly Transaction[]) {
  if (found.length === 0) return null;
  const currencies = [...new Set(found.map(({ session }) => session.currency))];
  const ofCurrency = (currency: string) => {
    const some = found.filter(({ session }) => session.currency === currency);
    const sum = (of: (transaction: Transaction) => number) =>
      some.reduce((total, one) => total + of(one), 0);
    const captured = sum(({ entries }) => balanceOf(entries).capturedMinor);
    const refunded = sum(({ entries }) => balanceOf(entries).refundedMinor);
    const held = sum((one) => (ui.transactionStateOf(one) === 'authorized' ? one.amountMinor : 0));
    const amount = (minor: number) => ui.amountTag(minor, currency, language);
    return ui.definitions('totals lined', [
      [texts.count, `${some.length}`],
      [texts.captured, amount(captured)],
      [texts.refunded, amount(refunded)],
      [texts.net, amount(captured - refunded)],
      [texts.held, amount(held)],
    ]);
  };
  return html`<div data-test="totals">${currencies.map(ofCurrency)}</div>`;
}

/** What the list of transactions is narrowed to, as the address holds it; an empty text narrows nothing. */
type TransactionFilter = Readonly<ReturnType<typeof readFilter>>;

const longestSearch = 200;

export function readFilter({ query }: Request) {
  const text = (name: string) => {
    const value = query[name];
    return typeof value === 'string' ? value.trim().slice(0, longestSearch) : '';
  };
  /** A day in UTC; both are included. */
  const day = (name: string) => (/^\d{4}-\d{2}-\d{2}$/.test(text(name)) ? text(name) : '');
  const state = ui.transactionStates.find((one) => one === text('state')) ?? '';
  return { q: text('q'), state, from: day('from'), to: day('to') };
}

function matches({ q, state, from, to }: TransactionFilter, transaction: Transaction): boolean {
  const day = iso(transaction.createdAt).slice(0, 10);
  if ((from !== '' && day < from) || (to !== '' && day > to)) return false;
  if (state !== '' && ui.transactionStateOf(transaction) !== state) return false;
  return q === '' || isFoundBy(q.toLowerCase(), transaction);
}

/** An order, an id and a reference are found by a part of them, a card and an amount only whole. */
function isFoundBy(
  search: string,
  { id, session, paymentId, rrn, card, amountMinor }: Transaction,
): boolean {
  const hasPart = [session.merchantOrderId, id, paymentId, rrn].some((text) =>
    text.toLowerCase().includes(search),
  );
  return hasPart || card.lastFour === search || formatAmount(amountMinor) === search;
}

/** The form that narrows the list; its fields end in the address. */
function filterForm({ language, texts }: View, filter: TransactionFilter): ui.Html {
  const day = (name: 'from' | 'to') =>
    ui.field({
      id: name,
      label: texts[name],
      input: html`type="date" name="${name}" value="${filter[name]}" data-test="filter-${name}"`,
    });
  return html`<form
    class="columns fields"
    method="get"
    action="/dashboard/transactions"
    role="search"
    aria-label="${texts.filter}"
  >
    <input type="hidden" name="lang" value="${language}" />
    ${ui.field({
      id: 'q',
      label: texts.search,
      input: html`type="search" name="q" dir="auto" autocomplete="off" value="${filter.q}"
      data-test="filter-q"`,
    })}
    ${ui.selectField({
      id: 'filter-state',
      name: 'state',
      label: texts.status,
      options: [
        ['', texts.anyState],
        ...ui.transactionStates.map((state) => [state, ui.stateTexts[language][state]] as const),
      ],
      chosen: filter.state,
    })}
    ${day('from')}${day('to')}
    <div class="row">
      <button class="button" data-test="filter">${texts.show}</button>
      <a href="/dashboard/transactions?lang=${language}" data-test="clear-filter">${texts.clear}</a>
    </div>
  </form>`;
}

/** One transaction: its state, the forms that it allows, and the status endpoint's row word for word. */
export function transactionPage(view: View, transaction: Transaction, answer: ApiAnswer): Page {
  const { texts } = view;
  const { data } = answer.body;
  const [row = {}] = isFields(data) ? recordsOf({ ...answer, body: data }, 'content') : [];
  const answered = Object.entries(row).map(
    ([name, value]) =>
      [ui.ltr(name), html`<bdi dir="ltr" data-test="told-${name}">${String(value)}</bdi>`] as const,
  );
  const body = html`${summary(view, transaction)}
  ${ui.panel('money-actions', texts.moneyActions, moneyActions(view, transaction))}
  ${ui.panel('transaction', texts.statusAnswer, ui.definitions('columns', answered))}`;
  const heading = `${texts.order} ${transaction.session.merchantOrderId}`;
  const page = dashboardPage(view, 'transactions', heading, body);
  return { ...page, scripts: ['current-state.js'] };
}

/** The amount, the state and what was refunded, as the list has them, and the diagram. */
function summary(view: View, transaction: Transaction): ui.Html {
  const { language, texts, parts, merchant } = view;
  const { amount, state, card, created, refunded } = shownOf(view, transaction);
  const now = parts.machine.now(merchant.tenant);
  return html`<div class="panel">
    <p class="row"><b class="total">${amount}</b> ${state}</p>
    ${ui.definitions('terms', [
      [texts.card, card],
      [texts.created, created],
      ...(refunded === null ? [] : [[texts.refunded, refunded] as const]),
    ])}
    ${ui.paymentDiagram(transaction.session, now, language, transaction)}
  </div>`;
}

/** Offers only what this transaction allows; the API decides in any case. */
function moneyActions(view: View, transaction: Transaction): ui.Html {
  const { texts } = view;
  const isHeld = refusalOfAuthorization(transaction) === null;
  const { refundableMinor } = balanceOf(transaction.entries);
  const path = `transactions/${transaction.id}`;
  if (!isHeld && refundableMinor === 0) return html`<p class="soft">${texts.noMoneyActions}</p>`;
  const amountForm = (name: 'refund' | 'capture', minor: number) => {
    const amount = ui.field({
      id: `${name}-amount`,
      label: texts.amounts[name],
      input: html`name="amount" dir="ltr" inputmode="decimal" value="${formatAmount(minor)}"
      data-test="${name}-amount"`,
    });
    const body = html`${amount} ${ui.mainButton(name, texts[name])}`;
    return apiForm(view, `${path}/${name}`, body, 'row amount-form');
  };
  return html`${refundableMinor > 0 && amountForm('refund', refundableMinor)}
  ${isHeld && amountForm('capture', transaction.amountMinor)}
  ${isHeld && guardedForm(view, `${path}/void`, ['void', texts.void, texts.voidConfirm])}`;
}

/** Settings → API credentials: the keys as §4.13 answers them, rotation and revocation (§5.5). */
export function credentialsPage(view: View, answer: ApiAnswer): Page {
  const { texts } = view;
  const row = (key: ApiRecord) => {
    const status = textOf(key, 'status');
    const revoking = ['revoke-key', texts.revoke, texts.revokeConfirm] as const;
    const cells = [
      ui.code(textOf(key, 'apiKey')),
      statusBadge(status, view),
      instantText(textOf(key, 'createdAt'), view),
      instantText(textOf(key, 'expiresAt'), view),
      status === 'ACTIVE' && guardedForm(view, `credentials/${idOf(key)}/revoke`, revoking),
    ];
    return { cells };
  };
  const body = html`<div class="panel">
    <p class="soft">${texts.rotateHint}</p>
    ${apiForm(view, 'credentials/rotate', ui.mainButton('rotate-key', texts.rotate))}
    ${ui.table({
      labelledBy: 'section',
      head: [texts.apiKey, texts.status, texts.created, texts.expires, texts.actions],
      rows: recordsOf(answer, 'credentials').map(row),
      empty: texts.none,
    })}
  </div>`;
  return dashboardPage(view, 'credentials', texts.sections.credentials, body);
}

/** The SDK tokens as §4.15 lists them; a token itself is shown once, when it is made (N19). */
export function sdkTokensPage(view: View, answer: ApiAnswer): Page {
  const { texts } = view;
  const { name, product, terminal, status, created, expires, actions } = texts;
  const list = ui.table({
    labelledBy: 'section',
    head: [name, product, terminal, status, created, expires, actions],
    rows: recordsOf(answer, 'sdkTokens').map((token) => ({ cells: tokenCells(view, token) })),
    empty: texts.none,
  });
  const fields = html`${ui.field({
    id: 'token-name',
    label: name,
    input: html`name="name" dir="auto" maxlength="255" data-test="token-name"`,
  })}
  ${ui.selectField({ id: 'token-type', name: 'type', label: product, options: sdkTokenTypes })}
  ${ui.field({
    id: 'token-terminal',
    label: html`${terminal} <span class="soft">(${texts.optional})</span>`,
    input: html`name="terminalId" dir="ltr" maxlength="255"`,
  })}
  ${ui.mainButton('create-token', texts.createToken)}`;
  return settingsPage(view, 'sdk-tokens', list, { title: texts.newToken, fields });
}

/** Webhooks as §4.9 lists them; the signing secret is shown once, on create (N12). */
export function webhooksPage(view: View, answer: ApiAnswer): Page {
  const { texts } = view;
  const webhooks = recordsOf(answer, 'webhooks');
  const list =
    webhooks.length === 0
      ? html`<p class="soft">${texts.none}</p>`
      : html`<ul>
          ${webhooks.map((webhook) => oneWebhook(view, webhook))}
        </ul>`;
  const fields = html`${webhookFields(view, 'new', { url: '', active: true, events: [] })}
  ${ui.mainButton('create-webhook', texts.createWebhook)}`;
  return settingsPage(view, 'webhooks', list, { title: texts.newWebhook, fields });
}

function settingsPage(
  view: View,
  section: 'webhooks' | 'sdk-tokens',
  list: ui.Html,
  { title, fields }: { readonly title: string; readonly fields: ui.Html },
): Page {
  const form = apiForm(view, section, fields, 'stack wide-form');
  const body = html`<div class="panel">${list}</div>
    ${ui.panel('new', title, form)}`;
  return dashboardPage(view, section, view.texts.sections[section], body);
}

function tokenCells(view: View, token: ApiRecord): readonly ui.Html[] {
  const { texts } = view;
  const status = textOf(token, 'status');
  const name = textOf(token, 'name');
  const next = status === 'ACTIVE' ? 'DISABLED' : 'ACTIVE';
  const text = html`${next === 'ACTIVE' ? texts.enable : texts.disable}${ui.hidden(` ${name}`)}`;
  const more = html`name="status" value="${next}"`;
  return [
    html`<bdi>${name}</bdi>`,
    ui.ltr(textOf(token, 'type')),
    ui.ltr(textOf(token, 'terminalId')),
    statusBadge(status, view),
    instantText(textOf(token, 'createdAt'), view),
    instantText(textOf(token, 'expiresAt'), view),
    apiForm(view, `sdk-tokens/${idOf(token)}`, ui.button('toggle-token', text, undefined, more)),
  ];
}

function oneWebhook(view: View, webhook: ApiRecord): ui.Html {
  const { texts } = view;
  const id = textOf(webhook, 'id');
  const url = textOf(webhook, 'url');
  const active = webhook['active'] === true;
  const answered: unknown = webhook['events'];
  const events = Array.isArray(answered) ? answered.map(String) : [];
  const path = `webhooks/${idOf(webhook)}`;
  const fields = html`${webhookFields(view, id, { url, active, events })}
  ${ui.mainButton('save-webhook', texts.save)}`;
  const removal = ['delete-webhook', texts.remove, texts.removeConfirm] as const;
  return html`<li class="record stack lined">
    <p class="row"><b>${ui.ltr(url)}</b> ${statusBadge(active ? 'ACTIVE' : 'DISABLED', view)}</p>
    <p class="soft">${ui.code(id)} · ${ui.ltr(events.join(', '))}</p>
    <div class="row">
      <details class="guarded">
        <summary class="button" data-test="edit-webhook">${texts.edit}</summary>
        ${apiForm(view, path, fields, 'stack wide-form')}
      </details>
      ${guardedForm(view, `${path}/delete`, removal)}
    </div>
  </li>`;
}

interface WebhookFields {
  readonly url: string;
  readonly active: boolean;
  readonly events: readonly string[];
}

/** `key` distinguishes the fields of one form from those of another. */
function webhookFields(
  { texts }: View,
  key: string,
  { url, active, events }: WebhookFields,
): ui.Html {
  const test = key === 'new' ? 'webhook-url' : 'edit-webhook-url';
  const check = (name: string, value: string, isChecked: boolean, text: ui.Html | string) =>
    ui.choiceField('', html`type="checkbox" name="${name}" value="${value}"`, isChecked, text);
  return html`${ui.field({
      id: `url-${key}`,
      label: texts.url,
      input: html`name="url" dir="ltr" value="${url}" data-test="${test}"`,
    })}
    <fieldset>
      <legend>${texts.events}</legend>
      <div class="row">
        ${webhookTypes.map((type) => check('events', type, events.includes(type), ui.ltr(type)))}
      </div>
      <p class="soft">${texts.eventsHint}</p>
    </fieldset>
    ${check('active', 'yes', active, texts.active)}`;
}

function idOf(record: ApiRecord): string {
  return encodeURIComponent(textOf(record, 'id'));
}
