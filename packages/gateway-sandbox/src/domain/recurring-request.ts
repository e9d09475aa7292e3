import { amount, BodyFields, notAnObject, orderNumber, requiredText } from './body-fields.ts';
import { defaultCurrency, readCurrency } from './currencies.ts';

/** §2.6, without the amount, which is the charge's, and the description, which nothing needs. */
export interface RecurringOrder {
  readonly number: string;
  readonly currency: string;
}

/** What a valid recurring charge asks for (§4.7). */
export interface RecurringRequest {
  readonly transactionId: string;
  readonly recurringToken: string;
  readonly amountMinor: number;
  readonly order: RecurringOrder;
}

/** Checks a recurring charge's body; two amounts that differ are no amount. */
export function readRecurringRequest(
  body: unknown,
): { request: RecurringRequest } | { messages: string[] } {
  const fields = BodyFields.of(body);
  if (fields === null) return { messages: notAnObject };
  const transactionId = fields.take('transactionId', requiredText, '');
  const recurringToken = fields.take('recurringToken', requiredText, '');
  const amountMinor = fields.take('amount', amount, 0);
  const order = fields.inside('order');
  const number = order.take('number', orderNumber, '');
  const orderMinor = order.take('amount', amount, 0);
  const currency = order.take('currency', readCurrency, defaultCurrency);
  order.take('description', requiredText, '');
  const { messages } = fields;
  if (messages.length > 0) return { messages };
  if (orderMinor !== amountMinor) return { messages: ['order.amount must be equal to amount'] };
  return { request: { transactionId, recurringToken, amountMinor, order: { number, currency } } };
}
