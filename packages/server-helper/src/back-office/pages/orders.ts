import type { PaymentView } from '../../flows/views.ts';
import type { Answer } from '../../edges/http.ts';
import { describeOrder } from '../describe-order.ts';
import { amountTag, amountText, instant } from '../format.ts';
import { html, type Html, nothing } from '../html.ts';
import { pageAnswer } from '../layout.ts';
import { linkTo, orderAddress, type Visit } from '../office.ts';
import type { OrderDescription } from '../options.ts';
import { filterFields, type OrderFilter, queryOf, readFilter } from '../order-filter.ts';
import { stateBadge } from '../parts.ts';
import { orderListTexts } from '../texts/orders.ts';
import { filterForm } from './filter-form.ts';

const PAGE_LENGTH = 25;

/** The list of orders: the latest first, narrowed by what the address holds. */
export async function ordersPage(visit: Visit): Promise<Answer> {
  const { language, query, office } = visit;
  const texts = orderListTexts[language];
  const filter = readFilter(visit);
  const { payments, nextCursor } = await office.payments.list({
    ...queryOf(filter, office.settings.timeZone),
    limit: PAGE_LENGTH,
    cursor: query['cursor'],
  });
  const described = await Promise.all(payments.map(({ orderId }) => describeOrder(visit, orderId)));
  const hasCustomers = described.some(({ customer }) => customer !== undefined);
  const rows = payments.map((payment, index) =>
    row(visit, payment, { hasCustomers, ...described[index] }),
  );
  const isFiltered = Object.values(filterFields(filter)).some((value) => value !== '');
  return pageAnswer(visit, {
    title: texts.title,
    section: 'orders',
    main: html`<h1>${texts.title}</h1>
      ${filterForm(visit, filter)}
      ${
        rows.length === 0
          ? html`<p class="empty" data-test="no-orders">
              ${isFiltered ? texts.noneFound : texts.none}
            </p>`
          : table(visit, rows, hasCustomers)
      }
      ${rows.length > 0 && html`<p><a href="${linkTo(visit, 'orders.csv', filterFields(filter))}" data-test="csv">${texts.csv}</a></p>`}
      ${pager(visit, filter, { nextCursor, isFirst: query['cursor'] === undefined })}`,
  });
}

function table({ language }: Visit, rows: readonly Html[], hasCustomers: boolean): Html {
  const texts = orderListTexts[language];
  return html`<table class="rows" data-test="orders">
    <thead>
      <tr>
        <th scope="col">${texts.order}</th>
        ${hasCustomers && html`<th scope="col">${texts.customer}</th>`}
        <th scope="col">${texts.state}</th>
        <th scope="col">${texts.created}</th>
        <th scope="col" class="number">${texts.amount}</th>
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}

function row(
  visit: Visit,
  payment: PaymentView,
  { hasCustomers, customer, title }: OrderDescription & { readonly hasCustomers: boolean },
): Html {
  const { language } = visit;
  const { orderId, amount, currency, refunded, createdAt } = payment;
  const given = refunded === '0.00' ? '' : amountText(language, refunded, currency);
  return html`<tr data-order="${orderId}">
    <th scope="row">
      <a href="${linkTo(visit, orderAddress(orderId))}"><bdi>${orderId}</bdi></a
      >${title !== undefined && html`<span class="below"><bdi>${title}</bdi></span>`}
    </th>
    ${hasCustomers && html`<td class="customer">${customer !== undefined && html`<bdi>${customer}</bdi>`}</td>`}
    <td class="state">${stateBadge(visit, payment)}</td>
    <td class="when">${instant(visit, createdAt)}</td>
    <td class="number">
      ${amountTag(language, amount, currency)}${given !== '' && html`<span class="below">${orderListTexts[language].refunded(given)}</span>`}
    </td>
  </tr>`;
}

function pager(
  visit: Visit,
  filter: OrderFilter,
  { nextCursor, isFirst }: { readonly nextCursor: string | null; readonly isFirst: boolean },
): Html {
  if (isFirst && nextCursor === null) return nothing;
  const texts = orderListTexts[visit.language];
  const fields = filterFields(filter);
  const link = (cursor: string, label: string, test: string): Html =>
    html`<a
      class="button quiet"
      href="${linkTo(visit, 'orders', { ...fields, cursor })}"
      data-test="${test}"
      >${label}</a
    >`;
  return html`<nav class="pager" aria-label="${texts.pages}">
    ${isFirst ? nothing : link('', texts.newest, 'newest')}
    ${nextCursor === null ? nothing : link(nextCursor, texts.older, 'older')}
  </nav>`;
}
