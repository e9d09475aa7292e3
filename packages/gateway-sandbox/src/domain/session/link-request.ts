import {
  BodyFields,
  amount,
  displayName,
  email,
  notAnObject,
  orderNumber,
  phone,
  webAddress,
} from '../body-fields.ts';
import { customerKeyOf } from '../digits.ts';
import { defaultCurrency, readCurrency } from '../money/amount.ts';

/**
 * What a valid create call asks for. The e-mail address is checked, then dropped: nothing needs it.
 * Of the phone number only a key remains, by which a customer's saved cards are found again.
 */
export interface LinkRequest {
  readonly merchantOrderId: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly customerName: string | null;
  readonly customerKey: string | null;
  readonly successUrl: string;
  readonly failureUrl: string;
}

/**
 * Checks a create call's body (§4.1). All faults are reported together, in the order of the
 * specification's table; fields that the table does not name are ignored.
 */
export function readLinkRequest(body: unknown): { request: LinkRequest } | { messages: string[] } {
  const fields = BodyFields.of(body);
  if (fields === null) return { messages: notAnObject };
  const merchantOrderId = fields.take('merchantOrderId', orderNumber, '');
  const amountMinor = fields.take('amount', amount, 0);
  const currency = fields.take('currency', readCurrency, defaultCurrency);
  const customerName = fields.take('customerName', displayName, null);
  fields.take('customerEmail', email, null);
  const customerKey = customerKeyOf(fields.take('customerPhone', phone, ''));
  const successUrl = fields.take('successUrl', webAddress, '');
  const failureUrl = fields.take('failureUrl', webAddress, '');
  const { messages } = fields;
  if (messages.length > 0) return { messages };
  const customer = { customerName, customerKey };
  return {
    request: { merchantOrderId, amountMinor, currency, ...customer, successUrl, failureUrl },
  };
}
