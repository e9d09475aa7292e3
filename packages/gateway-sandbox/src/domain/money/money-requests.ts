import { amount, isAbsent, orderNumber, readBody, requiredText } from '../body-fields.ts';
import type { ReadBody } from '../body-fields.ts';
import { defaultCurrency, readCurrency } from './amount.ts';

/** The request of a refund or a capture (§4.3, §4.5). */
export interface MoveRequest {
  readonly transactionId: string;
  readonly amountMinor: number;
}

/** The request of a void (§4.6). */
export type VoidRequest = Pick<MoveRequest, 'transactionId'>;

/** §2.6, without the amount, which is the charge's, and the description, which nothing needs. */
export interface RecurringOrder {
  readonly number: string;
  readonly currency: string;
}

/** The request of a recurring charge (§4.7). */
export interface RecurringRequest extends MoveRequest {
  readonly recurringToken: string;
  readonly order: RecurringOrder;
}

/** Checks a refund's or a capture's body. */
export function readMoveRequest(body: unknown): ReadBody<MoveRequest> {
  return readBody(body, (fields) => ({
    transactionId: fields.take('transactionId', transactionName, ''),
    amountMinor: fields.take('amount', amount, 0),
  }));
}

/** Checks a void's body. */
export function readVoidRequest(body: unknown): ReadBody<VoidRequest> {
  return readBody(body, (fields) => ({
    transactionId: fields.take('transactionId', transactionName, ''),
  }));
}

/** The message about two amounts in one charge. The specification does not say that they are equal. */
export const amountsDiffer = 'must be equal to amount';

/** Checks a recurring charge's body; the two amounts in it have to be equal. */
export function readRecurringRequest(body: unknown): ReadBody<RecurringRequest> {
  return readBody(body, (fields) => {
    const transactionId = fields.take('transactionId', requiredText, '');
    const recurringToken = fields.take('recurringToken', requiredText, '');
    const amountMinor = fields.take('amount', amount, 0);
    const order = fields.inside('order');
    const number = order.take('number', orderNumber, '');
    const orderMinor = order.take('amount', amount, 0);
    const currency = order.take('currency', requiredCurrency, defaultCurrency);
    order.take('description', requiredText, '');
    if (fields.messages.length === 0 && orderMinor !== amountMinor) {
      fields.messages.push(`order.amount ${amountsDiffer}`);
    }
    return { transactionId, recurringToken, amountMinor, order: { number, currency } };
  });
}

/** The order of a charge names its currency (§2.6, §4.7); only a payment link has a default. */
function requiredCurrency(value: unknown): ReturnType<typeof readCurrency> {
  return isAbsent(value) ? { fault: 'should not be empty' } : readCurrency(value);
}

/**
 * A payment id that was sent as a number is an id that nothing has, like the same digits as text:
 * both get the 404 that says so (§2.3).
 */
function transactionName(value: unknown): ReturnType<typeof requiredText> {
  return requiredText(Number.isSafeInteger(value) ? String(value) : value);
}
