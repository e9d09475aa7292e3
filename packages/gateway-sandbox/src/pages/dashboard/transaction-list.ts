import { iso } from '../../domain/clock.ts';
import { newestSessions, transactionsOf } from '../../domain/tenant.ts';
import { balanceOf } from '../../domain/transaction.ts';
import type { Session, Transaction } from '../../domain/transaction.ts';
import { badge, definitions, ltr, schemeName, table } from '../furniture.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { transactionStateOf } from '../inspector/payment-state.ts';
import type { Language } from '../language.ts';
import { amountTag } from '../money.ts';
import type { Page } from '../page.ts';
import { dashboardPage, instantText, sectionAddress } from './dashboard-page.ts';
import type { View } from './dashboard-page.ts';
import { merchantOf } from './sign-in.ts';
import { dashboardTexts } from './texts.ts';
import { filterForm, matches } from './transaction-filter.ts';
import type { TransactionFilter } from './transaction-filter.ts';

const shownAtMost = 100;

type Found = readonly [session: Session, transaction: Transaction];

/** The transactions of the environment, newest first, with the sums of those that the filter finds. */
export function transactionsPage(view: View, filter: TransactionFilter): Page {
  const { language } = view;
  const texts = dashboardTexts[language];
  const found = findTransactions(view, filter);
  const rows = found.slice(0, shownAtMost).map((one) => ({ cells: cellsOf(language, one) }));
  const isFiltered = Object.values(filter).some((value) => value !== '');
  const body = html`<div class="panel">
    ${filterForm(language, filter)} ${totals(language, found)}
    ${table({
      labelledBy: 'section',
      head: [texts.order, texts.status, texts.card, texts.created, texts.amount],
      rows,
      empty: isFiltered ? texts.noneFound : texts.noTransactions,
      hasAmounts: true,
    })}
    ${found.length > shownAtMost && html`<p class="soft">${texts.newestShown(shownAtMost, found.length)}</p>`}
  </div>`;
  const page = dashboardPage(view, 'transactions', texts.sections.transactions, body);
  return { ...page, parameters: { ...filter } };
}

function findTransactions(view: View, filter: TransactionFilter): Found[] {
  const { tenant, environment } = merchantOf(view);
  const found: Found[] = [];
  for (const session of newestSessions(tenant)) {
    if (session.environment !== environment) continue;
    for (const transaction of transactionsOf(tenant, session).toReversed()) {
      if (matches(filter, session, transaction)) found.push([session, transaction]);
    }
  }
  return found;
}

function cellsOf(language: Language, [session, transaction]: Found): readonly Html[] {
  const texts = dashboardTexts[language];
  const state = transactionStateOf(transaction);
  const { refundedMinor } = balanceOf(transaction.entries);
  const amount = (minor: number) => amountTag(minor, session.currency, language);
  return [
    html`<a
      href="${sectionAddress('transactions', language, `/${transaction.id}`)}"
      data-test="open-transaction"
      ><bdi>${session.merchantOrderId}</bdi></a
    >`,
    badge(state, texts.states[state]),
    cardText(transaction),
    instantText(iso(transaction.createdAt), language),
    html`${amount(transaction.amountMinor)}${refundedMinor > 0 && html`<span class="below">${texts.refunded} ${amount(refundedMinor)}</span>`}`,
  ];
}

/** A card by its scheme and its last digits. */
export function cardText({ card }: Transaction): Html {
  return ltr(`${schemeName(card.scheme)} •••• ${card.lastFour}`);
}

/** The sums of each currency among these transactions; a sum of two currencies would mean nothing. */
function totals(language: Language, found: readonly Found[]): Html | null {
  if (found.length === 0) return null;
  const currencies = new Set(found.map(([session]) => session.currency));
  const lines = [...currencies].map((currency) => {
    const some = found.filter(([session]) => session.currency === currency);
    return totalsOf(language, currency, some);
  });
  return html`<div data-test="totals">${lines}</div>`;
}

function totalsOf(language: Language, currency: string, found: readonly Found[]): Html {
  const texts = dashboardTexts[language].totals;
  const sum = (of: (transaction: Transaction) => number) =>
    found.reduce((total, [, transaction]) => total + of(transaction), 0);
  const captured = sum(({ entries }) => balanceOf(entries).capturedMinor);
  const refunded = sum(({ entries }) => balanceOf(entries).refundedMinor);
  const held = sum((one) => (transactionStateOf(one) === 'authorized' ? one.amountMinor : 0));
  const amount = (minor: number) => amountTag(minor, currency, language);
  return definitions('totals', [
    [texts.count, `${found.length}`],
    [texts.captured, amount(captured)],
    [texts.refunded, amount(refunded)],
    [texts.net, amount(captured - refunded)],
    [texts.held, amount(held)],
  ]);
}
