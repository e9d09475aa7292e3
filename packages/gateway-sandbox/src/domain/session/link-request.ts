import {
  amount,
  displayName,
  email,
  orderNumber,
  phone,
  readBody,
  webAddress,
} from '../body-fields.ts';
import type { ReadBody } from '../body-fields.ts';
import { defaultCurrency, readCurrency } from '../money/amount.ts';

/**
 * The request of a valid create call. The e-mail address is checked and dropped, since the sandbox
 * does not need it. Only a key of the phone number remains, by which the saved cards of a customer
 * are found again.
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

/** Checks a create call's body; faults come in the order of the specification's table (§4.1). */
export function readLinkRequest(body: unknown): ReadBody<LinkRequest> {
  return readBody(body, (fields) => {
    const merchantOrderId = fields.take('merchantOrderId', orderNumber, '');
    const amountMinor = fields.take('amount', amount, 0);
    const currency = fields.take('currency', readCurrency, defaultCurrency);
    const customerName = fields.take('customerName', displayName, null);
    fields.take('customerEmail', email, null);
    const customerKey = fields.take('customerPhone', phone, '');
    const successUrl = fields.take('successUrl', webAddress, '');
    const failureUrl = fields.take('failureUrl', webAddress, '');
    const customer = { customerName, customerKey };
    return { merchantOrderId, amountMinor, currency, ...customer, successUrl, failureUrl };
  });
}
