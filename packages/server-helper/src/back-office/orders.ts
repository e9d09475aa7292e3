import { isDay } from '../days.ts';
import { csvLine } from '../text.ts';
import type { PaymentList, PaymentQuery, PaymentState, PaymentView } from '../index.ts';
import { type Answer, everyPaymentState, nextDay, startOfDay, withDeadline } from '../parts.ts';
import { nameOf } from '../errors.ts';
import {
  amountTag,
  amountText,
  byLanguage,
  field,
  html,
  type Html,
  instant,
  nothing,
  stateBadge,
  stateTexts,
  typedAmount,
} from './html.ts';
import { pageAnswer } from './layout.ts';
import { isSafeAddress, type OrderDescription } from './options.ts';
import { type Fields, linkTo, orderAddress, type Visit } from './visit.ts';

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
      ${amountTag(language, amount, currency)}${given !== '' && html`<span class="below">${orderListTexts[language].refunded({ amount: given })}</span>`}
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

/** The form that narrows the list of orders; its fields end in the address. */
function filterForm(visit: Visit, filter: OrderFilter): Html {
  const { language } = visit;
  const texts = orderListTexts[language];
  const input = (id: 'q' | 'amount' | 'from' | 'to', value: string, more: Html): Html =>
    field({ id, label: texts.fields[id], value, look: id === 'q' ? 'grow' : '' }, more);
  const wrong = (name: 'day' | 'amount'): Html | false =>
    filter.mistakes.includes(name) && html` aria-invalid="true" aria-describedby="mistake-${name}"`;
  return html`<form
    class="filter"
    method="get"
    action="${linkTo(visit, 'orders')}"
    role="search"
    aria-label="${texts.filter}"
  >
    ${input('q', filter.search, html` type="search" dir="auto" autocomplete="off"`)}
    ${stateField(visit, filter)}
    ${input('amount', filter.amount, html` inputmode="decimal" dir="ltr" autocomplete="off"${wrong('amount')}`)}
    ${input('from', filter.from, html` type="date"${wrong('day')}`)}
    ${input('to', filter.to, html` type="date"${wrong('day')}`)}
    <p class="buttons">
      <button>${texts.apply}</button>
      <a class="button quiet" href="${linkTo(visit, 'orders')}">${texts.clear}</a>
    </p>
    ${filter.mistakes.map((name) => html`<p class="mistake" id="mistake-${name}" role="alert">${texts.mistakes[name]}</p>`)}
  </form>`;
}

function stateField({ language }: Visit, filter: OrderFilter): Html {
  const texts = orderListTexts[language];
  const { payment } = stateTexts[language];
  const options = everyPaymentState.map(
    (state) =>
      html`<option value="${state}" ${state === filter.state && html` selected`}>
        ${payment[state]}
      </option>`,
  );
  return html`<p class="field">
    <label for="state">${texts.state}</label>
    <select id="state" name="state">
      <option value="">${texts.anyState}</option>
      ${options}
    </select>
  </p>`;
}

/** What the list of orders is narrowed to, as the address holds it. */
interface OrderFilter {
  readonly search: string;
  readonly state: PaymentState | '';
  /** As it was typed. */
  readonly amount: string;
  /** Days in the office's time zone, both included. */
  readonly from: string;
  readonly to: string;
  /** What could not be read, and narrows nothing. */
  readonly mistakes: readonly ('day' | 'amount')[];
}

const isState = (text: string): text is PaymentState =>
  everyPaymentState.some((state) => state === text);

const MAX_SEARCH_LENGTH = 200;

function readFilter({ query }: Visit): OrderFilter {
  const { q = '', state = '', amount = '', from = '', to = '' } = query;
  const areDays = [from, to].every((day) => day === '' || isDay(day));
  const isSpan = areDays && (from === '' || to === '' || from <= to);
  const isAmount = amount.trim() === '' || typedAmount(amount) !== null;
  return {
    search: q
      .replaceAll(/\p{Cc}/gu, ' ')
      .trim()
      .slice(0, MAX_SEARCH_LENGTH),
    state: isState(state) ? state : '',
    amount: amount.trim(),
    ...(isSpan ? { from, to } : { from: '', to: '' }),
    mistakes: [...(isSpan ? [] : ['day' as const]), ...(isAmount ? [] : ['amount' as const])],
  };
}

const filterFields = ({ search, state, amount, from, to }: OrderFilter): Fields => ({
  q: search,
  state,
  amount,
  from,
  to,
});

/** The filter as `payments.list` takes it. */
function queryOf(
  { search, state, amount, from, to }: OrderFilter,
  timeZone: string,
): Pick<PaymentQuery, 'search' | 'amount' | 'state' | 'since' | 'until'> {
  return {
    search: search || undefined,
    amount: typedAmount(amount) ?? undefined,
    state: state || undefined,
    since: from === '' ? undefined : new Date(startOfDay(from, timeZone)),
    until: to === '' ? undefined : new Date(startOfDay(nextDay(to), timeZone)),
  };
}

