import { checkOrderId, isOrderId, transactionKey } from '../ids.ts';
import { parseAmount } from '../money.ts';
import { everyPaymentState, type PaymentState, requestOperationId } from '../payments/record.ts';
import type { Name } from '../payments/document.ts';
import { latestFirst, type PaymentPage, type Position, type Search } from '../stores/store.ts';
import { loadPayment } from './change-payment.ts';
import type { FlowContext } from './flow-context.ts';
import { askStore } from './waiting.ts';
import { isDay } from '../days.ts';
import { invalidQuery } from '../errors.ts';
import { type Explanation, explanationOf, type PaymentView, viewOf } from './views.ts';

/** Options of `payments.list`. All may be left out, and all hold together. */
export interface PaymentQuery {
  /** Only payments in this state, or in one of these. @defaultValue every state */
  readonly state?: PaymentState | readonly PaymentState[] | undefined;
  /** Only payments created at or after this: a date, or ISO 8601 with a time zone. */
  readonly since?: Date | string | undefined;
  /** Only payments created before this: a date, or ISO 8601 with a time zone. */
  readonly until?: Date | string | undefined;
  /** Only the payment of this order. */
  readonly orderId?: string | undefined;
  /**
   * Only payments that this text names: an order's id or how it begins, also in capitals or in small
   * letters; an attempt as the gateway knows it (`1001~2`); the id of a transaction, in any case; of a
   * checkout session; of an operation or its `requestId`; the gateway's reference of an operation, in
   * any case. Of more than 1,000 orders that begin so, the last 1,000 by their ids are looked at. Not
   * together with `orderId`.
   */
  readonly search?: string | undefined;
  /** Only payments of exactly this amount, a decimal string with two decimals, in any currency. */
  readonly amount?: string | undefined;
  /** The length of a page, 1 to 200. @defaultValue `50` */
  readonly limit?: number | undefined;
  /** `nextCursor` of the page before. The other options must be as they were for that page. */
  readonly cursor?: string | null | undefined;
}

/** One page of payments. */
export interface PaymentList {
  /** The latest created first. */
  readonly payments: readonly PaymentView[];
  /** The cursor of the next page; `null` when this is the last one. */
  readonly nextCursor: string | null;
}

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;
const options = 'state since until orderId search amount limit cursor'.split(' ');

/** Lists payments, a page at a time. */
export async function listPayments<Tx>(
  context: FlowContext<Tx>,
  query: PaymentQuery,
): Promise<PaymentList> {
  const page = readQuery(query);
  // One more than is shown says whether there is another page.
  const found = await askStore(() => context.store.list({ ...page, limit: page.limit + 1 }));
  const shown = found.slice(0, page.limit);
  const last = shown.at(-1);
  return {
    payments: shown.map(viewOf),
    nextCursor: last === undefined || found.length === shown.length ? null : cursorOf(last.payment),
  };
}

/** Asks for the payment that has a name. */
export const paymentNamed = (name: Name): PaymentPage => ({
  of: 'payments',
  states: everyPaymentState,
  since: 0,
  below: end,
  limit: 1,
  search: { ...nothing, names: [name] },
});

const nothing: Search = { orderId: '', beginnings: [], names: [] };

/** Above every payment. */
const end: Position = { createdAt: Number.MAX_SAFE_INTEGER, orderId: '' };

function readQuery(query: PaymentQuery): PaymentPage {
  const stranger = Object.keys(query).find((name) => !options.includes(name));
  if (stranger !== undefined) {
    throw invalidQuery(stranger, `There is no option ${stranger}, only ${options.join(', ')}.`);
  }
  const { state = everyPaymentState, since, until, limit = DEFAULT_LIMIT, cursor } = query;
  const states = [state].flat();
  if (states.length === 0 || states.some((one) => !everyPaymentState.includes(one))) {
    throw invalidQuery('state', `state must be one or some of ${everyPaymentState.join(', ')}.`);
  }
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
    throw invalidQuery('limit', `limit must be a whole number of 1 to ${MAX_LIMIT}.`);
  }
  const first = { ...end, createdAt: readTime('until', until) ?? end.createdAt };
  const position = cursor === undefined || cursor === null ? first : readCursor(cursor);
  return {
    of: 'payments',
    states: [...new Set(states)],
    since: readTime('since', since) ?? 0,
    below: latestFirst(first, position) < 0 ? position : first,
    limit,
    minorUnits: readAmount(query.amount),
    search: readSearch(query),
  };
}

