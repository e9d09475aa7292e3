import type { Request } from 'express';
import { formatAmount } from '../../domain/requests.ts';
import { iso } from '../../domain/clock.ts';
import type { Session, Transaction } from '../../domain/transaction.ts';
import { field, selectField } from '../furniture.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { transactionStateOf, transactionStates } from '../inspector/payment-state.ts';
import type { Language } from '../language.ts';
import { dashboardTexts } from './texts.ts';

/** What the list of transactions is narrowed to, as the address holds it; an empty text narrows nothing. */
export interface TransactionFilter {
  readonly q: string;
  readonly state: string;
  /** Days in UTC, both included. */
  readonly from: string;
  readonly to: string;
}

const longestSearch = 200;

export function readFilter({ query }: Request): TransactionFilter {
  const text = (name: string) => {
    const value = query[name];
    return typeof value === 'string' ? value.trim().slice(0, longestSearch) : '';
  };
  const day = (name: string) => (/^\d{4}-\d{2}-\d{2}$/.test(text(name)) ? text(name) : '');
  const state = transactionStates.find((one) => one === text('state')) ?? '';
  return { q: text('q'), state, from: day('from'), to: day('to') };
}

export function matches(
  { q, state, from, to }: TransactionFilter,
  session: Session,
  transaction: Transaction,
): boolean {
  const day = iso(transaction.createdAt).slice(0, 10);
  if ((from !== '' && day < from) || (to !== '' && day > to)) return false;
  if (state !== '' && transactionStateOf(transaction) !== state) return false;
  return q === '' || isFoundBy(q.toLowerCase(), session, transaction);
}

/** An order, an id and a reference are found by a part of them, a card and an amount only whole. */
function isFoundBy(
  search: string,
  { merchantOrderId }: Session,
  { id, paymentId, rrn, card, amountMinor }: Transaction,
): boolean {
  const hasPart = [merchantOrderId, id, paymentId, rrn].some((text) =>
    text.toLowerCase().includes(search),
  );
  return hasPart || card.lastFour === search || formatAmount(amountMinor) === search;
}

/** The form that narrows the list; its fields end in the address. */
export function filterForm(language: Language, filter: TransactionFilter): Html {
  const texts = dashboardTexts[language];
  const day = (name: 'from' | 'to') =>
    field({
      id: name,
      label: texts[name],
      input: html`type="date" name="${name}" value="${filter[name]}" data-test="filter-${name}"`,
    });
  return html`<form
    class="filter"
    method="get"
    action="/dashboard/transactions"
    role="search"
    aria-label="${texts.filter}"
  >
    <input type="hidden" name="lang" value="${language}" />
    ${field({
      id: 'q',
      label: texts.search,
      input: html`type="search" name="q" dir="auto" autocomplete="off" value="${filter.q}"
      data-test="filter-q"`,
    })}
    ${selectField({
      id: 'filter-state',
      name: 'state',
      label: texts.status,
      options: [
        ['', texts.anyState],
        ...transactionStates.map((state) => [state, texts.states[state]] as const),
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
