import { guideAddress, helpAddress, PaymentsError } from '../../errors.ts';
import { normalizePhone } from '../../gateway/fields.ts';
import { checkOrderId } from '../../ids.ts';
import type { Logger, OnceAMinute } from '../../logger.ts';
import { HOW_TO_WRITE, InvalidMoneyError, type Money, moneyOf } from '../../money.ts';
import type { CheckoutData, Order } from '../../options/payments-options.ts';
import { onOneLine } from '../../text.ts';
import { HOOK_TIMEOUT_MS } from '../../stores/store.ts';
import { withDeadline } from '../waiting.ts';
import type { FlowContext, WarnOfOrder } from '../flow-context.ts';
import { hookFailed } from '../change-payment.ts';

/** An order with a checked amount and customer. */
export interface PayableOrder {
  readonly orderId: string;
  readonly amount: Money;
  readonly customer: {
    readonly name: string | undefined;
    readonly email: string | undefined;
    /** In the gateway's form. */
    readonly phone: string;
  };
  /** Parameters for the hosted page's address. */
  readonly pageQuery: Readonly<Record<string, string>>;
}

const MAX_NAME_LENGTH = 200;
const MAX_EMAIL_LENGTH = 254;

/**
 * Asks `loadOrder` for an order, and checks the answer before anything is stored or sent.
 *
 * @param orderId - From outside, so it is checked here.
 * @throws {@link PaymentsError} `order_not_found`, `invalid_order`; else what the merchant throws.
 */
export async function loadOrder<Tx>(
  context: FlowContext<Tx>,
  orderId: string,
  request?: unknown,
  data?: CheckoutData,
): Promise<PayableOrder> {
  const asked = checkOrderId(orderId);
  const order = await askMerchant(context, asked, request, data);
  if (order === null || order === undefined) {
    const none = new PaymentsError('order_not_found', 'There is no such order for this shopper.');
    if (order === undefined) context.warnOfOrder?.(asked, none, FORGOTTEN);
    throw none;
  }
  try {
    return payableOrder(order, asked);
  } catch (error) {
    if (error instanceof PaymentsError) context.warnOfOrder?.(asked, error);
    throw error;
  }
}

/**
 * Asks for an order's price when money was found: it may have changed since the link.
 *
 * @returns `null` for no such order, `undefined` where the option `recheckOrder` is off.
 * @throws {@link PaymentsError} `hook_failed` where `loadOrder` throws, takes too long, or answers an
 * order that cannot be paid.
 */
export async function recheckPrice<Tx>(
  context: FlowContext<Tx>,
  orderId: string,
): Promise<Money | null | undefined> {
  if (context.recheckOrder === false) return undefined;
  const { warnOfOrder } = context;
  try {
    const order = await askMerchant(context, orderId);
    if (order !== null && order !== undefined) return priceOf(order, orderId);
  } catch (error) {
    if (error instanceof PaymentsError) warnOfOrder?.(orderId, error);
    throw hookFailed(error);
  }
  warnOfOrder?.(orderId, new PaymentsError('order_not_found', 'There is no such order.'), MISSING);
  return null;
}

async function askMerchant<Tx>(
  { loadOrder: answer, reportError, clock, hookTimeoutMs = HOOK_TIMEOUT_MS }: FlowContext<Tx>,
  orderId: string,
  request?: unknown,
  data: CheckoutData = {},
): Promise<Order | null | undefined> {
  try {
    return await withDeadline(clock, hookTimeoutMs, async () => answer(orderId, request, data));
  } catch (error) {
    reportError?.(error, { where: 'loadOrder', orderId });
    throw error;
  }
}

/** Checks the result of `loadOrder`. @throws {@link PaymentsError} `invalid_order`, with the field at fault. */
export function payableOrder(order: Order, asked: string): PayableOrder {
  const amount = priceOf(order, asked);
  // A shop in plain JavaScript may answer without a customer, or with a column's null.
  const customer: Partial<Order['customer']> = order.customer ?? {};
  const phone = typeof customer.phone === 'string' ? normalizePhone(customer.phone) : undefined;
  if (phone === undefined) {
    throw invalid(
      'customer.phone',
      'The gateway requires the customer’s phone: a Saudi mobile such as 05XXXXXXXX, or 8 to 15 digits.',
    );
  }
  const name = optionalText('customer.name', customer.name, MAX_NAME_LENGTH);
  const email = optionalText('customer.email', customer.email, MAX_EMAIL_LENGTH);
  const pageQuery = queryOf(order.pageQuery);
  return { orderId: asked, amount, customer: { name, email, phone }, pageQuery };
}

function queryOf(given: unknown): PayableOrder['pageQuery'] {
  if (given === undefined || given === null) return {};
  const entries = typeof given === 'object' ? Object.entries(given) : [['', given]];
  if (entries.every(([name, value]) => name !== '' && typeof value === 'string')) {
    return Object.fromEntries(entries);
  }
  throw invalid('pageQuery', 'It must be an object whose values are texts, or absent.');
}

function optionalText(field: string, value: unknown, maxLength: number): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string' && value.length <= maxLength) return onOneLine(value);
  throw invalid(field, `It must be a text of at most ${maxLength} characters, or absent.`);
}

function priceOf(order: Order, asked: string): Money {
  if (order.orderId !== asked) {
    throw invalid('orderId', 'loadOrder must answer the orderId that it was asked for, as a text.');
  }
  try {
    return moneyOf(order);
  } catch (error) {
    if (error instanceof InvalidMoneyError) throw invalid(error.field, error.message);
    throw error;
  }
}

const invalid = (field: string, message: string): PaymentsError =>
  new PaymentsError('invalid_order', message, { field });

const unpayable = ({ field, message }: Pick<PaymentsError, 'field' | 'message'>): string =>
  `loadOrder answered an order that cannot be paid, so it was refused for its ${field}. ${field === 'amount' || field === 'currency' ? HOW_TO_WRITE[field] : message} See ${helpAddress('invalid_order')}`;

const MISSING = `loadOrder answered no order when money came for it, so a person must review the payment. Without a request no shopper asks: answer the order itself. See ${guideAddress('operations.md#the-review-list')}`;

const FORGOTTEN =
  'loadOrder answered undefined, which is no such order (404). Where a return was forgotten, write it; where there is no order, answer null.';

/**
 * Warns at most once a minute for each field at fault, since a mistake in the merchant's code repeats with
 * each click. The line has no value, which may be a phone number, but for an amount's and a currency's.
 */
export function orderWarning(notices: Pick<Logger, 'warn'>, once: OnceAMinute): WarnOfOrder {
  return (orderId, { code, field, message }, words = unpayable({ field, message })) => {
    if (!once.lets(`order ${field ?? words}`)) return;
    const fields = field === undefined ? { code, orderId } : { code, field, orderId };
    notices.warn(fields, words);
  };
}
