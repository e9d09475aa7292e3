import { BodyFields, amount, notAnObject, orderNumber, requiredText } from '../body-fields.ts';
import { defaultCurrency, readCurrency } from './amount.ts';

/** What a refund or a capture asks for (§4.3, §4.5). */
export interface MoveRequest {
  readonly transactionId: string;
  readonly amountMinor: number;
}

/** Checks a refund's or a capture's body. */
export function readMoveRequest(body: unknown): { request: MoveRequest } | { messages: string[] } {
  const fields = BodyFields.of(body);
  if (fields === null) return { messages: notAnObject };
  const transactionId = fields.take('transactionId', transactionName, '');
  const amountMinor = fields.take('amount', amount, 0);
  const { messages } = fields;
  return messages.length > 0 ? { messages } : { request: { transactionId, amountMinor } };
}

/** Checks a void's body (§4.6). */
export function readVoidRequest(
  body: unknown,
): { request: Pick<MoveRequest, 'transactionId'> } | { messages: string[] } {
  const fields = BodyFields.of(body);
  if (fields === null) return { messages: notAnObject };
  const transactionId = fields.take('transactionId', transactionName, '');
  const { messages } = fields;
  return messages.length > 0 ? { messages } : { request: { transactionId } };
}

/**
 * A payment id that was sent as a number is an id that nothing has, like the same digits as text:
 * both get the 404 that says so (§2.3).
 */
function transactionName(value: unknown): ReturnType<typeof requiredText> {
  return requiredText(Number.isSafeInteger(value) ? String(value) : value);
}

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