function readAmount(given: unknown): number | undefined {
  if (given === undefined) return undefined;
  const minorUnits = parseAmount(given);
  if (minorUnits !== undefined) return minorUnits;
  throw invalidQuery('amount', 'amount must be a text with two decimals, such as "49.90".');
}

const MAX_SEARCH = 200;
const PRINTABLE = /^\P{Cc}+$/u;

function readSearch({ search, orderId }: PaymentQuery): Search | undefined {
  if (search === undefined)
    return orderId === undefined ? undefined : { ...nothing, orderId: checkOrderId(orderId) };
  const text = typeof search === 'string' ? search.trim() : '';
  if (text.length > MAX_SEARCH || !PRINTABLE.test(text)) {
    throw invalidQuery('search', `search must be 1 to ${MAX_SEARCH} printable characters.`);
  }
  if (orderId === undefined) return searchFor(text);
  throw invalidQuery('search', 'search finds orders by their ids too: leave orderId out.');
}

/** What a text that a person wrote into a search may be. */
function searchFor(text: string): Search {
  // An order id has no `~`, so a text with one can only be the name of an attempt or a charge.
  const [orderId = '', ...rest] = text.split('~');
  const beginnings = [text, text.toUpperCase(), text.toLowerCase()];
  return {
    orderId,
    beginnings: rest.length > 0 ? [] : [...new Set(beginnings)],
    names: [
      { kind: 'session', name: text },
      { kind: 'transaction', name: transactionKey(text) },
      { kind: 'operation', name: text },
      { kind: 'operation', name: requestOperationId(text) },
      { kind: 'reference', name: transactionKey(text) },
    ],
  };
}

/** A date alone, or a time with its zone: a time without one would be the server's. */
const ISO_TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

function readTime(field: 'since' | 'until', given: unknown): number | undefined {
  if (given === undefined) return undefined;
  const isText = typeof given === 'string' && ISO_TIME.test(given) && isDay(given.slice(0, 10));
  const time = given instanceof Date || isText ? new Date(given).getTime() : Number.NaN;
  if (Number.isFinite(time)) return time;
  const words = `${field} must be a Date or an ISO 8601 text with a time zone, such as "2026-11-01T00:00:00+03:00"; "2026-11-01" is midnight in UTC.`;
  throw invalidQuery(field, words);
}

const cursorOf = ({ createdAt, orderId }: Position): string =>
  Buffer.from(`${createdAt} ${orderId}`).toString('base64url');

function readCursor(cursor: unknown): Position {
  const text = typeof cursor === 'string' ? Buffer.from(cursor, 'base64url').toString() : '';
  const [, createdAt, orderId] = /^(\d{1,16}) (.+)$/.exec(text) ?? [];
  if (createdAt !== undefined && isOrderId(orderId)) {
    return { createdAt: Number(createdAt), orderId };
  }
  throw invalidQuery('cursor', 'cursor must be the nextCursor of the page before, or be left out.');
}

/** Explains an order's payment; `null` for an order that never had one. */
export async function explain<Tx>(
  context: FlowContext<Tx>,
  orderId: string,
): Promise<Explanation | null> {
  const record = await loadPayment(context, orderId);
  if (record === null) return null;
  const { recurringTokens: tokens, store } = context;
  return explanationOf(record, await askStore(() => store.history(orderId)), tokens);
}