/** How many payments are read at a time. */
const FILE_PAGE_LENGTH = 200;

const columns = [
  'orderId',
  'state',
  'amount',
  'refunded',
  'currency',
  'createdAt',
  'updatedAt',
] as const;

/**
 * All orders that the filter of the list leaves, as CSV, the latest first. The file holds no words of
 * `describeOrder`: customers' names do not belong in files that are handed around.
 */
export async function ordersCsv(visit: Visit): Promise<Answer> {
  const day = new Date(visit.office.parts.clock.now()).toISOString().slice(0, 10);
  // Read before the answer begins, so that a store that is down is a page and no broken file.
  const first = await readPage(visit, null);
  return {
    status: 200,
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="orders-${day}.csv"`,
    },
    stream: csvLines(visit, first),
  };
}

function readPage(visit: Visit, cursor: string | null): Promise<PaymentList> {
  const { payments, settings } = visit.office;
  const query = queryOf(readFilter(visit), settings.timeZone);
  return payments.list({ ...query, limit: FILE_PAGE_LENGTH, cursor });
}

/** A page of lines at a time; an error ends the file before its end, and the browser says so. */
async function* csvLines(visit: Visit, first: PaymentList): AsyncGenerator<string> {
  yield csvLine(columns);
  try {
    for (let page = first; ; page = await readPage(visit, page.nextCursor)) {
      yield page.payments.map((payment) => csvLine(columns.map((name) => payment[name]))).join('');
      if (page.nextCursor === null) return;
    }
  } catch (error) {
    const { logger } = visit.office.parts;
    logger.error({ error: nameOf(error) }, 'a list of orders could not be read to its end');
    throw error;
  }
}

const DEADLINE_MS = 2_000;

/** The merchant's words for an order; nothing where there are none, or they did not come. */
export async function describeOrder(
  { office: { settings, parts }, language }: Pick<Visit, 'office' | 'language'>,
  orderId: string,
): Promise<OrderDescription> {
  const { describeOrder: describe } = settings;
  if (describe === null) return {};
  try {
    const given = await withDeadline(parts.clock, DEADLINE_MS, async () =>
      describe(orderId, language),
    );
    return read(given);
  } catch (error) {
    parts.reportError(error, { where: 'describeOrder', orderId });
    parts.logger.warn({ orderId, error: nameOf(error) }, 'describeOrder failed: a page lacks it');
    return {};
  }
}

/** Only texts are shown, and only an address that is safe to follow is linked. */
function read(given: unknown): OrderDescription {
  if (typeof given !== 'object' || given === null) return {};
  const { title, customer, url, lines } = given as Readonly<Record<string, unknown>>;
  return {
    title: textOf(title),
    customer: textOf(customer),
    url: isSafeAddress(url) ? url : undefined,
    lines: Array.isArray(lines) ? lines.flatMap((line: unknown) => textOf(line) ?? []) : undefined,
  };
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;

const orderListTexts = byLanguage({
  title: ['Orders', 'الطلبات'],
  filter: ['Filter', 'تصفية'],
  state: ['State', 'الحالة'],
  anyState: ['Any state', 'كل الحالات'],
  fields: {
    q: ['Order, transaction or reference', 'رقم الطلب أو العملية أو المرجع'],
    amount: ['Amount', 'المبلغ'],
    from: ['From', 'من تاريخ'],
    to: ['To', 'إلى تاريخ'],
  },
  apply: ['Show', 'عرض'],
  clear: ['Clear', 'مسح'],
  csv: ['Download as CSV', 'تنزيل CSV'],
  order: ['Order', 'الطلب'],
  customer: ['Customer', 'العميل'],
  created: ['Created', 'التاريخ'],
  amount: ['Amount', 'المبلغ'],
  refunded: ['{amount} refunded', 'استُرد {amount}'],
  none: ['No orders have a payment yet.', 'لا توجد دفعات بعد.'],
  noneFound: ['No order matches this filter.', 'لا يوجد طلب يطابق هذه التصفية.'],
  older: ['Older', 'الأقدم'],
  newest: ['Newest', 'الأحدث'],
  pages: ['Pages', 'الصفحات'],
  mistakes: {
    day: `A day is written as 2026-11-23, and the first must not be behind the last.
      يُكتب التاريخ بالصيغة 2026-11-23، ويجب ألا يكون الأول بعد الأخير.`,
    amount: `An amount is written as 115.00, with two decimals at most.
      يُكتب المبلغ بالصيغة 115.00، بمنزلتين عشريتين على الأكثر.`,
  },
});
